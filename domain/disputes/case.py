"""What a decision about a line of a dispute looks at: who says it, and of which battle (`domain.disputes.disputes`)."""

from msgspec import Struct

from domain.basics.errors import Refusal
from domain.contract.dispute_lines import DisputeOrder
from domain.contract.ruleset import Ruleset
from domain.engine.dockets import UMPIRE, Disputes, Docket
from domain.events.battle import Event, Fact, Seen
from domain.run.rewind_points import Past
from domain.run.seats import Battle


class Spoken(Struct, frozen=True):
    """An order of a dispute: who says it (`side` is a side or the umpire), at which moment, and the head that they
    answer. `name` is that of the player whom it names, as it is to be shown;
    `flags` are the sides whose flag has fallen, `silent` those that have been silent (CORE-DSP-12)."""

    side: str
    player: str
    order: DisputeOrder
    at: str
    seen: Seen | None = None
    name: str = ""
    flags: frozenset[str] = frozenset()
    silent: frozenset[str] = frozenset()


class Case:
    """What a decision looks at."""

    def __init__(self, ruleset: Ruleset, battle: Battle, past: Past, spoken: Spoken) -> None:
        self.ruleset = ruleset
        self.battle = battle
        self.past = past
        self.spoken = spoken
        self.side = spoken.side
        self.order = spoken.order
        self.disputes: Disputes = battle.disputes

    @property
    def others(self) -> tuple[str, ...]:
        """The sides beside that of the speaker."""
        return self.ruleset.seats.others(self.side)

    @property
    def is_bot(self) -> bool:
        """Whether a bot says it."""
        seat = self.battle.seats.get(self.side)
        return seat is not None and seat.kind == "bot"

    def docket(self) -> Docket:
        """The docket that the order names."""
        docket = self.disputes.docket(self.order.docket)
        if docket is None:
            raise Refusal("core.docket-unknown", "CORE-DSP-01", docket=self.order.docket)
        return docket

    def open_docket(self) -> Docket:
        """The docket that the order names, which nothing has settled."""
        docket = self.docket()
        if not docket.is_open:
            raise Refusal("core.docket-closed", "CORE-DSP-01", docket=docket.id, how=docket.how)
        return docket

    def require_side(self) -> None:
        """Only a side may say this."""
        if self.side == UMPIRE:
            raise Refusal("core.docket-sides-only", "CORE-DSP-10", verb=self.order.verb)

    def require_running(self) -> None:
        """Only while the battle lasts."""
        if self.battle.ended:
            raise Refusal("core.docket-battle-over", "CORE-DSP-09", verb=self.order.verb)

    def said(self, event: Event, rule: str = "") -> Fact:
        """A fact that the speaker's own words are."""
        return Fact(self.side, rule or event.RULE, event)
