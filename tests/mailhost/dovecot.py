"""A Dovecot of our own: IMAP for reading, LMTP for delivery, a Maildir for any name; every password is `secret`.

`anna+anything@…` is delivered to anna. The configuration is that of Dovecot 2.3 (Debian 12); 2.4 has another language.
"""

import os
import pwd
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from imap_tools import AND, H, MailBoxUnencrypted
from imap_tools.mailbox import BaseMailBox

from tests.mailhost.loopback import HOST, Absent, free_ports, listens, program, tail
from tests.support.waiting import LIMIT_S, until

PASSWORD = "secret"
OWNER = "nobody"
"""The user to whom all mailboxes belong; the test needs none of its own."""

CONFIGURATION = """\
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/dovecot.log
protocols = imap lmtp
listen = {host}
ssl = no
disable_plaintext_auth = no
auth_username_format = %Ln
recipient_delimiter = +
mail_location = maildir:{folder}/mail/%n
first_valid_uid = 1
first_valid_gid = 1
mail_fsync = never
default_vsz_limit = 512M
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={folder}/mail/%n allow_all_users=yes
}}
namespace inbox {{
  inbox = yes
}}
service imap-login {{
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    port = {lmtp}
  }}
}}
"""


class Dovecot:
    """A running instance: delivery at `lmtp_port`, mailboxes at `imap_port`."""

    def __init__(self, folder: Path, imap_port: int, lmtp_port: int) -> None:
        self.imap_port = imap_port
        self.lmtp_port = lmtp_port
        self.log = folder / "dovecot.log"

    @contextmanager
    def mailbox(self, user: str, folder: str = "INBOX") -> Iterator[BaseMailBox]:
        """The mailbox of a user, logged in."""
        with MailBoxUnencrypted(HOST, self.imap_port, timeout=LIMIT_S).login(user, PASSWORD, folder) as box:
            yield box

    def raw(self, user: str, folder: str = "INBOX") -> list[bytes]:
        """All mails of a folder as they arrived, oldest first; none is marked as read by it."""
        with self.mailbox(user, folder) as box:
            return [bytes(mail.obj) for mail in box.fetch(mark_seen=False, bulk=True)]

    def unread(self, user: str) -> list[str]:
        """The Message-IDs of the mails in the inbox not yet read, oldest first."""
        with self.mailbox(user) as box:
            mails = box.fetch("UNSEEN", mark_seen=False, headers_only=True, bulk=True)
            return [mail.headers.get("message-id", ("",))[0].strip().strip("<>") for mail in mails]

    def take(self, user: str, message_id: str) -> bytes:
        """A mail of the inbox, which counts as read from now on."""
        with self.mailbox(user) as box:
            mails = list(box.fetch(AND(header=H("Message-ID", message_id)), mark_seen=True))
        assert mails, f"{user} has no mail {message_id}"
        return bytes(mails[0].obj)


@contextmanager
def dovecot(folder: Path) -> Iterator[Dovecot]:
    """A Dovecot in a new folder.

    Raises: Absent where it cannot run
    """
    command = program("dovecot")
    if os.geteuid() != 0:
        raise Absent("Dovecot must be started by root")
    version = subprocess.run([command, "--version"], capture_output=True, text=True, check=True).stdout
    if not version.startswith("2.3."):
        raise Absent(f"Dovecot 2.3 is needed, this is {version.split()[0]}: its configuration is written otherwise")
    owner = pwd.getpwnam(OWNER)
    for name in ("run", "state", "mail"):
        (folder / name).mkdir(parents=True)
        (folder / name).chmod(0o755)
    os.chown(folder / "mail", owner.pw_uid, owner.pw_gid)
    imap, lmtp = free_ports(2)
    conf = folder / "dovecot.conf"
    names = {"uid": owner.pw_uid, "gid": owner.pw_gid, "password": PASSWORD, "host": HOST}
    conf.write_text(CONFIGURATION.format(folder=folder, imap=imap, lmtp=lmtp, **names))
    instance = Dovecot(folder, imap, lmtp)
    said = folder / "start.log"
    with said.open("wb") as out, subprocess.Popen([command, "-F", "-c", str(conf)], stdout=out, stderr=out) as process:
        try:
            until(
                "Dovecot listens",
                lambda: process.poll() is not None or (listens(imap) and listens(lmtp)),
                known=lambda: f"{tail(said)}\n{tail(instance.log)}",
            )
            if process.poll() is not None:
                raise Absent(f"Dovecot does not start here: {tail(said)}\n{tail(instance.log)}")
            yield instance
        finally:
            process.terminate()
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
