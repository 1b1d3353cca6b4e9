"""What an application holds of its limits: who may do how much, who waits for whom, what is made for many at once."""

import time
from collections.abc import Callable

from aiohttp import web

from replay.writing.entropy import Entropy
from server.settings import Settings
from server.web.connections import Connections
from server.web.crowd import CROWD, Crowd
from server.web.kept import ANSWER_BYTES, KeptAnswers
from server.web.keys import CONNECTIONS, FILES, KEPT, MAKING, PUZZLES, RATES, READING, SHARES, TURNS
from server.web.puzzles import Puzzles
from server.web.rates import RateLimits
from server.web.reading_rate import ReadingRate
from server.web.shared_making import SharedFiles, SharedMaking
from server.web.turns import Shares, Turns


def add_bounds(app: web.Application, settings: Settings, now_s: Callable[[], float], entropy: Entropy) -> None:
    """Give an application its limits, as the settings have them. `now_s`: the clock of the server, in seconds."""
    app[KEPT] = kept = KeptAnswers(ANSWER_BYTES)
    app[CROWD], app[SHARES] = Crowd(), Shares()
    app[TURNS] = turns = Turns()
    app[MAKING], app[FILES] = SharedMaking(kept, turns), SharedFiles(turns)
    app[RATES] = RateLimits(now_s, settings.limits.rates)
    app[PUZZLES] = Puzzles(now_s, entropy)
    app[READING] = ReadingRate(settings.limits.reads, time.monotonic)
    app[CONNECTIONS] = Connections(settings.limits, settings.trusted_proxies, settings.base)
