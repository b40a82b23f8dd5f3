"""The judging surface as a Streamlit component: a loader that mounts the viewer's modules and nothing more.

Judgments travel over HTTP routes, never through Streamlit, so the component returns nothing.
"""

from __future__ import annotations

import streamlit as st

from audit_core.web.viewer_files import entry_address

_LOADER = """
export default function(component) {
  const {parentElement, data} = component;
  const host = parentElement.querySelector(".host");
  const wanted = JSON.stringify(data);
  if (host.assayShown !== wanted) {
    host.assayStop?.();
    host.assayStop = null;
    host.assayShown = wanted;
    import(new URL(data.source, location.origin).href).then(
      (surface) => { if (host.assayShown === wanted) host.assayStop = surface.mount(host, data); },
      () => { host.textContent = "The judging page could not be loaded. Is the server running? Reload to try again."; },
    );
  }
  return () => { host.assayStop?.(); host.assayStop = null; host.assayShown = null; };
}
"""

_surface = st.components.v2.component(
    "assay_judging_surface", html='<div class="host" data-testid="judging-surface"></div>', js=_LOADER
)


def judging_surface(*, campaign_id: int, entry: int | None, home: str = "/") -> None:
    """Draw the judging surface for a campaign, at the entry of that number (None: the first not judged yet)."""
    _surface(
        key=f"judge-{campaign_id}",
        data={"source": entry_address(), "campaign": campaign_id, "entry": entry, "home": home},
    )
