"""What strangers and players may take of the server: every figure that an operator may change, in one place.

`server.settings_file` reads them from a file; `docs/operating/settings.toml` lists them.
"""

from collections.abc import Mapping

from msgspec import Struct, field

from server.store.tables import holdings


class Rate(Struct, frozen=True, forbid_unknown_fields=True):
    """How often something may be done, in the notation of `limits` ("20 per hour; 60 per day"); "" without limit.

    `always` is what one account, or the address of a stranger, may do even while everybody together has reached
    `server`, and an account also while those behind its address have reached `address`: nobody is refused for what
    strangers do.
    """

    address: str = ""
    account: str = ""
    server: str = ""
    always: str = ""


USUAL: Mapping[str, Rate] = {
    "guest": Rate(address="200 per hour; 600 per day"),
    "puzzle": Rate(address="10 per hour", server="60 per 10 minutes"),
    "battle": Rate(address="60 per hour", account="30 per hour", server="1200 per hour", always="3 per hour"),
    "bot": Rate(address="60 per hour", account="30 per hour", server="1200 per hour", always="3 per hour"),
    "program": Rate(account="120 per minute"),
    "seat": Rate(address="120 per hour", account="60 per hour", always="10 per hour"),
    "orders": Rate(address="600 per minute", account="240 per minute", always="60 per minute"),
    "refused": Rate(address="20000 per hour", account="5000 per hour", server="50000 per hour", always="500 per hour"),
    "preview": Rate(address="120 per minute", account="60 per minute", always="20 per minute"),
    "ends": Rate(address="1200 per minute", account="400 per minute", always="60 per minute"),
    "draft": Rate(address="240 per minute", account="120 per minute", always="60 per minute"),
    "picture": Rate(address="300 per minute"),
    "army": Rate(address="120 per minute"),
    "deed": Rate(address="240 per minute", account="60 per minute", always="20 per minute"),
    "words": Rate(address="120 per hour", account="60 per hour", always="20 per hour"),
    "letter": Rate(address="6 per day", account="3 per day", server="60 per hour; 300 per day"),
    "complaint": Rate(address="60 per day", account="20 per day"),
    "claim": Rate(address="6 per day", account="3 per day"),
    "link": Rate(address="10 per hour", server="120 per hour; 600 per day", always="2 per day"),
    "login": Rate(address="60 per 10 minutes"),
    "set-up": Rate(address="20 per hour", account="10 per hour"),
    "miss": Rate(address="100 per 10 minutes", account="100 per 10 minutes", always="20 per 10 minutes"),
}
"""The rates, by what is done (docs/http.md). `puzzle` refuses nobody: a new guest beyond it solves a puzzle, or waits
(`server.web.puzzles`); `program` is whatever a bot account does, of any kind; `link` is a letter by which somebody logs
in, `letter` one to an address that has not answered yet, `claim` an address that a guest calls theirs, which is sent
nothing; `set-up` a code that makes the first administrator; `miss` the name of a battle, or a token, that there is not;
`refused` a line of a script that the rules refuse, whose answer the store keeps."""
NO_RATES: Mapping[str, Rate] = dict.fromkeys(USUAL, Rate())
"""Everything as often as anybody likes."""


class Reads(Struct, frozen=True):
    """Answers that only show something: how many a second one address may have for long, and how many at once. One
    that is shared with other readers, and has been made, counts a twentieth."""

    per_s: float = 10.0
    at_once: int = 600


class Quota(Struct, frozen=True):
    """How much of a kind an account may hold at once: with an address, as a guest, and as a bot."""

    account: int = 0
    guest: int = 0
    program: int = 0


class Invitations(Struct, frozen=True):
    """Invitations a day, by mail, pages and API together: of one player, to one mailbox, of the whole server."""

    player: int = 5
    mailbox: int = 2
    server: int = 100


class Limits(Struct, frozen=True, kw_only=True):
    """What strangers may take of the server. 0: without limit.

    Units: `idle_s` how long a connection may stand without the head of a request, `body_s` how long a body may take
    """

    connections: int = 4000
    connections_per_address: int = 3000  # of the peer; a trusted proxy has no limit of its own
    idle_s: float = 30.0
    body_s: float = 20.0
    reads: Reads = Reads()
    guests: int = 50_000  # accounts without an address
    battles: Quota = Quota(50, 10, 10)  # open at once
    seats: Quota = Quota(100, 10, 25)
    bots: Quota = Quota(25, 5, 5)
    bot_accounts: int = 3  # of one player
    webhooks: int = 5  # of one owner
    invitations: Invitations = Invitations()
    rates: Mapping[str, Rate] = field(default_factory=lambda: USUAL)  # how often something may be done

    def quota(self, kind: str, is_guest: bool, is_program: bool = False) -> int:
        """How much of a kind (`server.store.tables.holdings`) an account may hold at once."""
        quota = {holdings.OPENED: self.battles, holdings.SEAT: self.seats, holdings.BOT: self.bots}[kind]
        if is_program:
            return quota.program
        return quota.guest if is_guest else quota.account


UNLIMITED = Limits(
    connections=0,
    connections_per_address=0,
    idle_s=3600.0,
    body_s=3600.0,
    rates=NO_RATES,
    reads=Reads(0.0, 0),
    guests=0,
    battles=Quota(),
    seats=Quota(),
    bots=Quota(),
    bot_accounts=0,
    webhooks=0,
    invitations=Invitations(0, 0, 0),
)
"""For benchmarks, and networks where everybody is known."""
