"""A Postfix of our own: private queue, random port, no DNS, no chroot, a route for each domain.

Debian's own instance is neither needed nor touched: `postfix -c` names our folder, and the log goes into a file of it
(there need be no syslog). Mail that cannot be delivered is tried again each second.
"""

import grp
import os
import pwd
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.mailhost.loopback import HOST, Absent, free_ports, listens, program, tail
from tests.support.waiting import LIMIT_S, until

MAIN = """\
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
maillog_file = {folder}/postfix.log
maillog_file_prefixes = {folder}
inet_interfaces = {host}
inet_protocols = ipv4
myhostname = mx.mail.test
mydomain = mail.test
myorigin = mail.test
mydestination =
mynetworks = {host}/32
local_recipient_maps =
alias_maps =
alias_database =
recipient_delimiter =
relay_domains = {domains}
relay_recipient_maps =
transport_maps = inline:{{ {routes} }}
default_transport = error:no route to this domain
smtpd_relay_restrictions = permit_mynetworks, reject
smtpd_peername_lookup = no
smtpd_tls_security_level = none
smtp_tls_security_level = none
lmtp_tls_security_level = none
smtp_dns_support_level = disabled
lmtp_dns_support_level = disabled
smtp_host_lookup = native
lmtp_destination_recipient_limit = 1
lmtp_destination_concurrency_failed_cohort_limit = 100
queue_run_delay = 1s
minimal_backoff_time = 1s
maximal_backoff_time = 2s
transport_retry_time = 1s
lmtp_connection_cache_on_demand = no
message_size_limit = 20000000
in_flow_delay = 0
notify_classes =
{more}
"""

MASTER = """\
{port} inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
lmtp unix - - n - - lmtp
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
showq unix n - n - - showq
postlog unix-dgram n - n - 1 postlogd
"""

QUEUES = ["active", "bounce", "corrupt", "defer", "deferred", "flush", "hold", "incoming", "private", "saved", "trace"]


class Postfix:
    """A running instance: mail for its domains is taken at `port` by SMTP."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        self.port = port
        self.log = folder / "postfix.log"
        self._etc = folder / "etc"

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """`postfix -c … WORDS`."""
        command = [program("postfix"), "-c", str(self._etc), *words]
        return subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, check=False)

    def waiting(self) -> int:
        """How many mails are in the queue."""
        command = [program("postqueue"), "-c", str(self._etc), "-j"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, check=True)
        return len(done.stdout.splitlines())

    def flush(self) -> None:
        """Try everything that waits at once."""
        self.run("flush")

    def start(self) -> None:
        """Start it and wait until it listens."""
        done = self.run("start")
        if done.returncode:
            raise Absent(f"Postfix does not start here: {done.stderr.strip()} {tail(self.log)}")
        until("Postfix listens", lambda: listens(self.port), known=lambda: tail(self.log))

    def stop(self) -> None:
        """End it at once; `postfix stop` would wait for each daemon."""
        with suppress(subprocess.TimeoutExpired):
            self.run("abort")


@contextmanager
def postfix(folder: Path, routes: Mapping[str, str], more: str = "") -> Iterator[Postfix]:
    """A Postfix in a new folder. `routes`: domain → transport, say `lmtp:[127.0.0.1]:2424`; `more`: lines of main.cf.

    Raises: Absent where it cannot run
    """
    program("postfix")
    if os.geteuid() != 0:
        raise Absent("Postfix must be started by root")
    _make_folders(folder)
    (port,) = free_ports(1)
    live = " ".join(f"{{ {domain} = {transport} }}" for domain, transport in routes.items())
    main = MAIN.format(folder=folder, host=HOST, domains=" ".join(routes), routes=live, more=more)
    (folder / "etc" / "main.cf").write_text(main)
    old = time.time() - 60  # a file that has just changed Postfix would read again and again, for two seconds
    os.utime(folder / "etc" / "main.cf", (old, old))
    (folder / "etc" / "master.cf").write_text(MASTER.format(port=f"{HOST}:{port}"))
    instance = Postfix(folder, port)
    try:
        instance.start()
        yield instance
    finally:
        instance.stop()
        until("Postfix is gone", lambda: not listens(port), known=lambda: tail(instance.log))


def _make_folders(folder: Path) -> None:
    """What `postfix start` would make and look through each time; with `quick-start` it starts at once."""
    try:
        owner, group = pwd.getpwnam("postfix").pw_uid, grp.getgrnam("postdrop").gr_gid
    except KeyError:
        raise Absent("Postfix is only half installed: there is no user postfix, or no group postdrop") from None
    queue = folder / "queue"
    for made in (folder, folder / "etc", queue, queue / "pid"):
        made.mkdir(parents=True, exist_ok=True)
        made.chmod(0o755)
    for made in (folder / "data", *(queue / name for name in QUEUES)):
        made.mkdir(mode=0o700)
        os.chown(made, owner, -1)
    for name, mode in (("public", 0o710), ("maildrop", 0o1730)):
        (queue / name).mkdir()
        os.chown(queue / name, owner, group)
        (queue / name).chmod(mode)
    (queue / "quick-start").touch()
