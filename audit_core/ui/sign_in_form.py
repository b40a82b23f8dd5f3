"""Signing in and out in the browser: small components that call the session route, which alone may set the cookie."""

from __future__ import annotations

import streamlit as st

from audit_core.ui.addresses import next_address

_CALL = """
async function call(method, body) {
  const response = await fetch("/api/session", {
    method, headers: {"Content-Type": "application/json", "X-Assay": "1"}, body: body && JSON.stringify(body),
  });
  const answer = await response.json().catch(() => ({error: "The server did not answer. Is it running?"}));
  if (!response.ok) throw new Error(answer.error);
}
"""

_FORM_HTML = """
<form class="box" data-testid="sign-in">
  <h1>Assay</h1>
  <p>Judge the queries of a retrieval benchmark on the pages they point to.</p>
  <label for="name">Your name</label>
  <input id="name" name="name" maxlength="80" autocomplete="username" autofocus>
  <p class="hint">It marks your judgments. The same name brings you back to where you left off.</p>
  <p class="error" role="alert" hidden></p>
  <button type="submit">Sign in</button>
</form>
"""

_FORM_CSS = """
.box { max-width: 26rem; margin: 12vh auto 0; padding: 2rem 2.25rem; border: 1px solid color-mix(in srgb, currentColor 18%, transparent);
  border-radius: 10px; font: 16px/1.5 system-ui, sans-serif; color: var(--st-text-color); }
h1 { margin: 0 0 .25rem; font-size: 1.6rem; font-weight: 650; letter-spacing: -.01em; }
p { margin: 0 0 1rem; } label { display: block; font-weight: 600; margin-bottom: .3rem; }
input { width: 100%; box-sizing: border-box; font: inherit; padding: .55rem .7rem; border-radius: 6px;
  border: 1px solid color-mix(in srgb, currentColor 45%, transparent); background: var(--st-background-color); color: inherit; }
input:focus-visible, button:focus-visible { outline: 3px solid var(--st-primary-color); outline-offset: 1px; }
.hint { margin: .4rem 0 1rem; font-size: .86rem; opacity: .8; }
.error { color: #B3261E; font-weight: 600; }
button { font: inherit; font-weight: 600; padding: .55rem 1.3rem; border: 0; border-radius: 6px;
  background: var(--st-primary-color); color: #fff; cursor: pointer; }
"""

_FORM_JS = (
    _CALL
    + """
export default function(component) {
  const form = component.parentElement.querySelector("form");
  const error = form.querySelector(".error");
  form.querySelector("input").focus();
  form.onsubmit = async (event) => {
    event.preventDefault();
    const button = form.querySelector("button");
    button.disabled = true;
    error.hidden = true;
    try {
      await call("POST", {name: form.elements.name.value});
      if (component.data.next) location.assign(component.data.next);
      else location.reload();
    } catch (problem) {
      error.textContent = problem.message;
      error.hidden = false;
      button.disabled = false;
    }
  };
}
"""
)

_OUT_HTML = """<div class="out"><span data-testid="who"></span> <button type="button" data-testid="sign-out">Sign out</button></div>"""

_OUT_CSS = """
.out { font: 14px/1.4 var(--st-font), sans-serif; color: var(--st-text-color); text-align: right; }
button { font: inherit; border: 0; background: none; color: var(--st-primary-color); text-decoration: underline; cursor: pointer; padding: 0 0 0 .5rem; }
button:focus-visible { outline: 3px solid var(--st-primary-color); }
"""

_OUT_JS = (
    _CALL
    + """
export default function(component) {
  const root = component.parentElement;
  root.querySelector("span").textContent = component.data.name;
  root.querySelector("button").onclick = async () => {
    await call("DELETE");
    location.assign("/");
  };
}
"""
)

_form = st.components.v2.component("assay_sign_in", html=_FORM_HTML, css=_FORM_CSS, js=_FORM_JS)
_out = st.components.v2.component("assay_sign_out", html=_OUT_HTML, css=_OUT_CSS, js=_OUT_JS)


def sign_in_form() -> None:
    """Draw the sign-in form; a successful sign-in goes on to where the visitor wanted to go."""
    _form(key="sign-in", data={"next": next_address()})


def sign_out_link(name: str) -> None:
    """Draw who is signed in, with a button that signs out."""
    _out(key="sign-out", data={"name": name})
