"""Chapter STR: the order to play a stratagem, when it may be given, and what a play does to the state.

The effect of each stratagem is decided in `plays`; who holds which card is in `hands`, the ambush in `ambushes`, the
flank march in `turns` and `field`. Armed stratagems are private until they fire.
"""

from collections.abc import Callable
from typing import Any

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.engine.judge import Judge
from domain.events.battle import Event, Text
from domain.games.to_the_strongest.chapters.hands import held
from domain.games.to_the_strongest.chapters.placing import veil
from domain.games.to_the_strongest.chapters.stakes import new_stakes, stakes_edge
from domain.games.to_the_strongest.chapters.terrain import with_ground
from domain.games.to_the_strongest.sequence import phases_of, stratagems_of
from domain.games.to_the_strongest.state.state import Ambush, Armed, Flank, State, with_army
from domain.games.to_the_strongest.state.stratagems import STRATAGEMS, Stratagem
from domain.log.fairness import scope_label
from domain.mechanics.cards import after_look

PLAYED = "TTS-STR-02"
HIDDEN = frozenset({"ambush", "false-orders", "hold"})
"""Stratagems of which the other side learns only that something was played."""


# --- commands


class Play(Command, frozen=True, gc=False, tag="play"):
    """Play a stratagem (TTS-STR-02)."""

    PHASES = phases_of("play")

    stratagem: str
    arguments: tuple[str, ...] = ()


# --- events


class StratagemPlayed(Event, frozen=True, gc=False, kw_only=True):
    """A stratagem is played, or armed. `card` is the one it costs, `opens` the sealed event that
    brought it; `shown` are the cards that an oracle shows to its owner alone; `active` orders next
    if the play changes that, `points` are quarter points for the scouting.

    Private to the side: `stratagem`, `args` and `card` of an armed one; `shown`.
    """

    RULE = PLAYED
    TOLD_BY = "stratagem"

    side: str
    stratagem: Text = UNSET
    args: tuple[str, ...] | UnsetType = UNSET
    card: Text = UNSET
    shown: tuple[str, ...] | UnsetType = UNSET
    opens: tuple[int, ...] | UnsetType = UNSET
    active: Text = UNSET
    points: int | UnsetType = UNSET
    sealed: Text = UNSET


class ReserveChanged(Event, frozen=True, gc=False):
    """The reserve of a marker has changed to `left`."""

    RULE = "TTS-STR-10"

    side: str
    marker: str
    left: int


# --- rules


def require_card(state: State, side: str, stratagem: Stratagem) -> None:
    """Refuse a stratagem that the side does not hold."""
    if held(state.armies[side], stratagem.key) is None:
        raise Refusal("tts.no-such-stratagem", PLAYED, side=side, stratagem=stratagem.key)


def require_time(state: State, side: str, stratagem: Stratagem) -> None:
    """Refuse a stratagem out of its time (TTS-STR-02)."""
    if not is_its_time(state, side, stratagem.when):
        raise Refusal("tts.stratagem-not-now", stratagem.rule, stratagem=stratagem.key, when=stratagem.when)


def is_its_time(state: State, side: str, when: str) -> bool:
    """Whether a side that may order now may play a stratagem of this kind."""
    if when not in stratagems_of(state.phase):
        return False
    army = state.armies[side]
    return when != "first-turn" or (army.turns == 1 and not army.opened and not army.ended)


def private_play(state: State, event: StratagemPlayed) -> tuple[str, ...]:
    """The fields of a play that only its side may see."""
    if event.stratagem in HIDDEN or (state.phase == "deployment" and state.options.blind_deployment):
        return ("stratagem", "args", "card")
    return () if event.shown is UNSET else ("shown",)


def is_private_play(state: State, command: Play) -> bool:
    """Whether the order itself is secret to its side."""
    return command.stratagem in HIDDEN or (state.phase == "deployment" and state.options.blind_deployment)


def misplayed(stratagem: str, **params: Any) -> Refusal:
    """The refusal of arguments that do not fit the stratagem."""
    row = STRATAGEMS[stratagem]
    return Refusal("tts.stratagem-target", row.rule, stratagem=stratagem, wanted=list(row.arguments), **params)


