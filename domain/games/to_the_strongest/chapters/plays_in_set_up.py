"""Chapter STR, the stratagems that are played before the turns, each from its arguments to events."""

from typing import Any

from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.engine.judge import Judge
from domain.games.to_the_strongest.chapters.deployment import in_zone, own_row
from domain.games.to_the_strongest.chapters.geometry import is_rough
from domain.games.to_the_strongest.chapters.hands import is_for_scouting, waited_for
from domain.games.to_the_strongest.chapters.phases import camp_of, next_to_deploy, push_steps, standing_box, to_deploy
from domain.games.to_the_strongest.chapters.scouting import QUARTERS
from domain.games.to_the_strongest.chapters.stacking import require_no_enemy, require_room
from domain.games.to_the_strongest.chapters.stakes import stakes_edge, veiled_stakes
from domain.games.to_the_strongest.chapters.stratagems import emit_play, misplayed
from domain.games.to_the_strongest.state.ground import EASY, OPEN, ROUGH
from domain.games.to_the_strongest.state.state import Ambush, Flank, State, Unit, enemy, kind, with_army
from domain.games.to_the_strongest.state.stratagems import STRATAGEMS


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
    unseen = veiled_stakes(state, enemy(side)) - veiled_stakes(state, side)
    for box in arguments:
        edge = stakes_edge(state, side, box)
        if edge in state.edges and edge not in unseen:
            raise misplayed("stakes", given=[box], fault="edge")
    emit_play(judge, side, "stakes", arguments)
