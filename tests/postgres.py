"""A PostgreSQL server of the tests' own, where the machine has its programs: started at first use, ended with the tests."""

from __future__ import annotations

import atexit
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import uuid
from functools import lru_cache
from pathlib import Path

import pytest

from audit_core.storage.database import connect, open_database


def _programs() -> Path | None:
    on_path = shutil.which("initdb")
    found = [Path(on_path).parent] if on_path else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return found[-1] if found and (found[-1] / "initdb").exists() else None


def _user() -> str | None:
    """Return the user to run the server as: root may not; None where there is nobody else."""
    try:
        return pwd.getpwuid(os.geteuid()).pw_name if os.geteuid() else pwd.getpwnam("postgres").pw_name
    except KeyError:
        return None


def _run(*command: object) -> None:
    user = _user()
    before = ["runuser", "-u", str(user), "--"] if os.geteuid() == 0 else []
    subprocess.run(
        [*before, *map(str, command)],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=60,
        cwd="/",
    )


@lru_cache(maxsize=1)
def _server() -> str | None:
    """Return the address of the server without a database, started; None where it cannot be."""
    programs, user = _programs(), _user()
    if programs is None or user is None or (os.geteuid() == 0 and not shutil.which("runuser")):
        return None
    folder = Path(tempfile.mkdtemp(prefix="assay-pg-"))
    shutil.chown(folder, user)
    data = folder / "data"
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    _run(programs / "initdb", "-D", data, "-U", "assay", "-A", "trust", "-E", "UTF8", "--locale=C", "-N")
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=60 -k {folder}"
    _run(programs / "pg_ctl", "-D", data, "-l", folder / "log", "-o", options, "-w", "start")
    # pg_ctl ends the process whose id stands in this very data folder.
    atexit.register(_run, programs / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
    return f"postgresql://assay@127.0.0.1:{port}"


@lru_cache(maxsize=1)
def _template(server: str) -> str:
    """Return the name of a database with the newest schema, to copy from."""
    url = _new_database(server, "template1")
    open_database(url).close()
    return url.rpartition("/")[2]


def fresh_postgresql(request: pytest.FixtureRequest, *, migrated: bool = False) -> str:
    """Return the URL of a new PostgreSQL database, empty or with the newest schema.

    Skips the test where no server can be started.
    """
    server = _server()
    if server is None:
        pytest.skip(f"{request.node.name} needs PostgreSQL's server programs (initdb, pg_ctl)")
    return _new_database(server, _template(server) if migrated else "template1")


def _new_database(server: str, template: str) -> str:
    name = f"test_{uuid.uuid4().hex}"
    root = connect(f"{server}/postgres")
    try:
        with root.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql(f"CREATE DATABASE {name} TEMPLATE {template}")
    finally:
        root.close()
    return f"{server}/{name}"