def emit_play(judge: Judge[State], side: str, stratagem: str, arguments: tuple[str, ...], **more: Any) -> None:
    """The card leaves the hand; a public play opens the event that brought it."""
    army = judge.state.armies[side]
    entry = held(army, stratagem)
    assert entry is not None
    event = StratagemPlayed(side=side, stratagem=stratagem, args=arguments, card=entry.card, **more)
    if not private_play(judge.state, event) or stratagem == "oracle":
        event = replace(event, opens=(entry.n,))
    judge.emit(event, side)


# --- evolutions


def on_stratagem_played(state: State, event: StratagemPlayed) -> State:
    """Remove the card from the hand and apply the direct effect of the stratagem."""
    army = state.armies[event.side]
    n = state.n + 1
    spent = next((entry for entry in army.hand if event.card and entry.card == event.card), None)
    if spent is None and (event.card or event.stratagem is UNSET):
        spent = next(iter(army.hand), None)  # a reader who does not know the hand
    card_n = spent.n if spent else 0
    at = army.hand.index(spent) if spent else len(army.hand)
    state = with_army(state, replace(army, hand=army.hand[:at] + army.hand[at + 1 :]))
    if event.active is not UNSET:
        state = replace(state, active=event.active)
    if event.stratagem is UNSET or event.args is UNSET:
        return state
    effect = EFFECTS.get(event.stratagem)
    new = new_stakes(state, event.side, event.args) if event.stratagem == "stakes" else ()
    state = effect(state, event, n, card_n) if effect else state
    if event.stratagem in ("stakes", "flank-march"):
        state = veil(state, n, event.side, event.stratagem, " ".join(event.args), " ".join(new))
        state = veil(state, card_n, event.side, "card", "") if card_n else state
    return state


def _armed(state: State, event: Any, n: int, card_n: int) -> State:
    army = state.armies[event.side]
    return with_army(state, replace(army, armed=(*army.armed, Armed(event.stratagem, event.args, n, card_n))))


def _ambush(state: State, event: Any, n: int, card_n: int) -> State:
    *units, box = event.args
    return replace(state, ambushes=(*state.ambushes, Ambush(event.side, tuple(units), box, n, card_n)))


def _flank(state: State, event: Any, n: int, card_n: int) -> State:
    army = state.armies[event.side]
    return with_army(state, replace(army, flanks=(*army.flanks, Flank(event.args[0], event.args[1]))))


def _stakes(state: State, event: Any, n: int, card_n: int) -> State:
    edges = {stakes_edge(state, event.side, box): "stakes" for box in event.args}
    return replace(state, edges={**state.edges, **edges})


def _ground(state: State, event: Any, n: int, card_n: int) -> State:
    ground, box = event.args
    return with_ground(state, box, ground)


def _scouts(state: State, event: Any, n: int, card_n: int) -> State:
    army = state.armies[event.side]
    return with_army(state, replace(army, scouts=army.scouts + event.points))


def _inspired(state: State, event: Any, n: int, card_n: int) -> State:
    return with_army(state, replace(state.armies[event.side], inspired=event.args[0]))


def _oracle(state: State, event: Any, n: int, card_n: int) -> State:
    army = state.armies[event.side]
    deck = army.deck
    if event.args:
        if deck.looked:
            deck = replace(deck, looked=tuple(deck.looked[int(place) - 1] for place in event.args), shown=0)
    elif event.shown is not UNSET:
        deck = after_look(deck, event.shown, (state.t, scope_label(f"hand:{event.side}", state.rewinds)))
    return with_army(state, replace(army, deck=deck))


EFFECTS: dict[str, Callable[[State, Any, int, int], State]] = {
    "ambush": _ambush,
    "false-orders": _armed,
    "hold": _armed,
    "flank-march": _flank,
    "stakes": _stakes,
    "ground": _ground,
    "scouts": _scouts,
    "inspired": _inspired,
    "oracle": _oracle,
}


def on_reserve_changed(state: State, event: ReserveChanged) -> State:
    return with_army(state, replace(state.armies[event.side], **{event.marker: event.left}))


EVOLUTIONS: dict[Any, Any] = {StratagemPlayed: on_stratagem_played, ReserveChanged: on_reserve_changed}
