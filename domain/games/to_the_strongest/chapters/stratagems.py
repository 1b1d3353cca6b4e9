"""Chapter STR: the effect of each stratagem, and when it may be played.

Every stratagem is one function here, from its arguments to events; who holds which card is in `hands`,
the ambush in `ambushes`, the flank march in `turns` and `field`. Armed ones are private until they fire.
"""

from collections.abc import Callable
from typing import Any

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.engine.commands import Command
from domain.engine.errors import Refusal
from domain.engine.events import Event, Text
from domain.engine.judge import Judge, not_yours, off_board, unknown_id
from domain.games.to_the_strongest.chapters.cards import own_pile, pile, shuffle
from domain.games.to_the_strongest.chapters.decisions import own_general, own_unit
from domain.games.to_the_strongest.chapters.deployment import in_zone, own_row, veil
from domain.games.to_the_strongest.chapters.generals import require_on_field, save_or_wound
from domain.games.to_the_strongest.chapters.geometry import is_rough
from domain.games.to_the_strongest.chapters.hands import held, is_for_scouting, waited_for
from domain.games.to_the_strongest.chapters.movement import Move, arrive, move_unit, plan_move
from domain.games.to_the_strongest.chapters.phases import camp_of, next_to_deploy, push_steps, standing_box, to_deploy
from domain.games.to_the_strongest.chapters.rally import UnitRallied
from domain.games.to_the_strongest.chapters.scouting import QUARTERS
from domain.games.to_the_strongest.chapters.stacking import require_no_enemy, require_room
from domain.games.to_the_strongest.chapters.terrain import with_ground
from domain.games.to_the_strongest.sequence import phases_of, stratagems_of
from domain.games.to_the_strongest.state.ground import EASY, OPEN, ROUGH
from domain.games.to_the_strongest.state.state import (
    HOME_ROW_FACING,
    Ambush,
    Armed,
    Flank,
    State,
    Unit,
    enemy,
    is_on_board,
    kind,
    with_army,
)
from domain.games.to_the_strongest.state.stratagems import STRATAGEMS, Stratagem
from domain.log.fairness import scope_label
from domain.mechanics.cards import after_look
from domain.mechanics.square import VECTOR, box_by

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


# --- decisions


def decide_play(judge: Judge[State], side: str, command: Play) -> None:
    """Check the ids that an order names, the card, the time, and then the conditions of the stratagem."""
    row = STRATAGEMS[command.stratagem]
    _require_known(judge.state, side, row, command.arguments)
    if command.stratagem == "oracle" and command.arguments:
        _reorder(judge, side, command.arguments)
        return
    require_card(judge.state, side, row)
    require_time(judge.state, side, row)
    least = sum(1 for argument in row.arguments if not argument.endswith("?"))
    if not least <= len(command.arguments) <= len(row.arguments):
        raise misplayed(command.stratagem, given=list(command.arguments))
    PLAYS[command.stratagem](judge, side, command.arguments)


def _require_known(state: State, side: str, row: Stratagem, arguments: tuple[str, ...]) -> None:
    """Refuse ids and boxes that do not exist, or belong to the wrong side."""
    wanted = [argument.rstrip("?") for argument in row.arguments]
    for name, sort in zip(arguments, _sorts(wanted, len(arguments)), strict=False):
        if sort == "unit":
            own_unit(state, side, name)
        elif sort == "general":
            own_general(state, side, name)
        elif sort == "enemy-general":
            if name not in state.generals:
                raise unknown_id(name)
            if state.generals[name].side == side:
                raise misplayed(row.key, given=[name])
        elif sort == "corps" and name not in state.armies[side].corps:
            raise not_yours(name, side) if name in state.armies[enemy(side)].corps else unknown_id(name)
        elif sort == "box" and not is_on_board(state, name):
            raise off_board(name)


def _sorts(wanted: list[str], given: int) -> list[str]:
    """The kind of each argument: if some may be missing, the last one keeps its place."""
    if given >= len(wanted) or not wanted:
        return wanted
    return [*wanted[: given - 1], wanted[-1]] if given else []


