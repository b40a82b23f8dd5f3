"""Signing in and out in the browser: small components that call the session routes, which alone may set the cookie."""

from __future__ import annotations

import streamlit as st

from audit_core import account_settings
from audit_core.account_settings import Mode
from audit_core.ui.addresses import next_address
from audit_core.ui.form_script import CALL, FORM_CSS, FORM_JS
from audit_core.workflow.accounts import is_first_start
from audit_core.workflow.first_account import FIRST_HINT
from audit_core.workflow.workspace import open_workspace

_NAME = """
  <label for="name">Your name</label>
  <input id="name" name="name" maxlength="80" autocomplete="username">
"""

_FORM_HTML = f"""
<form class="box" data-testid="sign-in" data-method="POST" data-address="/api/session">
  <h1>Assay</h1>
  <p>Judge the queries of a retrieval benchmark on the pages they point to.</p>{_NAME}
  <p class="hint">It marks your judgments. The same name brings you back to where you left off.</p>
  <p class="error" role="alert" hidden></p>
  <button type="submit">Sign in</button>
</form>
"""

_PASSWORD_HTML = f"""
<form class="box" data-testid="sign-in" data-method="POST" data-address="/api/session">
  <h1>Assay</h1>
  <p>Judge the queries of a retrieval benchmark on the pages they point to.</p>{_NAME}
  <label for="password">Password</label>
  <input id="password" name="password" type="password" autocomplete="current-password" required>
  <p class="hint" data-testid="sign-in-hint"></p>
  <p class="error" role="alert" hidden></p>
  <button type="submit">Sign in</button>
</form>
"""

_OIDC_HTML = """
<div class="box" data-testid="sign-in">
  <h1>Assay</h1>
  <p>Judge the queries of a retrieval benchmark on the pages they point to.</p>
  <p><a class="go" data-testid="sign-in-elsewhere">Sign in</a></p>
  <p class="hint">Your organisation's sign-in opens, and leads back here.</p>
</div>
"""

_PROXY_HTML = """
<div class="box" data-testid="sign-in">
  <h1>Assay</h1>
  <p class="error" role="alert"></p>
</div>
"""

_OIDC_JS = """
export default function(component) {
  const link = component.parentElement.querySelector("a");
  link.href = "/sign-in/start" + (component.data.next ? "?next=" + encodeURIComponent(component.data.next) : "");
  link.focus();
}
"""

_PROXY_JS = """
export default function(component) {
  component.parentElement.querySelector(".error").textContent = component.data.problem;
}
"""

_OUT_HTML = """
<div class="out"><span data-testid="who"><a href="/account" title="Your account"></a></span>
<button type="button" data-testid="sign-out">Sign out</button></div>
"""

_OUT_CSS = """
.out { font: 14px/1.4 var(--st-font), sans-serif; color: var(--st-text-color); text-align: right; }
a { color: inherit; text-decoration: none; } a:hover { text-decoration: underline; }
button { font: inherit; border: 0; background: none; color: var(--st-primary-color); text-decoration: underline; cursor: pointer; padding: 0 0 0 .5rem; }
button:focus-visible, a:focus-visible { outline: 3px solid var(--st-primary-color); }
"""

_OUT_JS = (
    CALL
    + """
export default function(component) {
  const root = component.parentElement;
  root.querySelector("a").textContent = component.data.name;
  const button = root.querySelector("button");
  button.hidden = !component.data.signs_out;
  button.onclick = async () => {
    await call("DELETE", "/api/session");
    location.assign("/");
  };
}
"""
)

_form = st.components.v2.component("assay_sign_in", html=_FORM_HTML, css=FORM_CSS, js=FORM_JS)
_password = st.components.v2.component("assay_password_sign_in", html=_PASSWORD_HTML, css=FORM_CSS, js=FORM_JS)
_oidc = st.components.v2.component("assay_oidc_sign_in", html=_OIDC_HTML, css=FORM_CSS, js=_OIDC_JS)
_proxy = st.components.v2.component("assay_proxy_sign_in", html=_PROXY_HTML, css=FORM_CSS, js=_PROXY_JS)
_out = st.components.v2.component("assay_sign_out", html=_OUT_HTML, css=_OUT_CSS, js=_OUT_JS)

_FORGOT = "Forgot it? A lead can give you a one-time password."


def sign_in_form(problem: str | None = None) -> None:
    """Draw the sign-in of the mode in force; a successful one goes on to where the visitor wanted to go.

    `problem` is why somebody whom a proxy names is not admitted.
    """
    mode, data = account_settings.mode(), {"next": next_address()}
    if mode is Mode.LOCAL:
        hint = FIRST_HINT if is_first_start(open_workspace()) else _FORGOT
        _password(key="sign-in", data={**data, "hint": hint})
    elif mode is Mode.OIDC:
        _oidc(key="sign-in", data=data)
    elif mode is Mode.PROXY:
        _proxy(key="sign-in", data={"problem": problem or "The proxy before Assay names nobody. Sign in there first."})
    else:
        _form(key="sign-in", data=data)


def sign_out_link(name: str) -> None:
    """Draw who is signed in, with a button that signs out (where it is not a proxy's business)."""
    _out(key="sign-out", data={"name": name, "signs_out": account_settings.mode() is not Mode.PROXY})
