"""Shot to Pieces: seven periods in free measure, D4s and markers, orders of corps.

One module per chapter of the rules; `RULESET` is what the engine sees.
"""

from functools import partial

from domain.contract.branch_rules import BranchRules
from domain.contract.dossier import TableState
from domain.contract.option import GroupOrders
from domain.contract.order_help import read_help
from domain.contract.ruleset import DrawRules, OpeningRules, OrderRules, PlayRules, Presentation, Ruleset
from domain.contract.settable import CorrectionRules
from domain.games.shot_to_pieces.adjudication import DECISIONS, EVOLUTIONS, STEPS
from domain.games.shot_to_pieces.at_stake import stake
from domain.games.shot_to_pieces.bot import BOTS
from domain.games.shot_to_pieces.campaign.book import BOOK
from domain.games.shot_to_pieces.chapters import corrections, set_lines, turns
from domain.games.shot_to_pieces.chapters.dice import FACES
from domain.games.shot_to_pieces.flaws import flaws
from domain.games.shot_to_pieces.orders.free_ends import free_ends
from domain.games.shot_to_pieces.orders.group_options import chosen_options, chosen_tried
from domain.games.shot_to_pieces.orders.notation import parse, write
from domain.games.shot_to_pieces.orders.options import options, tried
from domain.games.shot_to_pieces.orders.references import REFERRING, spelled_out
from domain.games.shot_to_pieces.orders.referring import UNRESOLVED
from domain.games.shot_to_pieces.orders.senses import SENSES
from domain.games.shot_to_pieces.orders.standing import spared_by, standing_orders, usual
from domain.games.shot_to_pieces.shown.captions import brief_captions
from domain.games.shot_to_pieces.shown.dossier import dossier, names, to_win
from domain.games.shot_to_pieces.shown.final import final, strength, tally
from domain.games.shot_to_pieces.shown.heraldry import shields
from domain.games.shot_to_pieces.shown.size import size_of
from domain.games.shot_to_pieces.shown.summary import APART, EFFECTS, GIST, STORY, USEFUL, traits
from domain.games.shot_to_pieces.shown.view import view
from domain.games.shot_to_pieces.shown.wording import narrate
from domain.games.shot_to_pieces.state import scenario
from domain.games.shot_to_pieces.state.state import State
from domain.games.shot_to_pieces.state.vocabulary import CODE
from domain.games.shot_to_pieces.trials import trial

RULES = {
    "SideJoined": "CORE-SIDE",
    "PhaseBegan": "STP-SEQ-01",
    "TurnBegan": "STP-SEQ-01",
    "TurnEnded": "STP-SEQ-01",
    "DieRolled": "STP-GEN-01",
    "DecisionAsked": "STP-DEC-01",
    "DecisionMade": "STP-DEC-01",
    "StandingOrderSet": "STP-DEC-02",
    "SideResigned": "STP-WIN-03",
    "DrawOffered": "STP-WIN-04",
    "DrawAccepted": "STP-WIN-04",
    "DrawDeclined": "STP-WIN-04",
    "DrawLapsed": "STP-WIN-04",
}
"""The rule IDs of this game for the events that every game has."""

RULESET = Ruleset(
    code=CODE,
    version="1.0",
    releases={"1.0": "0.4.0"},
    title="Shot to Pieces",
    opening=OpeningRules(load=scenario.load, begin=turns.begin, proceed=turns.proceed),
    rules=PlayRules(initial=State(), evolutions=EVOLUTIONS, steps=STEPS, cited=RULES),
    orders=OrderRules(
        decisions=DECISIONS | REFERRING,
        parse=parse,
        write=write,
        spelled_out=spelled_out,
        unresolved=UNRESOLVED,
        options=options,
        tried=tried,
        senses=SENSES,
        groups=GroupOrders(chosen_options, chosen_tried),
        free_ends=free_ends,
        in_advance={
            "evade": "standing evade all close",
            "pursue": "standing pursue place",
            "advance": "standing advance never",
            "reroll": "standing reroll always",
        },
        spared_by=spared_by,
        asked_first=True,
        standing=standing_orders,
        usual=usual,
    ),
    draws=DrawRules(trial=trial, stake=stake, faces=FACES),
    corrections=CorrectionRules(
        facts=corrections.FACTS,
        phases=corrections.PHASES,
        read=set_lines.read,
        write=set_lines.write,
        french=set_lines.FRENCH,
        decide=corrections.decide,
        require=corrections.require,
    ),
    branches=BranchRules(flaws=flaws),
    bots=BOTS,
    shown=Presentation(
        view=view,
        table=TableState(
            dossier=dossier,
            fields=("shoot", "control", "command"),
            to_win=to_win,
            names=names,
            shields=shields,
        ),
        narrate=narrate,
        brief=brief_captions,
        size=size_of,
        final=final,
        strength=strength,
        tally=tally,
        tallied="stp.tally",
        help=partial(read_help, CODE),
        goal="stp.goal",
        useful=USEFUL,
        gist=GIST,
        story=STORY,
        apart=APART,
        effects=EFFECTS,
        traits=traits,
    ),
    campaign=BOOK,
)
