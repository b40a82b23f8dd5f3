"""Assay's web app: `streamlit run app.py`. Streamlit's pages and the judging routes are served by one process."""

import streamlit as st

from audit_core.web import host_check, prepare_access, routes

prepare_access(st.get_option("server.address"))
app = st.App("audit_core/ui/shell/main.py", routes=routes, middleware=host_check())