def emit_play(judge: Judge[State], side: str, stratagem: str, arguments: tuple[str, ...], **more: Any) -> None:
    """The card leaves the hand; a public play opens the event that brought it."""
    army = judge.state.armies[side]
    entry = held(army, stratagem)
    assert entry is not None
    event = StratagemPlayed(side=side, stratagem=stratagem, args=arguments, card=entry.card, **more)
    if not private_play(judge.state, event) or stratagem == "oracle":
        event = replace(event, opens=(entry.n,))
    judge.emit(event, side)


# --- in the phases before the turns


def play_scouts(judge: Judge[State], side: str, arguments: tuple[str, ...]) -> None:
    """TTS-STR-12: points for the side's own scouting."""
    points = QUARTERS * STRATAGEMS["scouts"].numbers["points"]
    emit_play(judge, side, "scouts", arguments, points=points, **_scouting_goes_on(judge, side))
    _go_on_scouting(judge)


def play_ground(judge: Judge[State], side: str, arguments: tuple[str, ...]) -> None:
    """TTS-STR-14: a box without terrain becomes rough or open ground of a kind."""
    ground, box = arguments
    if ground not in ROUGH | EASY:
        raise misplayed("ground", given=[ground])
    camp = judge.state.camps.get(box)
    if judge.state.terrain.get(box, OPEN) != OPEN or camp:
        raise Refusal("tts.box-taken", STRATAGEMS["ground"].rule, box=box)
    emit_play(judge, side, "ground", arguments, **_scouting_goes_on(judge, side))
    _go_on_scouting(judge)


def _scouting_goes_on(judge: Judge[State], side: str) -> dict[str, Any]:
    """The side the scouting waits for once a side has played one of its cards (TTS-SCT-04)."""
    state = judge.state
    if state.phase != "scouting":
        return {}
    left = sum(is_for_scouting(entry) for entry in state.armies[side].hand) - 1
    waiting = (other for other in waited_for(state) if other != side or left)
    return {"active": next(waiting, "")}


def _go_on_scouting(judge: Judge[State]) -> None:
    """The cards fall as soon as nobody is waited for (TTS-SCT-04)."""
    if judge.state.phase == "scouting":
        push_steps(judge)


def play_ambush(judge: Judge[State], side: str, arguments: tuple[str, ...]) -> None:
    """TTS-STR-04: foot or lights, not placed yet, hide in a rough box of the own half."""
    state, (*names, box) = judge.state, arguments
    units = [state.units[name] for name in names]
    if len(set(names)) < len(names):
        raise misplayed("ambush", given=list(arguments), fault="twice")
    if any(not (kind(unit).foot or kind(unit).light) for unit in units):
        raise misplayed("ambush", given=list(arguments))
    for unit in units:
        if standing_box(state, unit) or unit.corps not in {corps.id for corps in to_deploy(state, side)}:
            raise Refusal("tts.not-current-corps", STRATAGEMS["ambush"].rule, corps=unit.corps, open="")
    if 2 * (own_row(state, side, box) + 1) > state.board[1]:
        raise Refusal(
            "tts.outside-deployment-zone", STRATAGEMS["ambush"].rule, unit=names[0], box=box, rows=state.board[1] // 2
        )
    if not is_rough(state, box):
        raise misplayed("ambush", given=[box])
    require_no_enemy(state, units[0], box)
    for at, unit in enumerate(units):
        require_room(_with_hidden(state, units[:at], box), unit, box)
    _require_some_in_sight(state, units)
    emit_play(judge, side, "ambush", arguments, **_deploys_next(_with_hidden(state, units, box), side))
    push_steps(judge)


def _require_some_in_sight(state: State, units: list[Unit]) -> None:
    """Refuse to hide the last units of a corps whose camp must be touched, or whose great general needs a unit
    (TTS-CMP-04, TTS-GEN-01)."""
    hiding = {unit.id for unit in units}.union(*(ambush.units for ambush in state.ambushes))
    for unit in units:
        corps = state.armies[unit.side].corps[unit.corps]
        general = state.generals.get(corps.general)
        bound = general is not None and not general.attached and "great" in general.traits
        if (corps.camp_sides >= 0 or bound) and hiding.issuperset(corps.units):
            raise misplayed("ambush", given=[unit.id], fault="last")


def _with_hidden(state: State, units: list[Unit], box: str) -> State:
    if not units:
        return state
    ambush = Ambush(units[0].side, tuple(unit.id for unit in units), box, 0, 0)
    return replace(state, ambushes=(*state.ambushes, ambush))


