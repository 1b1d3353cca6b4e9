"""What an input of a campaign was judged by, taken from what follows it in the log (CAM-LOG-06)."""

from collections.abc import Iterable, Iterator, Sequence

from domain.basics.pace import moment_of
from domain.campaign.boards import Place
from domain.campaign.deadlines import NO_SHOW, SHOW
from domain.campaign.events import BattleSet, DefaultGiven, LateNoted, LotCast, LotsDrawn
from domain.campaign.folding_forces import scenario_named
from domain.campaign.judge import Circumstances
from domain.campaign.state import CampaignState
from domain.contract.campaign_book import CampaignBook
from domain.events.battle import DieRolled
from domain.log.record import Recorded


class RecordedLots:
    """Chance that answers what was drawn; where the log has no draw, or one that cannot have been, 1."""

    def __init__(self, state: CampaignState, following: Sequence[Recorded]) -> None:
        self._faces = _faces(state, following)

    def card(self, scope: str, pile: Sequence[str], t: int, deck: str) -> str:
        return pile[0]

    def die(self, scope: str, sides: int, t: int = 0, values: Sequence[int] = ()) -> int:
        return min(next(self._faces, 1), sides)


def circumstances(
    state: CampaignState, entry: Recorded, following: Sequence[Recorded], book: CampaignBook | None
) -> Circumstances:
    """What an input was judged by. Battles and hashes are those of the `BattleSet` behind it, and who had not shown
    themselves are those whom it names as late: of all others the log says that nothing was due. That the battle of a
    challenge was stopped is the host's word."""
    sets = {fact.event.board: fact.event for fact in reversed(following) if isinstance(fact.event, BattleSet)}
    absent = dict(_absent(following))
    shown = {
        board.place.name: frozenset(board.place.pair) - absent.get(board.place.name, frozenset())
        for each in state.rounds
        if each.open
        for board in map(state.boards.__getitem__, each.boards)
    }

    def battle(place: Place) -> str:
        return sets[place.name].battle if place.name in sets else ""

    def scenario(place: Place) -> str:
        return sets[place.name].scenario if place.name in sets else ""

    def digest(named: str) -> str:
        if named in packaged:
            return packaged[named]
        return sets[""].scenario if "" in sets else ""

    packaged = dict(_packaged(state, sets.values()))
    chance = RecordedLots(state, following)
    return Circumstances(
        moment_of(entry.at), chance, battle, scenario, shown, digest=digest, book=book, is_stopped=lambda battle: True
    )


def _packaged(state: CampaignState, sets: Iterable[BattleSet]) -> Iterator[tuple[str, str]]:
    """The hashes that a log names for the packaged scenarios of a node."""
    for event in sets:
        if state.has_forces and not event.fielded:
            yield scenario_named(state, Place(event.board, event.round, event.south, event.north)), event.scenario


def _absent(following: Sequence[Recorded]) -> Iterator[tuple[str, frozenset[str]]]:
    for entry in following:
        event = entry.event
        if isinstance(event, LateNoted) and event.what == SHOW and isinstance(event.board, str):
            yield event.board, frozenset(event.who)
        elif isinstance(event, DefaultGiven) and event.reason == NO_SHOW:
            yield event.board, frozenset(event.losers)


def _faces(state: CampaignState, following: Sequence[Recorded]) -> Iterator[int]:
    """The faces that lead to the draws behind an input."""
    places = {entry.event.board: entry.event.north for entry in following if isinstance(entry.event, BattleSet)}
    for entry in following:
        event = entry.event
        if isinstance(event, LotsDrawn):
            left = [entrant.id for entrant in state.competing()]
            for name in event.order:
                at = left.index(name) if name in left else 0
                del left[at : at + 1]
                yield at + 1
        elif isinstance(event, LotCast):
            board = state.boards.get(event.board)
            north = board.place.north if board is not None else places.get(event.board, "")
            yield 1 + (event.through == north)
        elif isinstance(event, DieRolled):
            yield event.value
