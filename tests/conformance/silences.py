"""Battles of which an earlier `docs/record-format.md` did not say how they are judged; now it does.

Each story gives the battle and the event at which its fault shows, 0 if it has none.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import UNSET, structs

from domain.events.battle import (
    DisputeRaised,
    RemedyOffered,
    RulesChanged,
    Seen,
    SideLeft,
    StandingOrderSet,
    SubstituteAgreed,
    UmpireNamed,
    UmpireProposed,
)
from tests.replay.made_battle import MadeBattle, Marched, small_battle

Story = Callable[[], tuple[MadeBattle, int]]


def turn_of_south(**members: str) -> MadeBattle:
    """A battle in the first turn of south."""
    return MadeBattle(**members).started().first_turn("south")  # type: ignore[arg-type]


def taken_back(text: str) -> tuple[MadeBattle, int]:
    """A take-back with a reason; the offer that it makes has this `text`."""
    made = turn_of_south()
    to = len(made.log)
    about = made.plain_order("south")
    remedy = f"rewind {to}"
    with made.order("south", "takeback I slipped.", ordinary=False):
        raised = DisputeRaised(
            docket="d1", side="south", about=about, remedy=remedy, text="I slipped.", kind="takeback"
        )
        made.add(raised, "south")
        return made, made.add(RemedyOffered("d1", "south", remedy, text), "south")


def the_offer_of_a_takeback_has_no_text() -> tuple[MadeBattle, int]:
    made, _ = taken_back("")
    return made, 0


def the_offer_of_a_takeback_has_its_reason() -> tuple[MadeBattle, int]:
    return taken_back("I slipped.")


def facts_behind_a_lone_entry() -> tuple[MadeBattle, int]:
    made = MadeBattle().start()
    made.enter("north")
    made.contribute("south", alone=True)
    made.add(Marched(unit="U1"), "south")
    return made, 0


def facts_between_a_contribution_and_its_order() -> tuple[MadeBattle, int]:
    made = turn_of_south()
    n = made.plain_order("south")
    made.insert(n, Marched(unit="U1"), "south")
    return made, n - 1


def a_sealed_seat_gives_a_phrase() -> tuple[MadeBattle, int]:
    made = turn_of_south()
    n = made.plain_order("south") - 1
    made.change(n, phrase="a phrase")
    return made, 0


def a_plain_seat_gives_an_empty_phrase() -> tuple[MadeBattle, int]:
    made = MadeBattle(north="plain").start()
    n = made.enter("north")
    made.change(n, phrase="")
    return made, n


def mail_under_other_rules(**members: Any) -> tuple[MadeBattle, int]:
    made = turn_of_south()
    made.alone(RulesChanged("9.9", "9.10"))
    return made, made.plain_order("south", channel="mail", **members)


def a_mail_without_a_head_behind_other_rules() -> tuple[MadeBattle, int]:
    return mail_under_other_rules(seen=UNSET)


def a_mail_with_a_head_behind_other_rules() -> tuple[MadeBattle, int]:
    return mail_under_other_rules()[0], 0


def umpire_of(player: str) -> tuple[MadeBattle, int]:
    """North's seat has gone from `n` to `new`; then both want an umpire."""
    made = turn_of_south()
    made.plain_order("south", SubstituteAgreed("south", "new"), text="substitute new", ordinary=False)
    made.alone(SideLeft("north", "ill"), "north")
    made.modes["north"] = "plain"
    made.join("north", "new")
    made.plain_order("north", UmpireProposed("north", player), text=f"umpire {player}", ordinary=False)
    with made.order("south", "agree umpire", ordinary=False):
        made.add(UmpireProposed("south", player), "south")
        return made, made.add(UmpireNamed(player, "Judge", "agreement"))


def a_past_holder_of_a_seat_becomes_umpire() -> tuple[MadeBattle, int]:
    return umpire_of("n")[0], 0


def the_holder_of_a_seat_becomes_umpire() -> tuple[MadeBattle, int]:
    return umpire_of("new")


def the_umpire_takes_a_seat() -> tuple[MadeBattle, int]:
    made, _ = umpire_of("judge")
    made.plain_order("south", SubstituteAgreed("south", "judge"), text="substitute judge", ordinary=False)
    made.alone(SideLeft("north", "ill"), "north")
    return made, made.join("north", "judge")