def play_flank_march(judge: Judge[State], side: str, arguments: tuple[str, ...]) -> None:
    """TTS-STR-05: a corps without camp, of which nothing is placed, comes later over a flank."""
    name, edge = arguments
    state = judge.state
    army = state.armies[side]
    if edge not in ("E", "W"):
        raise misplayed("flank-march", given=[edge])
    corps = army.corps[name]
    if corps not in to_deploy(state, side):
        raise Refusal("tts.not-current-corps", STRATAGEMS["flank-march"].rule, corps=name, open=army.opened)
    general = state.generals.get(corps.general)
    has_camp = corps.camp_sides >= 0 or camp_of(state, side, name) is not None
    is_begun = any(standing_box(state, state.units[unit]) for unit in corps.units) or (general and general.box)
    if has_camp or is_begun:
        raise misplayed("flank-march", given=[name])
    after = with_army(state, replace(army, flanks=(*army.flanks, Flank(name, edge))))
    emit_play(judge, side, "flank-march", arguments, **_deploys_next(after, side))
    push_steps(judge)


def _deploys_next(after: State, side: str) -> dict[str, Any]:
    """The side that deploys next, if this side has no corps left to deploy."""
    return {} if to_deploy(after, side) else {"active": next_to_deploy(after, enemy(side), side)}


def play_stakes(judge: Judge[State], side: str, arguments: tuple[str, ...]) -> None:
    """TTS-STR-06: stakes on the enemy-facing edges of boxes of the own deployment zone."""
    state, rule = judge.state, STRATAGEMS["stakes"].rule
    for box in arguments:
        if not in_zone(state, side, box):
            raise Refusal("tts.outside-deployment-zone", rule, unit="", box=box, rows=state.options.deploy_rows)
    if len(set(arguments)) < len(arguments):
        raise misplayed("stakes", given=list(arguments), fault="twice")
    unseen = _veiled_stakes(state, enemy(side))
    for box in arguments:
        edge = stakes_edge(state, side, box)
        if edge in state.edges and edge not in unseen:
            raise misplayed("stakes", given=[box], fault="edge")
    emit_play(judge, side, "stakes", arguments)


def stakes_edge(state: State, side: str, box: str) -> tuple[str, str]:
    """The enemy-facing edge of a box, its two boxes in alphabetical order."""
    one, other = sorted((box, box_by(state.board, box, *VECTOR[HOME_ROW_FACING[side]])))
    return one, other


def new_stakes(state: State, side: str, boxes: tuple[str, ...]) -> tuple[str, ...]:
    """The boxes whose edge has no stakes that everybody sees."""
    veiled = _veiled_stakes(state, *state.armies)
    edges = {box: stakes_edge(state, side, box) for box in boxes}
    return tuple(box for box, edge in edges.items() if edge not in state.edges or edge in veiled)


def _veiled_stakes(state: State, *sides: str) -> set[tuple[str, str]]:
    """The edges on which a blind deployment hides stakes of these sides (TTS-DEP-07)."""
    veils = (veil for veil in state.veiled if veil.what == "stakes" and veil.side in sides)
    return {stakes_edge(state, veil.side, box) for veil in veils for box in veil.box.split()}


# --- in the turns


def play_night_march(judge: Judge[State], side: str, arguments: tuple[str, ...]) -> None:
    """TTS-STR-03: each unit of a corps that can goes one box straight ahead, in scenario order."""
    emit_play(judge, side, "night-march", arguments)
    for name in judge.state.armies[side].corps[arguments[0]].units:
        unit = judge.state.units[name]
        if not unit.box or not unit.alive:
            continue
        try:
            plan_move(judge.state, unit, Move(name, "ahead"))
        except Refusal:
            continue
        box = box_by(judge.state.board, unit.box, *VECTOR[unit.facing])
        arrive(judge, move_unit(judge, unit, (box,), unit.facing, "stratagem"))


def play_false_orders(judge: Judge[State], side: str, arguments: tuple[str, ...]) -> None:
    """TTS-STR-07: armed for the next low card with which the enemy succeeds."""
    emit_play(judge, side, "false-orders", arguments)


