"""Singidunum: hexes, a special die, single actions in turns, reactions of the other side, hidden ambushes.

One module per chapter of the rules; `RULESET` is what the engine sees.
"""

from functools import partial

from domain.contract.branch_rules import BranchRules
from domain.contract.dossier import TableState
from domain.contract.option import GroupOrders
from domain.contract.order_help import read_help
from domain.contract.ruleset import DrawRules, OpeningRules, OrderRules, PlayRules, Presentation, Ruleset, SecrecyRules
from domain.contract.settable import CorrectionRules
from domain.games.singidunum import branching, secrets
from domain.games.singidunum.adjudication import DECISIONS, EVOLUTIONS, STEPS
from domain.games.singidunum.at_stake import stake
from domain.games.singidunum.bot import BOTS
from domain.games.singidunum.campaign.book import BOOK
from domain.games.singidunum.chapters import corrections, turns
from domain.games.singidunum.chapters.dice import FIGHT, PLAIN_DIE
from domain.games.singidunum.flaws import flaws
from domain.games.singidunum.orders.notation import parse, write
from domain.games.singidunum.orders.options import options
from domain.games.singidunum.orders.senses import SENSES
from domain.games.singidunum.orders.standing_in_force import standing_orders
from domain.games.singidunum.orders.wishes import tried, tried_together
from domain.games.singidunum.shown.dossier import dossier, names, to_win
from domain.games.singidunum.shown.final import final, strength, tally
from domain.games.singidunum.shown.heraldry import shields
from domain.games.singidunum.shown.size import size_of
from domain.games.singidunum.shown.summary import EFFECTS, GIST, USEFUL
from domain.games.singidunum.shown.view import view
from domain.games.singidunum.shown.wording import narrate
from domain.games.singidunum.state import scenario, setup
from domain.games.singidunum.state.state import State
from domain.games.singidunum.trials import trial

RULES = {
    "BattleOpened": "PRG-SEQ-01",
    "PhaseBegan": "PRG-SEQ-11",
    "TurnBegan": "PRG-SEQ-01",
    "TurnEnded": "PRG-SEQ-08",
    "StandingOrderSet": "PRG-SEQ-12",
    "DecisionAsked": "PRG-SEQ-12",
    "DecisionMade": "PRG-SEQ-12",
    "SideResigned": "PRG-SEQ-13",
    "DrawOffered": "PRG-SEQ-13",
    "DrawAccepted": "PRG-SEQ-13",
    "DrawDeclined": "PRG-SEQ-13",
    "DrawLapsed": "PRG-SEQ-13",
}
"""The rule IDs of this game for the events that every game has."""

CODE = "singidunum"

RULESET = Ruleset(
    code=CODE,
    version="1.1",
    releases={"1.0": "0.3.0", "1.1": "0.4.0"},
    title="Singidunum",
    opening=OpeningRules(load=scenario.load, set_up=setup.lay_ambushes, begin=turns.begin, proceed=turns.proceed),
    rules=PlayRules(
        initial=State(),
        evolutions=EVOLUTIONS,
        steps=STEPS,
        active=turns.active,
        awaited=turns.awaited,
        cited=RULES,
    ),
    orders=OrderRules(
        decisions=DECISIONS,
        parse=parse,
        write=write,
        options=options,
        senses=SENSES,
        tried=tried,
        groups=GroupOrders(tried=tried_together),
        in_advance={
            "reaction": "standing reaction {unit} accept",
            "retreat": "standing retreat {unit} home",
            "cornered": "standing cornered {unit} stay",
            "allow": "standing second allow",
            "pursuit": "standing pursuit {unit} yes",
            "hold": "standing hold {unit} yes",
        },
        waits_first=True,
        standing=standing_orders,
    ),
    secrets=SecrecyRules(
        fields=secrets.private_fields,
        rows=secrets.ROWS,
        founding=secrets.FOUNDING,
        excuse=secrets.excuse,
        known=secrets.known,
    ),
    draws=DrawRules(trial=trial, stake=stake, faces={FIGHT.sides: (FIGHT.values, PLAIN_DIE.values)}),
    corrections=CorrectionRules(
        facts=corrections.FACTS,
        phases=frozenset({turns.TURNS}),
        read=corrections.read,
        write=corrections.write,
        french=corrections.FRENCH,
        decide=corrections.decide,
        end_turn=corrections.end_turn,
        require=corrections.require,
    ),
    branches=BranchRules(flaws=flaws, detached=branching.detached, dealt=branching.dealt),
    shown=Presentation(
        view=view,
        table=TableState(dossier=dossier, fields=("shoot", "command"), to_win=to_win, names=names, shields=shields),
        narrate=narrate,
        size=size_of,
        final=final,
        strength=strength,
        tally=tally,
        tallied="singidunum.tally",
        help=partial(read_help, CODE),
        kinds={"army": "singidunum.armies"},
        goal="singidunum.goal",
        useful=USEFUL,
        gist=GIST,
        effects=EFFECTS,
    ),
    bots=BOTS,
    campaign=BOOK,
)
