"""A battle being recorded in which an umpire rules: what the host enters for it, written by hand."""

from msgspec import UNSET

from domain.engine import inputs
from domain.engine.corrections import canonical, corrected
from domain.engine.events import (
    DisputeSettled,
    Event,
    Fact,
    OrderAccepted,
    RulingGiven,
    UmpireNamed,
    UmpireProposed,
)
from domain.log.record import encode, next_hash, type_name
from tests.support.recorded import AT, Recorded

JUDGE = "judge"


class Umpired(Recorded):
    """`name_umpire` once, then rulings."""

    requests = 0

    def name_umpire(self) -> None:
        """Both sides agree on the umpire."""
        self.enter("north", f"umpire {JUDGE}", Fact("north", "CORE-DSP", UmpireProposed("north", JUDGE)))
        self.enter(
            "south",
            "agree umpire",
            Fact("south", "CORE-DSP", UmpireProposed("south", JUDGE)),
            Fact("server", "CORE-DSP", UmpireNamed(JUDGE, "Judge", "agreement")),
        )

    def correct(self, text: str, docket: str = "d1") -> None:
        """The umpire sets facts.

        Raises: Refusal
        """
        form = canonical(self.ruleset, text)
        facts = corrected(self.ruleset, self.game, docket, form)
        self.rule(form, *facts, docket=docket)

    def rule(self, form: str, *facts: Fact, docket: str = "d1") -> None:
        """A ruling with whatever facts."""
        self.enter(
            "umpire",
            f"rule {docket} correct {form}",
            Fact("umpire", RulingGiven.RULE, RulingGiven(docket, form, "correct")),
            Fact("server", DisputeSettled.RULE, DisputeSettled(docket, "ruled")),
            *facts,
        )

    def write(self, *facts: Fact) -> None:
        """Facts behind the last event, which nobody folds."""
        for fact in facts:
            n, (_, _, head) = len(self.rows) + 1, self.rows[-1]
            line = encode(n, AT, fact)
            self.rows.append((type_name(type(fact.event)), line, next_hash(head, line)))

    def enter(self, side: str, text: str, *facts: Fact) -> None:
        """An order with its consequences, unasked."""
        self.requests += 1
        order: Event = OrderAccepted(
            side=side,
            t=self.game.t,
            line=1,
            player=JUDGE if side == "umpire" else f"p-{side}",
            channel="api",
            key=f"{self.requests:016x}",
            text=text,
            command={"order": "ruling"},
            seen=self.recording.newest_head() or UNSET,
        )
        given = Fact(side, OrderAccepted.RULE, order)
        entered = inputs.enter_facts(self.ruleset, self.recording.battle, (given, *facts), self.recording.secrets)
        self.take(self.recording.prepare(entered, AT))
