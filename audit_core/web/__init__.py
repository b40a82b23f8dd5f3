"""HTTP routes beside Streamlit: session, entries, drafts, judgments, page images and the modules of the judging surface."""

from audit_core.web.hosts import host_check
from audit_core.web.routes import routes
from audit_core.web.starting import prepare_access

__all__ = ["host_check", "prepare_access", "routes"]
