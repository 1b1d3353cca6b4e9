"""What the battle of a board is opened with, and what it has come to so far."""

from collections.abc import Iterable, Iterator, Mapping, Set
from functools import partial
from typing import Any

from domain.basics.pace import moment_of
from domain.campaign.boards import Place
from domain.campaign.config import CUP, WITH_FORCES, CampaignConfig, bad_file
from domain.campaign.forces.fielding import BY_PLAYERS, Names, scenario_between
from domain.campaign.forces.joining import first_forces
from domain.campaign.judge import Circumstances
from domain.campaign.scenario import (
    Armies,
    armies_on,
    hash_of,
    scenario_hash,
    scenario_of,
    scenario_of_points,
)
from domain.campaign.state import DEFAULT, BoardState, CampaignState
from domain.campaign.theatre.books import on_tables
from domain.contract.campaign_book import CampaignBook
from domain.events.battle import Fact, OrderAccepted
from domain.log.chance import Chance
from domain.run.inputs import facts_of_opening
from replay.called_off import ADJUDICATE, awarding
from server.campaigns.live_campaign import LiveCampaign
from server.entropy import new_battle_id
from server.play.live_battle import LiveBattle
from server.play.live_battles import LiveBattles
from server.store.tables import campaigns, closings


async def require_playable(battles: LiveBattles, config: CampaignConfig) -> None:
    """Refuse a campaign whose battles nobody could open.

    Raises: Refusal core.unknown-ruleset; as `scenario_of`, and those of the game for its scenario
    """
    battles.ruleset(config.ruleset)
    for key in not_served(config):
        raise bad_file(key)
    if config.kind in WITH_FORCES:
        await _require_fightable(battles, config)
    elif (config.kind == CUP and config.entry.armies is None) or config.battle.scenario:
        await facts_of_board(battles, config)


async def _require_fightable(battles: LiveBattles, config: CampaignConfig) -> None:
    """Refuse armies that the game does not read, and nodes whose battles nobody could open.

    Raises: Refusal campaign.bad-file, campaign.no-such-ground; those of the game
    """
    book = book_of(battles, config)
    for force in first_forces(config):
        book.roster(await battles.workers.people.run(book.read, force.army))
    for area in config.map.area if config.map else ():
        if area.ground != BY_PLAYERS and book.ground is not None:
            book.ground(area.ground, book.board, lambda limit: 0)
    for battle in (battle for node in config.nodes or () for battle in node.battles):
        if battle.scenario:
            await facts_of_board(battles, config, battle.scenario)
        elif battle.ground != BY_PLAYERS and book.ground is not None:
            book.ground(battle.ground, book.board, lambda limit: 0)


def not_served(config: CampaignConfig) -> Iterator[str]:
    """The keys of a legal file that this server would not act upon: it says so at once rather than never."""
    if config.entry.armies is not None and config.entry.armies.secret:
        yield "entry.armies.secret"


def readers_of_battles(config: CampaignConfig) -> str:
    """Who may read the battles of a campaign while they are fought: under fog their players alone.

    Rule: CAM-FOG-03
    """
    return "players" if config.map is not None and config.map.fog else config.readers


async def facts_between(battles: LiveBattles, state: CampaignState, board: BoardState) -> tuple[Fact, ...]:
    """What opens the battle of a board on which forces fight.

    Raises: Refusal those of the game
    """
    table, _ = made_of(battles, state, board)
    return await battles.workers.people.run(facts_of_opening, battles.ruleset(state.ruleset), table)


def made_of(battles: LiveBattles, state: CampaignState, board: BoardState) -> tuple[dict[str, Any], Names]:
    """The scenario of a board on which forces fight, and what their elements are called in it."""
    return scenario_between(on_tables(book_of(battles, state.settings)), state.theatre, state.settings, board)


def book_of(battles: LiveBattles, config: CampaignConfig) -> CampaignBook:
    """What a game says of armies that live on.

    Raises: Refusal core.unknown-ruleset; campaign.bad-file for a game that carries none
    """
    book = battles.ruleset(config.ruleset).campaign
    if book is None:
        raise bad_file("ruleset")
    return book


