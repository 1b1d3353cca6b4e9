"""To the Strongest!: a square grid, playing cards instead of dice, medals that decide who wins.

One module per chapter of the rules; `RULESET` is what the engine sees.
"""

from functools import reduce
from operator import or_

from domain import events as core
from domain.events import Event
from domain.ruleset import Ruleset
from domain.rulesets.to_the_strongest import decks, phases, scenario, secrets
from domain.rulesets.to_the_strongest.adjudication import DECISIONS, EVOLUTIONS, STEPS
from domain.rulesets.to_the_strongest.final import final, stacked, tally
from domain.rulesets.to_the_strongest.in_force import standing_orders
from domain.rulesets.to_the_strongest.notation import parse, write
from domain.rulesets.to_the_strongest.options import options
from domain.rulesets.to_the_strongest.senses import SENSES
from domain.rulesets.to_the_strongest.state import State
from domain.rulesets.to_the_strongest.view import view
from domain.rulesets.to_the_strongest.wording import narrate

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
"""The rule IDs of section 30 for the events that every game has."""

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
