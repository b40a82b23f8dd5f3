"""Choosing a password of one's own: after a one-time password before anything else, and later whenever one likes."""

from __future__ import annotations

import streamlit as st

from audit_core.ui.addresses import next_address
from audit_core.ui.form_script import FORM_CSS, FORM_JS
from audit_core.workflow.passwords import LEAST_CHARACTERS

_NEW = f"""
  <label for="new">New password</label>
  <input id="new" name="new" type="password" autocomplete="new-password" minlength="{LEAST_CHARACTERS}" required>
  <label for="again">The same once more</label>
  <input id="again" type="password" autocomplete="new-password" data-again="new" required>
  <p class="hint">At least {LEAST_CHARACTERS} characters; a few words in a row are easy to remember and hard to guess.</p>
  <p class="error" role="alert" hidden></p>
"""

_FIRST_HTML = f"""
<form class="box" data-testid="first-password" data-method="POST" data-address="/api/password">
  <h1>Choose your password</h1>
  <p>The one-time password is used up. Choose one that only you know.</p>{_NEW}
  <button type="submit">Set the password</button>
</form>
"""

_CHANGE_HTML = f"""
<form class="box inline" data-testid="change-password" data-method="POST" data-address="/api/password">
  <label for="current">Present password</label>
  <input id="current" name="current" type="password" autocomplete="current-password" required>{_NEW}
  <button type="submit">Change the password</button>
</form>
"""

_first = st.components.v2.component("assay_first_password", html=_FIRST_HTML, css=FORM_CSS, js=FORM_JS)
_change = st.components.v2.component("assay_change_password", html=_CHANGE_HTML, css=FORM_CSS, js=FORM_JS)


def first_password_form() -> None:
    """Draw the choice of a password, which is all that there is after a one-time password."""
    _first(key="first-password", data={"next": next_address()})


def change_password_form() -> None:
    """Draw the change of one's own password; it ends the sign-ins everywhere else."""
    _change(key="change-password", data={"next": None})
