"""Finds the browser for the browser tests; as a command, installs one where that can be done without asking.

Order: `$CHROMIUM`, then a browser on the PATH. On Debian as root the command installs the package; elsewhere it fails and
names what to do.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
MAC = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def chromium_path() -> str | None:
    """Return the browser to drive, None where there is none."""
    named = os.environ.get("CHROMIUM")
    if named:
        return named if Path(named).is_file() else None
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    return found or (str(MAC) if MAC.is_file() else None)


def _install_on_debian() -> None:
    """Install Debian's Chromium with a font that covers what the tests type."""
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "update", "-qq"], check=True, env=quiet)
    packages = ["chromium", "fonts-dejavu-core"]
    subprocess.run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages], check=True, env=quiet)


def main() -> int:
    """Make sure that there is a browser; 0 when there is."""
    if chromium_path():
        return 0
    if os.environ.get("CHROMIUM"):
        print(f"CHROMIUM names {os.environ['CHROMIUM']}, which is not a file.", file=sys.stderr)
        return 1
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        _install_on_debian()
        return 0 if chromium_path() else 1
    print(
        "The browser tests need Chromium or Chrome. Install one (Debian: sudo apt-get install chromium; Fedora: sudo dnf "
        "install chromium; macOS: brew install --cask chromium), or name it: CHROMIUM=/path/to/browser make test",
        file=sys.stderr,
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())
