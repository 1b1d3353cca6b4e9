"""Warmaster Evolution, the shooting phase: stands in free measure, batches of dice, drive-backs, counter-charge fire.

One module per chapter of the rules; `RULESET` is what the engine sees.
"""

from functools import partial

from domain.contract.branch_rules import BranchRules
from domain.contract.dossier import TableState
from domain.contract.order_help import read_help
from domain.contract.ruleset import DrawRules, OpeningRules, OrderRules, PlayRules, Presentation, Ruleset
from domain.contract.settable import CorrectionRules
from domain.games.warmaster_shooting.adjudication import DECISIONS, EVOLUTIONS, STEPS
from domain.games.warmaster_shooting.at_stake import stake
from domain.games.warmaster_shooting.bot import BOTS
from domain.games.warmaster_shooting.chapters import corrections, set_lines, turns
from domain.games.warmaster_shooting.chapters.volleys import D6
from domain.games.warmaster_shooting.flaws import flaws
from domain.games.warmaster_shooting.orders.notation import parse, write
from domain.games.warmaster_shooting.orders.options import options, tried
from domain.games.warmaster_shooting.orders.senses import SENSES
from domain.games.warmaster_shooting.orders.standing import standing_orders
from domain.games.warmaster_shooting.shown.dossier import dossier, names, to_win
from domain.games.warmaster_shooting.shown.final import final, strength, tally
from domain.games.warmaster_shooting.shown.heraldry import shields
from domain.games.warmaster_shooting.shown.size import size_of
from domain.games.warmaster_shooting.shown.summary import EFFECTS, GIST, STORY, USEFUL
from domain.games.warmaster_shooting.shown.view import view
from domain.games.warmaster_shooting.shown.wording import narrate
from domain.games.warmaster_shooting.state import scenario
from domain.games.warmaster_shooting.state.profiles import CODE
from domain.games.warmaster_shooting.state.state import State
from domain.games.warmaster_shooting.trials import trial

RULES = {
    "SideJoined": "WMS-SEQ-08",
    "PhaseBegan": turns.PHASE,
    "TurnBegan": turns.TURN,
    "TurnEnded": turns.TURN,
    "DieRolled": "WMS-DIE-01",
    "DecisionAsked": "WMS-SEQ-11",
    "DecisionMade": "WMS-SEQ-11",
    "StandingOrderSet": "WMS-SEQ-11",
    "SideResigned": "WMS-WIN-03",
    "DrawOffered": "WMS-WIN-04",
    "DrawAccepted": "WMS-WIN-04",
    "DrawDeclined": "WMS-WIN-04",
    "DrawLapsed": "WMS-WIN-04",
}
"""The rule IDs of this game for the events that every game has."""

RULESET = Ruleset(
    code=CODE,
    version="1.1",
    releases={"1.0": "0.3.0", "1.1": "0.4.0"},
    title="Warmaster Evolution: the shooting phase",
    opening=OpeningRules(load=scenario.load, begin=turns.begin),
    rules=PlayRules(initial=State(), evolutions=EVOLUTIONS, steps=STEPS, cited=RULES),
    orders=OrderRules(
        decisions=DECISIONS,
        parse=parse,
        write=write,
        options=options,
        senses=SENSES,
        tried=tried,
        in_advance={"fire": "standing fire {unit} always", "make-way": "standing make-way {unit} yes"},
        waits_first=True,
        standing=standing_orders,
    ),
    draws=DrawRules(trial=trial, stake=stake, faces={D6.sides: (D6.values,)}),
    corrections=CorrectionRules(
        facts=corrections.FACTS,
        phases=frozenset({"command", "shooting", "drive-back"}),
        read=set_lines.read,
        write=set_lines.write,
        french=set_lines.FRENCH,
        decide=corrections.decide,
        end_turn=corrections.end_turn,
        require=corrections.require,
    ),
    branches=BranchRules(flaws=flaws),
    shown=Presentation(
        view=view,
        table=TableState(dossier=dossier, fields=("shoot",), to_win=to_win, names=names, shields=shields),
        narrate=narrate,
        size=size_of,
        final=final,
        strength=strength,
        tally=tally,
        help=partial(read_help, CODE),
        goal="wms.goal",
        useful=USEFUL,
        gist=GIST,
        effects=EFFECTS,
        story=STORY,
    ),
    bots=BOTS,
)
