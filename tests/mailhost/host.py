"""A whole mail host on loopback: Postfix, Dovecot, Phalera between them, and people with mailboxes.

    mutt → Postfix → LMTP → Phalera → SMTP → Postfix → LMTP → Dovecot → IMAP → mutt

With `intake="imap"` Postfix delivers Phalera's mail to Dovecot's mailbox `play`, and Phalera fetches it there.
A postman with bad habits may stand on the way in and on the way out.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.mailhost.dovecot import PASSWORD, Dovecot, dovecot
from tests.mailhost.loopback import HOST, common_folder, free_ports, require
from tests.mailhost.mutt import MuttUser
from tests.mailhost.person import Person
from tests.mailhost.phalera import Phalera
from tests.mailhost.postfix import Postfix, postfix
from tests.mailhost.postman_between import Habits, PostmanBetween, postman_between

GAME, PEOPLE = "pbem.test", "players.test"
MAILBOX = f"play@{GAME}"
PHRASE = "sixteen bytes of my own"
NO_PLUS = "recipient_canonical_maps = regexp:{file}"
"""A mail system that takes `+…` off addresses, in the envelope and in To."""
RELIABLE = Habits()


class MailHost:
    """What runs. `way_in` and `way_out` are the postmen, if there are any."""

    def __init__(
        self,
        folder: Path,
        dovecot: Dovecot,
        postfix: Postfix,
        phalera: Phalera,
        lmtp_port: int,
        postmen: tuple[PostmanBetween | None, PostmanBetween | None],
    ) -> None:
        self.folder = folder
        self.dovecot = dovecot
        self.postfix = postfix
        self.phalera = phalera
        self.lmtp_port = lmtp_port
        self.way_in, self.way_out = postmen
        self.tokens: dict[str, str] = {}

    def person(self, name: str) -> Person:
        """Somebody with an account of Phalera's and a quick mail program."""
        return Person(self._enrolled(name), name, self.dovecot, self.postfix.port)

    def at_mutt(self, name: str) -> MuttUser:
        """Somebody with an account of Phalera's, at mutt."""
        return MuttUser(self.folder / name.lower(), self._enrolled(name), name, self.dovecot, self.postfix.port)

    def stranger_at_mutt(self, name: str) -> MuttUser:
        """Somebody with a mailbox, of whom Phalera has never heard."""
        return MuttUser(self.folder / name.lower(), f"{name.lower()}@{PEOPLE}", name, self.dovecot, self.postfix.port)

    def _enrolled(self, name: str) -> str:
        address = f"{name.lower()}@{PEOPLE}"
        self.tokens[name] = self.phalera.add_player(name, address)
        return address

    def battle(self, south: str, north: str, scenario: str = "skirmish", **options: object) -> str:
        """A battle between two people: both have taken their side, south has the first letter."""
        battle = self.phalera.open(self.tokens[south], scenario, **options)
        for side, name in (("south", south), ("north", north)):
            self.phalera.sit(battle, side, self.tokens[name], f"{PHRASE} {name}")
        return battle


@contextmanager
def mail_host(
    intake: str = "lmtp",
    has_plus: bool = True,
    way_in: Habits = RELIABLE,
    way_out: Habits = RELIABLE,
    seed: int = 1,
    options: tuple[str, ...] = (),
) -> Iterator[MailHost]:
    """A running mail host.

    Raises: Absent if a program is missing
    """
    require("postfix", "dovecot")
    with ExitStack() as running:
        folder = running.enter_context(common_folder("mail"))
        boxes = running.enter_context(dovecot(folder / "dovecot"))
        (lmtp_port,) = free_ports(1)
        entrance, postman_in, postman_out = lmtp_port, None, None
        if intake == "imap":
            entrance = boxes.lmtp_port
        elif way_in != RELIABLE:
            postman_in = running.enter_context(postman_between(lmtp_port, seed, way_in))
            entrance = postman_in.port
        routes = {GAME: f"lmtp:[{HOST}]:{entrance}", PEOPLE: f"lmtp:[{HOST}]:{boxes.lmtp_port}"}
        more = "" if has_plus else NO_PLUS.format(file=_without_plus(folder / "canonical"))
        mta = running.enter_context(postfix(folder / "postfix", routes, more))
        exit_ = mta.port
        if way_out != RELIABLE:
            postman_out = running.enter_context(postman_between(mta.port, seed + 1, way_out, lmtp=False))
            exit_ = postman_out.port
        wires, environment = _wires(intake, lmtp_port, exit_, boxes.imap_port)
        phalera = Phalera(folder / "phalera", (*wires, *options), environment)
        phalera.start()
        running.callback(phalera.stop)
        yield MailHost(folder, boxes, mta, phalera, lmtp_port, (postman_in, postman_out))


def _wires(intake: str, lmtp_port: int, smtp_port: int, imap_port: int) -> tuple[tuple[str, ...], dict[str, str]]:
    """The options of `phalera serve` for its mail, and the environment with what is secret."""
    wires = ["--host", GAME, "--mail-address", MAILBOX, "--smtp-out", f"smtp://{HOST}:{smtp_port}"]
    if intake == "imap":
        wires += ["--imap", f"imap://play@{HOST}:{imap_port}/INBOX"]
        return tuple(wires), {"PHALERA_IMAP_PASSWORD": PASSWORD}
    return (*wires, "--listen-lmtp", f"{HOST}:{lmtp_port}"), {}


def _without_plus(file: Path) -> Path:
    local, host = MAILBOX.split("@")
    file.write_text(rf"/^{local}\+.*@{host}$/ {MAILBOX}" + "\n")
    return file
