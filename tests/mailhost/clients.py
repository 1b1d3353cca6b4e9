"""Mail from the command line: swaks, which says every word of the protocol, and s-nail, which a person would use."""

import subprocess
from pathlib import Path
from typing import NamedTuple

from tests.mailhost.loopback import HOST, program
from tests.support.waiting import LIMIT_S


class Sent(NamedTuple):
    """How a client ended, and what it said."""

    code: int
    said: str

    def status(self, word: str) -> list[str]:
        """The server's status after each line of the client's that begins with a word, say `RCPT`; "." is the end
        of the data."""
        found, asked = [], False
        for line in self.said.splitlines():
            if line.startswith(" -> "):
                asked = line[4:].upper().startswith(word.upper())
            elif asked and line.startswith(("<- ", "<** ")):
                found.append(line.split()[1][:3])
        return found


def swaks(
    to: str,
    sender: str,
    body: str,
    *,
    port: int = 0,
    socket: Path | None = None,
    protocol: str = "SMTP",
    subject: str = "orders",
    headers: tuple[str, ...] = (),
    attach: Path | None = None,
) -> Sent:
    """Send one mail by swaks to a port or a socket, in SMTP or LMTP."""
    where = ["--socket", str(socket)] if socket else ["--server", HOST, "--port", str(port)]
    command = [
        program("swaks"),
        *where,
        "--protocol",
        protocol,
        "--from",
        sender,
        "--to",
        to,
        "--timeout",
        f"{LIMIT_S:.0f}",
    ]
    command += ["--helo", "client.test", "--h-Subject", subject, "--body", body]
    for header in headers:
        command += ["--add-header", header]
    if attach is not None:
        command += ["--attach", f"@{attach}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, check=False, errors="replace")
    return Sent(done.returncode, done.stdout + done.stderr)


def s_nail(to: str, sender: str, body: str, port: int, subject: str = "orders") -> Sent:
    """Send one mail by s-nail over SMTP. It would switch STARTTLS on at `smtp-use-starttls=no`, so that is left out."""
    command = [program("s-nail"), "-:/", "-S", "v15-compat", "-S", f"mta=smtp://{HOST}:{port}"]
    for setting in ("smtp-auth=none", f"from={sender}", "hostname=client.test", "nosave", "sendwait"):
        command += ["-S", setting]
    command += ["-s", subject, to]
    done = subprocess.run(command, input=body, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    return Sent(done.returncode, done.stdout + done.stderr)