async def facts_of_board(
    battles: LiveBattles, config: CampaignConfig, named: str = "", armies: Armies | None = None
) -> tuple[Fact, ...]:
    """What opens the battle of a board; `named` is the scenario of a challenge, `armies` are what the two have brought.
    To look through a stranger's scenario takes long: others are served meanwhile.

    Raises: Refusal as `scenario_of`, and those of the game
    """
    game = battles.ruleset(config.ruleset)
    if armies is not None and game.armies is not None:
        return facts_of_opening(game, scenario_of_points(config, game.armies, armies))
    scenario = scenario_of(config, named)
    if isinstance(config.battle.scenario, Mapping) and not named:
        return await battles.workers.people.run(facts_of_opening, game, scenario)
    return facts_of_opening(game, scenario)


async def circumstances(
    battles: LiveBattles,
    live: LiveCampaign,
    at: str,
    chance: Chance,
    late: Iterable[BoardState],
    named: BoardState | None,
) -> Circumstances:
    """What an input is judged by: who has come to the battles of boards that may be `late`, and whether that of the
    board that it names has had an order."""
    shown = {board.place.name: shown_of(board, await running(battles, board)) for board in late}
    battle = await running(battles, named) if named is not None else None
    if battle is not None:
        await battle.remember()
    config, state = live.state.settings, live.state
    book = battles.ruleset(config.ruleset).armies
    is_one = config.cup is not None and config.entry.armies is None
    digest = scenario_hash(config) if is_one else ""  # one scenario for all boards

    def scenario(place: Place) -> str:
        armies = armies_on(state, place)
        return hash_of(scenario_of_points(config, book, armies)) if armies is not None and book is not None else digest

    return Circumstances(
        at=moment_of(at),
        chance=chance,
        battle=lambda place: new_battle_id(battles.entropy),
        scenario=scenario,
        shown=shown,
        digest=partial(scenario_hash, config),
        book=battles.ruleset(config.ruleset).campaign if live.state.has_forces else None,
        is_stopped=lambda battle: _is_over(battles, battle),
        turned={named.place.name} if named is not None and battle is not None and has_order(battle) else set(),
    )


def _is_over(battles: LiveBattles, battle: str) -> bool:
    """Whether the steward has done with a battle. One of a challenge that is not counted was stopped."""
    row = campaigns.battle(battles.store, battle)
    return row is not None and row.state == campaigns.OVER


async def running(battles: LiveBattles, board: BoardState) -> LiveBattle | None:
    """The battle of a board; None if it is not opened yet."""
    return await battles.get(board.battle) if battles.store.header(board.battle) is not None else None


def has_order(battle: LiveBattle) -> bool:
    """Whether anybody has given an order: a battle begins by itself as soon as both are seated."""
    return any(isinstance(recorded.event, OrderAccepted) for recorded in battle.recording.timeline.events)


def shown_of(board: BoardState, battle: LiveBattle | None) -> Set[str]:
    """The entrants who have contributed to the battle of a board, or whoever held their place (CAM-TIM-04)."""
    seats = battle.recording.battle.seats if battle is not None else {}
    sides: Mapping[str, str] = {"south": board.place.south, "north": board.place.north}
    came = battle.recording.battle.given if battle is not None else frozenset()
    return {sides[side] for side, seat in seats.items() if side in sides and (seat.contribution or side in came)}


def effect_on(board: BoardState | None, battle: str) -> str:
    """By which ruling a battle ends in its own log; "" for none: nobody has won it, or another one was set instead."""
    if board is None or board.battle != battle:
        return ""
    if board.is_running:
        return ADJUDICATE if board.is_cut else ""
    return awarding(board.winner) if board.status == DEFAULT and board.winner else ""


async def end_battle(battle: LiveBattle, place: str, effect: str) -> None:
    """End a battle by a ruling, or stop it by the host's word: where nobody has won, and before it has begun.

    Raises: Refusal core.battle-ended, core.battle-closed; as `replay.called_off.calling_off`
    """
    await battle.remember()
    async with battle.lock:
        await battle.freshen()
        if effect and battle.recording.battle.begun:
            await battle.append(lambda recording, at: recording.call_off(effect, at))
        else:
            await battle.close(closings.STOPPED, place)