def play_hold(judge: Judge[State], side: str, arguments: tuple[str, ...]) -> None:
    """TTS-STR-09: armed for the next rout test of a unit."""
    unit = judge.state.units[arguments[0]]
    if not unit.alive:
        raise Refusal("tts.unit-gone", "TTS-DIS-03", unit=unit.id, off=False)
    emit_play(judge, side, "hold", arguments)


def play_water(judge: Judge[State], side: str, arguments: tuple[str, ...]) -> None:
    """TTS-STR-08: one disorder of a unit is gone, held or not."""
    unit = judge.state.units[arguments[0]]
    if not standing_box(judge.state, unit):
        raise Refusal("tts.unit-gone", "TTS-DIS-03", unit=unit.id, off=unit.alive)
    if not unit.losses:
        raise Refusal("tts.not-disordered", "TTS-RLY-02", unit=unit.id)
    emit_play(judge, side, "water", arguments)
    losses = unit.losses - STRATAGEMS["water"].numbers["losses"]
    judge.emit(UnitRallied(unit.id, losses, 0, 0, ()), side, STRATAGEMS["water"].rule)


def play_arrows(judge: Judge[State], side: str, arguments: tuple[str, ...]) -> None:
    """TTS-STR-10: more ammunition in reserve."""
    emit_play(judge, side, "arrows", arguments)
    left = judge.state.armies[side].ammo + STRATAGEMS["arrows"].numbers["ammo"]
    judge.emit(ReserveChanged(side, "ammo", left), side)


def play_traitor(judge: Judge[State], side: str, arguments: tuple[str, ...]) -> None:
    """TTS-STR-11: an enemy general saves, whatever their type, or is wounded."""
    row = STRATAGEMS["traitor"]
    general = judge.state.generals[arguments[0]]
    require_on_field(judge.state, general)
    emit_play(judge, side, "traitor", arguments)
    judge.push("traitor", general=general.id, needed=row.numbers["needed"])


def play_inspired(judge: Judge[State], side: str, arguments: tuple[str, ...]) -> None:
    """TTS-STR-13: a general has one replay more this turn."""
    general = judge.state.generals[arguments[0]]
    require_on_field(judge.state, general)
    emit_play(judge, side, "inspired", arguments)


def play_oracle(judge: Judge[State], side: str, arguments: tuple[str, ...]) -> None:
    """TTS-STR-15: the owner alone sees their next cards; they are drawn now, under a secret scope."""
    if judge.state.armies[side].deck.looked:
        raise Refusal("tts.stratagem-not-now", STRATAGEMS["oracle"].rule, stratagem="oracle", when="own-turn")
    if not pile(judge.state, side):
        shuffle(judge, side)
    shown = judge.look(own_pile(judge.state, side), side, STRATAGEMS["oracle"].numbers["cards"])
    emit_play(judge, side, "oracle", arguments, shown=shown)


def _reorder(judge: Judge[State], side: str, arguments: tuple[str, ...]) -> None:
    """The second half of an oracle: the cards come in the order named (TTS-STR-15)."""
    deck = judge.state.armies[side].deck
    row = STRATAGEMS["oracle"]
    if not deck.looked or len(deck.looked) != deck.shown:
        raise Refusal("tts.stratagem-not-now", row.rule, stratagem="oracle", when=row.when)
    if sorted(arguments) != [str(place) for place in range(1, len(deck.looked) + 1)]:
        raise misplayed("oracle", given=list(arguments))
    judge.emit(StratagemPlayed(side=side, stratagem="oracle", args=arguments), side)


PLAYS: dict[str, Callable[[Judge[State], str, tuple[str, ...]], None]] = {
    "night-march": play_night_march,
    "ambush": play_ambush,
    "flank-march": play_flank_march,
    "stakes": play_stakes,
    "false-orders": play_false_orders,
    "water": play_water,
    "hold": play_hold,
    "arrows": play_arrows,
    "traitor": play_traitor,
    "scouts": play_scouts,
    "inspired": play_inspired,
    "ground": play_ground,
    "oracle": play_oracle,
}


# --- steps


def step_traitor(judge: Judge[State], *, general: str, needed: int) -> None:
    """The general saves, or draws for a wound (TTS-STR-11, TTS-GEN-07)."""
    save_or_wound(judge, general, needed, "traitor")


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
STEPS: dict[str, Any] = {"traitor": step_traitor}
DECISIONS: dict[Any, Any] = {Play: decide_play}
