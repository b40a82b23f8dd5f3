"""Assay's web app: `streamlit run app.py`. Streamlit's pages and the judging routes are served by one process."""

import streamlit as st
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware

from audit_core import config
from audit_core.web import routes

app = st.App(
    "audit_core/ui/shell/main.py",
    routes=routes,
    # Sign-in is by name: a page of another name that points its address here must not be taken for our own.
    middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=config.allowed_hosts(), www_redirect=False)],
)
