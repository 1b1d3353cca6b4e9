"""Programs, free ports and listening servers on this machine."""

import os
import shutil
import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support import memory

HOST = "127.0.0.1"
KEEP = "PHALERA_KEEP_MAIL"
SBIN = "/usr/sbin:/usr/local/sbin:/usr/lib/dovecot"
PACKAGES = {
    "postfix": "postfix",
    "dovecot": "dovecot-imapd dovecot-lmtpd",
    "mutt": "mutt",
    "script": "bsdutils",
    "swaks": "swaks",
    "s-nail": "s-nail",
}
"""Program and the Debian packages that have it."""


class Absent(Exception):
    """A program that is needed is not here, or cannot run here; the text says what to do."""


def program(name: str) -> str:
    """The path of a program, also in the folders of daemons.

    Raises: Absent with the packages to install
    """
    found = shutil.which(name) or shutil.which(name, path=SBIN)
    if found is None:
        packages = PACKAGES.get(name, name)
        raise Absent(f"{name} is not installed (Debian: apt-get install --no-install-recommends {packages})")
    return found


def require(*names: str) -> None:
    """Refuse to go on without these programs; the daemons change user, so they need root.

    Raises: Absent with all that is missing
    """
    reasons = []
    for name in names:
        try:
            program(name)
        except Absent as absent:
            reasons.append(str(absent))
    if "dovecot" in names and not reasons and shutil.which("lmtp", path="/usr/lib/dovecot") is None:
        reasons.append("Dovecot has no LMTP (Debian: apt-get install --no-install-recommends dovecot-lmtpd)")
    if {"postfix", "dovecot"} & {*names} and os.geteuid() != 0:
        reasons.append("Postfix and Dovecot must be started by root")
    if reasons:
        raise Absent("; ".join(reasons))


def free_ports(count: int) -> list[int]:
    """Ports of the loopback interface that nobody listens at, all different."""
    sockets = [socket.create_server((HOST, 0)) for _ in range(count)]
    ports = [int(each.getsockname()[1]) for each in sockets]
    for each in sockets:
        each.close()
    return ports


def listens(port: int) -> bool:
    """Does somebody listen at a port?"""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex((HOST, port)) == 0


@contextmanager
def common_folder(name: str) -> Iterator[Path]:
    """A new folder that daemons of other users can enter (pytest's own are closed to them), removed afterwards; kept if
    PHALERA_KEEP_MAIL is set."""
    folder = Path(tempfile.mkdtemp(prefix=f"phalera-{name}-", dir=os.environ.get(memory.ROOT)))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        for _ in range(20):  # a daemon that is just ending may write once more into it
            if not folder.exists() or os.environ.get(KEEP):
                break
            shutil.rmtree(folder, ignore_errors=True)
            time.sleep(0.05)


def tail(file: Path, lines: int = 30) -> str:
    """The end of a log file, for a message."""
    if not file.exists():
        return f"{file.name}: not written"
    return "\n".join(file.read_text(errors="replace").splitlines()[-lines:])
