"""A cup of bots as a newcomer reads it: lots, rounds with their results, tables, the end, some reasons."""

from collections.abc import Iterator

from domain.campaign.state import CampaignState, RoundState
from server.offline.cup import ENTRANTS, OfflineCup
from server.shown.campaign_reasons import reasons_of


def watch(cup: OfflineCup) -> Iterator[str]:
    """A cup as it is fought, board by board, as blocks of text."""
    yield from _beginning(cup)
    told = 0
    while waiting := cup.running():
        each = cup.state.rounds[-1]
        if each.number > told:
            yield from _round_begins(cup, each)
            told = each.number
        fought = cup.fight(waiting[0])
        south, north = (cup.state.entrants[name].name for name in fought.board.place.pair)
        kept = " : ".join(map(str, fought.board.kept))
        yield f"  {fought.board.place.name}  {south} – {north}, kept {kept}. {fought.story}"
        if cup.state.round > told or cup.state.is_over:
            yield from _table(cup, told)
    winners = ", ".join(cup.state.entrants[name].name for name in cup.state.winners or ())
    yield f"\n{winners} has won the cup."
    yield from _why(cup)


def _beginning(cup: OfflineCup) -> Iterator[str]:
    kinds = {entrant: bot for entrant, _, bot in ENTRANTS}
    state = cup.state
    yield f"{cup.config.title}: {cup.ruleset.title}, {state.cup.rounds} rounds by the Swiss system."
    yield (
        "In each round everybody meets somebody who has fared alike and whom they have not met. A victory is 2 points, "
        "a draw 1;\nkept is what each side has left at the end, south : north, in thousandths of its strength."
    )
    drawn = (f"{rank} {state.entrants[name].name} ({kinds[name]} bot)" for rank, name in enumerate(state.order, 1))
    yield f"The lots give the ranks: {', '.join(drawn)}."


def _round_begins(cup: OfflineCup, each: RoundState) -> Iterator[str]:
    yield f"\nRound {each.number}"
    yield from (f"  {cup.state.entrants[name].name} has no opponent: a bye, worth a victory." for name in each.byes)


def _table(cup: OfflineCup, number: int) -> Iterator[str]:
    yield f"  The table after round {number}:"
    for place, row in enumerate(cup.table_after(number), 1):
        figures = ", ".join(f"{one.name} {one.value}" for one in row.figures if one.name != "lots")
        yield f"    {place}. {cup.state.entrants[row.entrant].name:<10} points {row.points} ({figures})"


def _why(cup: OfflineCup) -> Iterator[str]:
    """The reasons of a board, of a bye and of the first place, with their rules: nothing is the host's whim."""
    for title, about in _asked(cup.state):
        yield f"\n{title}"
        yield from (f"  {one.text} [{one.rule}]" for one in reasons_of(cup.events, cup.state, about, "en").reasons)


def _asked(state: CampaignState) -> Iterator[tuple[str, str]]:
    board = state.rounds[-1].boards[0]
    south, north = (state.entrants[name].name for name in state.boards[board].place.pair)
    yield f"Why did {south} meet {north} on board {board}?", board
    for winner in state.winners or ():
        yield f"Why does {state.entrants[winner].name} stand where they stand?", winner
