"""The rolls behind the story: who was honoured."""

from replay.reports.campaign.parts import ReportTeller, Roll, ToldLine


def honours_of_battles(teller: ReportTeller) -> Roll | None:
    """The honours of all battles, by entrant in the order of joining; None where there are none."""
    state = teller.state
    found: dict[str, list[ToldLine]] = {
        name: [] for name in sorted(state.entrants, key=lambda one: state.entrants[one].first)
    }
    boards = [*(state.boards[name] for each in state.rounds for name in each.boards), *state.duels.values()]
    for board in boards:
        short = teller.shorts.get(board.battle)
        if short is None or board.is_running:
            continue
        for entrant, side in zip(board.place.pair, short.sides, strict=True):
            for one in side.honours:
                words = teller.say("roll.honour", title=one.title, board=board.place.name, text=one.text)
                found[entrant].append(ToldLine(words, teller.battle(board.battle, one.n)))
    groups = tuple((teller.name(entrant), tuple(lines)) for entrant, lines in found.items() if lines)
    return Roll(teller.say("honours"), groups) if groups else None
