"""Streamlit code shared by the pages: access, the judging surface, tables and charts."""
