"""`phalera mail check` beside a running server, behind a real Postfix."""

import json
from pathlib import Path

import pytest

from tests.mailhost.loopback import HOST, common_folder, free_ports
from tests.mailhost.phalera import Phalera
from tests.mailhost.postfix import postfix
from tests.server.mail.incoming.test_hosting import DOMAIN, documented

pytestmark = pytest.mark.usefixtures("everything")

NAME = "mx.example.org"
MAILBOX = f"play@{DOMAIN}"


def stripping(folder: Path) -> str:
    """The lines of the page that take forged stamps away, its table in a folder."""
    table = folder / "stamps"
    table.write_text("\n".join(documented("stamps")) + "\n")
    return "\n".join(documented("stamps.cf")).replace("/etc/postfix/stamps", str(table))


class Beside:
    """A server behind a Postfix, and the command beside it."""

    def __init__(self, folder, lmtp, mta, *words):
        self.mail = ("--mail-address", MAILBOX, "--smtp-out", f"smtp://{HOST}:{mta.port}")
        self.outside = f"{HOST}:{mta.port}"
        self.phalera = Phalera(folder, (*self.mail, "--listen-lmtp", f"{HOST}:{lmtp}", "--mail-trust", NAME))

    def signing(self):
        """The options with which letters are signed, and the key."""
        file = self.phalera.data / "dkim.pem"
        done = self.phalera.command("mail", "key", "--mail-address", MAILBOX)
        assert done.returncode == 0, done.stderr
        return "--dkim-selector", "phalera", "--dkim-key", str(file)

    def check(self, *words):
        """Exit code and findings."""
        done = self.phalera.command("mail", "check", *self.mail, "--json", *words)
        return done.returncode, {one["what"]: one for one in json.loads(done.stdout)}

    def warnings(self):
        """What the log of a new start says of trust."""
        before = len(self.phalera.log.read_text()) if self.phalera.log.exists() else 0
        self.phalera.start()
        return [line for line in self.phalera.log.read_text()[before:].splitlines() if "--mail-trust" in line]


def test_a_probe_goes_round_and_a_name_is_trusted_only_with_a_proof():
    (lmtp,) = free_ports(1)
    with common_folder("check") as folder:
        with postfix(folder / "open", {DOMAIN: f"lmtp:[{HOST}]:{lmtp}"}) as mta:
            host = Beside(folder / "phalera", lmtp, mta)
            assert len(host.warnings()) == 1
            try:
                _, found = host.check(*host.signing())
                assert [found[what]["state"] for what in ("sent", "loop", "plus", "signature", "clock")] == ["ok"] * 5
                code, found = host.check("--trust", NAME, "--outside", host.outside)
                assert (code, found["trust"]["state"]) == (1, "fault")
                assert "8 of 8" in found["trust"]["said"]
            finally:
                host.phalera.stop()
            assert len(host.warnings()) == 1
            host.phalera.stop()
        with postfix(folder / "strips", {DOMAIN: f"lmtp:[{HOST}]:{lmtp}"}, stripping(folder)) as mta:
            host = Beside(folder / "phalera", lmtp, mta)
            host.phalera.start()
            try:
                code, found = host.check("--trust", NAME, "--outside", host.outside)
                assert (code, found["trust"]["state"]) == (0, "ok"), found
            finally:
                host.phalera.stop()
            assert host.warnings() == []
            host.phalera.stop()
