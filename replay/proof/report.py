"""What a verdict on a battle file consists of (`replay.proof.verify`)."""

from msgspec import Struct

from domain.engine.events import Branch
from replay.proof.authority import Act
from replay.proof.histories import Fork
from replay.proof.protocol import SeatReport


class Fault(Struct, frozen=True):
    """A fault: its event (0 for the header, or the file as a whole), its stable code, and a sentence."""

    n: int
    what: str
    sentence: str


class Proven(Struct, frozen=True):
    """An earlier head of this very log, and where it was found."""

    n: int
    source: str


class Report(Struct, frozen=True, kw_only=True):
    """The findings.

    `ended` says that the battle is over, `signed` that a signature of the host closes the file, `trusted` that the
    reader supplied the key. Of the `draws`, `checked` recompute, `bound` are of the turn in progress, `secret` are one
    side's; `unknown_cards` are of a game whose decks nobody here knows. `continued_from` is the first index whose keys
    the first event does not bind, 0 if there is none. `unopened` are the events still sealed, `not_judged` those that
    the rules could not be asked about, `excused` pairs of an event and the sealed one that excuses it. `corrected`
    counts the facts that an umpire has set, which the rules take as given. `judged` counts the inputs judged by the
    rules. `other_rules` are the versions that judged and are not ours, `install` a sentence for each. `two_histories`
    is where another file differs. `branch` is where a branch begins, None for other battles; `is_of_source` says that a
    source was there and has that position. `version` is that of the file, 0 if it could not be read; `later` says why a
    file of a later one cannot be judged here.
    """

    exit: int
    version: int = 0
    later: str = ""
    fault: Fault | None = None
    battle: str = ""
    host: str = ""
    ruleset: str = ""
    events: int = 0
    head: str = ""
    ended: bool = False
    signed: bool = False
    key: str = ""
    fingerprint: str = ""
    trusted: bool = False
    heads: tuple[Proven, ...] = ()
    draws: int = 0
    checked: int = 0
    bound: int = 0
    secret: int = 0
    unknown_cards: int = 0
    continued_from: int = 0
    seats: tuple[SeatReport, ...] = ()
    listed: tuple[Act, ...] = ()
    unopened: tuple[int, ...] = ()
    judged: int = 0
    not_judged: tuple[int, ...] = ()
    excused: tuple[tuple[int, int], ...] = ()
    corrected: int = 0
    other_rules: tuple[str, ...] = ()
    install: tuple[str, ...] = ()
    two_histories: Fork | None = None
    branch: Branch | None = None
    is_of_source: bool = False

    @property
    def is_open(self) -> bool:
        """Whether something of it can be judged only later."""
        is_sealed = self.unopened or self.not_judged or self.excused
        return bool(self.bound or self.secret or self.continued_from or is_sealed)
