"""To the Strongest!: a square grid, playing cards instead of dice, medals that decide who wins.

One module per chapter of the rules; `RULESET` is what the engine sees.
"""

from functools import reduce
from operator import or_

from domain.engine import events as core
from domain.engine.events import Event
from domain.games.to_the_strongest import secrets
from domain.games.to_the_strongest.adjudication import DECISIONS, EVOLUTIONS, STEPS
from domain.games.to_the_strongest.chapters import decks, phases
from domain.games.to_the_strongest.orders.notation import parse, write
from domain.games.to_the_strongest.orders.options import options
from domain.games.to_the_strongest.orders.senses import SENSES
from domain.games.to_the_strongest.orders.standing_in_force import standing_orders
from domain.games.to_the_strongest.shown.final import final, stacked, tally
from domain.games.to_the_strongest.shown.view import view
from domain.games.to_the_strongest.shown.wording import narrate
from domain.games.to_the_strongest.state import scenario
from domain.games.to_the_strongest.state.state import State
from domain.ruleset import Ruleset

CODE = "tts"
VERSION = "1.0"

RULES = {
    "BattleOpened": "TTS-TRN-01",
    "SideJoined": "TTS-TRN-01",
    "PhaseBegan": "TTS-TRN-01",
    "TurnBegan": "TTS-TRN-02",
    "TurnEnded": "TTS-TRN-06",
    "StandingOrderSet": "TTS-TRN-11",
    "DeckShuffled": "TTS-DCK-03",
    "CardDrawn": "TTS-DCK-02",
    "DecisionAsked": "TTS-TRN-10",
    "DecisionMade": "TTS-TRN-10",
    "SideResigned": "TTS-WIN-03",
    "DrawOffered": "TTS-WIN-04",
    "DrawAccepted": "TTS-WIN-04",
    "DrawDeclined": "TTS-WIN-04",
    "DrawLapsed": "TTS-WIN-04",
}
"""The rule IDs of this game for the events that every game has."""

CATALOGUE: dict[str, type[Event]] = {
    event.__name__: event for event in (core.SideJoined, core.BattleEnded, *EVOLUTIONS)
}


def active(state: State) -> tuple[str, ...]:
    """The side that orders now, if the battle waits for one."""
    return (state.active,) if state.active else ()


RULESET = Ruleset(
    code=CODE,
    version=VERSION,
    title="To the Strongest!",
    events=CATALOGUE,
    rules=RULES,
    private=secrets.private_fields,
    private_order=secrets.is_private_order,
    scopes=secrets.public_scopes,
    command=reduce(or_, DECISIONS),
    evolutions=EVOLUTIONS,
    steps=STEPS,
    decisions=DECISIONS,
    initial=State(),
    load=scenario.load,
    set_up=decks.set_up,
    begin=phases.begin,
    proceed=phases.proceed,
    parse=parse,
    write=write,
    active=active,
    options=options,
    known=secrets.known,
    view=view,
    narrate=narrate,
    final=final,
    tally=tally,
    pile=decks.pile,
    stacked=stacked,
    standing=standing_orders,
    senses=SENSES,
)
