"""A battle being recorded in which an umpire rules: what the host enters for it, written by hand."""

import msgspec
from msgspec import UNSET

from domain.contract.dispute_lines import words_of
from domain.events.battle import (
    DisputeSettled,
    Event,
    Fact,
    OrderAccepted,
    RulingGiven,
)
from domain.log.record import encode, next_hash, type_name
from domain.run import inputs
from tests.support import messages
from tests.support.recorded import AT, Recorded

JUDGE = "judge"


class Umpired(Recorded):
    """`name_umpire` once, then rulings."""

    requests = 0

    def name_umpire(self) -> None:
        """Both sides agree on the umpire."""
        self.orders(f"north: umpire {JUDGE}", "south: agree umpire", "north: dispute 1 facts It was misread.")

    def correct(self, text: str, docket: str = "d1") -> None:
        """The umpire sets facts.

        Raises: Refusal
        """
        entry = messages.entry(self.recording, "umpire", f"rule {docket} correct {text}", JUDGE)
        self.take(self.recording.order(entry, AT))

    def rule(self, form: str, *facts: Fact, docket: str = "d1") -> None:
        """A ruling with whatever facts."""
        self.enter(
            "umpire",
            f"rule {docket} correct {form}",
            Fact("umpire", "CORE-DSP-05", RulingGiven(docket, form, "correct")),
            Fact("server", "CORE-DSP-05", DisputeSettled(docket, "ruled")),
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
            command=msgspec.to_builtins(words_of(text)),
            seen=self.recording.newest_head() or UNSET,
        )
        given = Fact(side, OrderAccepted.RULE, order)
        entered = inputs.enter_facts(self.ruleset, self.recording.battle, (given, *facts), self.recording.secrets)
        self.take(self.recording.prepare(entered, AT))
