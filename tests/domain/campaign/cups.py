"""Swiss cups that are played by chance: for each round what was known before it, and what was paired."""

import random

from domain.campaign.boards import BoardResult, Contest, Idle, places_of
from domain.campaign.swiss import contenders_of, pair_round


def random_cup(rng: random.Random, entrants, rounds, apart=(), defaults=0.1, leaving=0.02):
    """Yields (contest before the round, absent, round number, what was paired)."""
    contest = Contest(tuple(entrants))
    for number in range(1, rounds + 1):
        absent = {each for each in entrants if rng.random() < leaving}
        contenders = contenders_of(contest, absent)
        paired = pair_round(contenders, number, apart)
        yield contest, absent, number, paired
        places = places_of(number, paired.pairs)
        idle = [Idle(each, number, "absent") for each in absent]
        idle += [Idle(paired.bye, number, "bye")] if paired.bye else []
        outcomes = [result_of(rng, place, defaults) for place in places]
        contest = Contest(
            contest.entrants,
            (*contest.places, *places),
            (*contest.outcomes, *outcomes),
            (*contest.idle, *idle),
        )


def result_of(rng, place, defaults=0.1):
    """A battle, or now and then a default of one or both."""
    winner = rng.choice([*place.pair, ""])
    if rng.random() < defaults:
        losers = tuple(each for each in place.pair if each != winner)
        return BoardResult(place, winner, "no-show", is_default=True, losers=losers)
    kept = (rng.randrange(1001), rng.randrange(1001))
    return BoardResult(place, winner, "medals", kept)
