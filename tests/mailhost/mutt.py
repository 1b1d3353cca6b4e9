"""A person at mutt: reads mail by IMAP, writes by SMTP, and types nothing but what a person would.

mutt runs on a terminal of `script`; its keys are pushed, its editor is a script that puts the orders on top of the
quoted letter. So In-Reply-To, References, attribution and quoting are mutt's own.
"""

import os
import re
import shlex
import subprocess
from pathlib import Path
from typing import NamedTuple

from tests.mailhost.dovecot import PASSWORD, Dovecot
from tests.mailhost.loopback import HOST, program
from tests.support.waiting import LIMIT_S, TooLate, until

RC = """\
set imap_user="{user}" imap_pass="{password}" imap_authenticators="login"
set folder="imap://{host}:{imap}/" spoolfile="imap://{host}:{imap}/INBOX"
set smtp_url="smtp://{host}:{smtp}/"
set ssl_starttls=no ssl_force_tls=no
set from="{address}" realname="{name}" use_from=yes use_envelope_from=yes envelope_from_address="{address}"
set hostname="{domain}" charset="utf-8" send_charset="us-ascii:utf-8"
set editor="{editor}" visual="{editor}" tmpdir="{folder}"
set include=yes fast_reply=yes reply_to=yes edit_headers=no abort_nosubject=no abort_unmodified=no
set copy=no postpone=no recall=no delete=no move=no quit=yes confirmappend=no
set sleep_time=0 wait_key=no beep=no mail_check=600 timeout=600 imap_keepalive=300 connect_timeout=120
set print=yes print_decode=yes print_split=no print_command="cat > {shown}"
set sort=mailbox-order crypt_use_gpgme=no read_inc=0 write_inc=0 net_inc=0 ts_enabled=no
alternative_order text/plain text/html
ignore *
unignore date from to cc reply-to subject message-id
hdr_order date: from: to: cc: reply-to: subject: message-id:
"""
EDITOR = """\
#!/bin/sh
{{ cat {orders}; echo; cat "$1"; }} > "$1.new" && cat "$1.new" > "$1" && rm "$1.new"
touch -d "1 hour ago" "$1"
"""
"""Puts the orders above the text. A text that is a second ahead of mutt's clock counts as changed behind its back, and
mutt asks; one with the time that it had counts as no reply. So it gets a time of its own."""

TERMINAL = {"TERM": "xterm", "LANG": "C.UTF-8", "LINES": "50", "COLUMNS": "100", "TZ": "UTC"}


class Shown(NamedTuple):
    """A mail as mutt shows it."""

    message_id: str
    text: str

    def header(self, name: str) -> str:
        """A header that mutt shows, "" if there is none."""
        found = re.search(rf"^{name}: (.*(?:\n[ \t].*)*)", self.text.partition("\n\n")[0], re.M | re.I)
        return " ".join(found[1].split()) if found else ""

    @property
    def body(self) -> str:
        """Everything below the headers."""
        return self.text.partition("\n\n")[2]


class MuttUser:
    """Somebody with a mailbox and mutt. `folder` is his home."""

    def __init__(self, folder: Path, address: str, name: str, dovecot: Dovecot, smtp_port: int) -> None:
        self.address = address
        self.name = name
        self.folder = folder
        self._dovecot = dovecot
        self._opened: set[str] = set()
        self.last: Shown | None = None
        folder.mkdir(parents=True, exist_ok=True)
        self._orders, self._shown = folder / "orders", folder / "shown"
        editor, (self.user, _, domain) = folder / "editor.sh", address.partition("@")
        editor.write_text(EDITOR.format(orders=shlex.quote(str(self._orders))))
        editor.chmod(0o700)
        self._rc = folder / "muttrc"
        ports = {"host": HOST, "imap": dovecot.imap_port, "smtp": smtp_port, "password": PASSWORD}
        who = {"user": self.user, "domain": domain, "address": address, "name": name}
        self._rc.write_text(RC.format(editor=editor, folder=folder, shown=self._shown, **ports, **who))

    def waiting(self) -> list[str]:
        """The Message-IDs of the mails not yet opened, oldest first; the second copy of a mail counts as opened."""
        return [each for each in dict.fromkeys(self._dovecot.unread(self.user)) if each not in self._opened]

    def read(self) -> Shown:
        """Wait until there is a mail not yet opened, and open the newest.

        Raises: TooLate if there is none
        """
        return self.open(until(f"mail for {self.name}", self.waiting)[-1])

    def open(self, message_id: str) -> Shown:
        """Open a certain mail; what is shown is what mutt would print."""
        self._shown.unlink(missing_ok=True)
        self._type(f"{_find(message_id)}<display-message><print-message><exit><quit>")
        assert self._shown.exists(), self.screen()
        self._opened.add(message_id)
        self.last = Shown(message_id, self._shown.read_text(encoding="utf-8", errors="replace"))
        return self.last

    def reply(self, orders: str, to: Shown | None = None) -> None:
        """Answer a mail, else the newest one not yet opened: `orders` above the quoted text."""
        self._orders.write_text(orders + "\n")
        self._type(f"{_find(to.message_id if to else self.waiting()[-1])}<reply><send-message><quit>")

    def write(self, to: str, subject: str, text: str) -> None:
        """Write a new mail."""
        command = [program("mutt"), "-n", "-F", str(self._rc), "-s", subject, "--", to]
        done = subprocess.run(
            command, input=text, capture_output=True, text=True, timeout=LIMIT_S, check=False, env=self._environment()
        )
        assert done.returncode == 0, done.stdout + done.stderr

    def _environment(self) -> dict[str, str]:
        return {"PATH": os.environ["PATH"], "HOME": str(self.folder), **TERMINAL}

    def _type(self, keys: str) -> None:
        """Run mutt, type keys, and wait for its end."""
        mutt = shlex.join([program("mutt"), "-n", "-F", str(self._rc), "-e", f'push "{keys}"'])
        screen = self.folder / "screen"
        with screen.open("wb") as out:
            process = subprocess.Popen(
                [program("script"), "-qec", mutt, "/dev/null"],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                env=self._environment(),
                cwd=self.folder,
                start_new_session=True,
            )
            try:
                code = process.wait(LIMIT_S)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)
                process.wait()
                raise TooLate(f"mutt does not end; it shows: {self.screen()}") from None
        assert code == 0, self.screen()

    def screen(self) -> str:
        """What mutt wrote on the terminal last, without the control sequences."""
        text = (self.folder / "screen").read_text(errors="replace")
        return " ".join(re.sub(r"\x1b[\[(][0-9;?]*[A-Za-z]", " ", text).split())[-2000:]


def _find(message_id: str) -> str:
    """Keys that go to a mail."""
    return f"<limit>~i {re.sub(r'[^A-Za-z0-9@._-]', '.', message_id.strip('<>'))}<enter><first-entry>"