def a_contribution_with_a_standing_order() -> tuple[MadeBattle, int]:
    made = turn_of_south()
    n = made.contribute("south")
    made.plain_order("south", StandingOrderSet("south", "evade", "U1", "yes"), text="evade U1 yes", ordinary=False)
    return made, n


def an_entry_with_a_standing_order() -> tuple[MadeBattle, int]:
    made = MadeBattle().start()
    made.contribute("north")
    made.plain_order("north", StandingOrderSet("north", "evade", "U1", "yes"), text="evade U1 yes", ordinary=False)
    return made, 0


def later_keys_of_another_master(is_over: bool) -> tuple[MadeBattle, int]:
    made = MadeBattle(length=2).started().first_turn("south")
    for _ in range(2):
        made.end_turn(made.mover)
    made.change(made.find("KeysContinued", 1), anchors=made.anchors(7))
    if is_over:
        made.end(made.mover)
    return made, len(made.log) if is_over else 0


def later_keys_of_another_master_while_it_runs() -> tuple[MadeBattle, int]:
    return later_keys_of_another_master(is_over=False)


def later_keys_of_another_master_at_the_end() -> tuple[MadeBattle, int]:
    return later_keys_of_another_master(is_over=True)


def the_last_holder_of_a_free_seat_becomes_umpire() -> tuple[MadeBattle, int]:
    made = turn_of_south()
    made.plain_order("north", UmpireProposed("north", "n"), text="umpire n", ordinary=False)
    made.alone(SideLeft("north", "ill"), "north")
    with made.order("south", "agree umpire", ordinary=False):
        made.add(UmpireProposed("south", "n"), "south")
        return made, made.add(UmpireNamed("n", "Judge", "agreement"))


def under_another_rule(kind: str) -> tuple[MadeBattle, int]:
    """An event that cites a rule of somebody's own."""
    made = small_battle(over=False)
    n = made.find(kind)
    made.log[n - 1] = structs.replace(made.log[n - 1], rule="MY-RULE-1")
    requote(made)
    return made, n


def requote(made: MadeBattle) -> None:
    """Each message quotes the head of the log as it is now: no signature stands in it."""
    for at, entry in enumerate(made.log):
        seen = getattr(entry.event, "seen", UNSET)
        if isinstance(seen, Seen):
            head = Seen(made.hashes()[seen.n].hex(), seen.n)
            made.log[at] = structs.replace(entry, event=structs.replace(entry.event, seen=head))


def an_order_under_another_rule() -> tuple[MadeBattle, int]:
    return under_another_rule("OrderAccepted")


def a_key_under_another_rule() -> tuple[MadeBattle, int]:
    return under_another_rule("KeyDisclosed")


def a_fact_under_another_rule() -> tuple[MadeBattle, int]:
    """Of facts the rules say which it is; these rules are not at hand."""
    return under_another_rule("CardDrawn")[0], 0


class Unheard(Marched, frozen=True, gc=False, kw_only=True):
    """An event of rules that nobody has."""

    TYPE = "UnitSang"


def a_type_of_rules_that_are_not_at_hand() -> tuple[MadeBattle, int]:
    made = turn_of_south()
    made.plain_order("south", Unheard(unit="U1"))
    return made, 0


SILENCES: Mapping[Story, str] = {
    an_order_under_another_rule: "other-rule",
    a_key_under_another_rule: "other-rule",
    a_fact_under_another_rule: "",
    a_type_of_rules_that_are_not_at_hand: "",
    the_offer_of_a_takeback_has_no_text: "",
    the_offer_of_a_takeback_has_its_reason: "no-authority",
    facts_behind_a_lone_entry: "",
    facts_between_a_contribution_and_its_order: "contribution-without-order",
    a_sealed_seat_gives_a_phrase: "",
    a_plain_seat_gives_an_empty_phrase: "contribution-differs",
    a_mail_without_a_head_behind_other_rules: "rules-not-accepted",
    a_mail_with_a_head_behind_other_rules: "",
    a_past_holder_of_a_seat_becomes_umpire: "",
    the_last_holder_of_a_free_seat_becomes_umpire: "umpire-plays",
    the_holder_of_a_seat_becomes_umpire: "umpire-plays",
    the_umpire_takes_a_seat: "umpire-plays",
    a_contribution_with_a_standing_order: "contribution-without-order",
    an_entry_with_a_standing_order: "",
    later_keys_of_another_master_while_it_runs: "",
    later_keys_of_another_master_at_the_end: "master-differs",
}
"""Each story with the kind of its fault, empty if it has none."""
