"""To the Strongest!: a square grid, playing cards instead of dice, medals that decide who wins.

One module per chapter of the rules; `RULESET` is what the engine sees.
"""

from functools import partial

from domain.contract.armies import ArmyBook, BattleChoice
from domain.contract.branch_rules import BranchRules
from domain.contract.dossier import TableState
from domain.contract.option import GroupOrders
from domain.contract.order_help import read_help
from domain.contract.ruleset import DrawRules, OpeningRules, OrderRules, PlayRules, Presentation, Ruleset, SecrecyRules
from domain.contract.settable import CorrectionRules
from domain.games.to_the_strongest import branching, proof, secrets
from domain.games.to_the_strongest.adjudication import DECISIONS, EVOLUTIONS, STEPS
from domain.games.to_the_strongest.armies import army, bringing, changing, checks, lists, making, points_battle
from domain.games.to_the_strongest.at_stake import stake
from domain.games.to_the_strongest.bot import BOTS
from domain.games.to_the_strongest.campaign.book import BOOK
from domain.games.to_the_strongest.chapters import corrections, decks, phases, set_lines
from domain.games.to_the_strongest.chapters.rally import NOT_DISORDERED
from domain.games.to_the_strongest.chapters.turns import NONE_OPEN, order_before
from domain.games.to_the_strongest.flaws import flaws
from domain.games.to_the_strongest.orders.notation import parse, write
from domain.games.to_the_strongest.orders.options import group_options, options
from domain.games.to_the_strongest.orders.senses import SENSES
from domain.games.to_the_strongest.orders.standing_in_force import standing_orders
from domain.games.to_the_strongest.orders.standing_usual import usual
from domain.games.to_the_strongest.orders.wishes import tried, tried_together
from domain.games.to_the_strongest.shown.dossier import coins, dossier, names, to_win
from domain.games.to_the_strongest.shown.final import final, stacked, tally
from domain.games.to_the_strongest.shown.forces import forces
from domain.games.to_the_strongest.shown.heraldry import shield_of_list, shields
from domain.games.to_the_strongest.shown.size import size_of
from domain.games.to_the_strongest.shown.summary import EFFECTS, GIST, USEFUL, traits
from domain.games.to_the_strongest.shown.view import view
from domain.games.to_the_strongest.shown.wording import narrate
from domain.games.to_the_strongest.state import scenario
from domain.games.to_the_strongest.state.state import State
from domain.games.to_the_strongest.trials import trial

RULES = {
    "BattleOpened": "TTS-TRN-01",
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

IN_ADVANCE = {
    "evade": "standing evade {unit} heavier",
    "replay": "standing replay always if needs at most 6",
}
"""What answers a decision beforehand."""

CODE = "tts"

RULESET = Ruleset(
    code=CODE,
    version="1.1",
    releases={"1.0": "0.1.0", "1.1": "0.2.0"},
    title="To the Strongest!",
    opening=OpeningRules(load=scenario.load, set_up=decks.set_up, begin=phases.begin, proceed=phases.proceed),
    rules=PlayRules(initial=State(), evolutions=EVOLUTIONS, steps=STEPS, cited=RULES),
    orders=OrderRules(
        decisions=DECISIONS,
        parse=parse,
        write=write,
        options=options,
        senses=SENSES,
        tried=tried,
        groups=GroupOrders(options=group_options, tried=tried_together),
        before=order_before,
        prepares=frozenset({"corps"}),
        needless=frozenset({NONE_OPEN, NOT_DISORDERED}),
        in_advance=IN_ADVANCE,
        standing=standing_orders,
        usual=usual,
    ),
    secrets=SecrecyRules(
        fields=secrets.private_fields,
        order=secrets.is_private_order,
        rows=secrets.ROWS,
        excuse=secrets.excuse,
        known=secrets.known,
    ),
    draws=DrawRules(
        pile=decks.pile,
        stacked=stacked,
        trial=trial,
        stake=stake,
        decks=proof.decks,
        given=proof.GIVEN,
        deck_options=proof.DECK_OPTIONS,
        looks=proof.LOOKS,
    ),
    corrections=CorrectionRules(
        facts=corrections.FACTS,
        phases=frozenset({"turns"}),
        read=set_lines.read,
        write=set_lines.write,
        french=set_lines.FRENCH,
        decide=corrections.decide,
        end_turn=corrections.end_turn,
        require=corrections.require,
    ),
    branches=BranchRules(flaws=flaws, detached=branching.detached, dealt=branching.dealt, decks=branching.piles),
    shown=Presentation(
        view=view,
        table=TableState(
            dossier=dossier,
            fields=("control", "shoot", "command"),
            to_win=to_win,
            names=names,
            coins=coins,
            forces=forces,
            shields=shields,
            shield_of=shield_of_list,
        ),
        narrate=narrate,
        size=size_of,
        final=final,
        tally=tally,
        tallied="tts.tally",
        help=partial(read_help, CODE),
        kinds={"play": "tts.stratagems"},
        notes={"corps": "tts.note.corps", "done": "tts.note.done", "end-turn": "tts.note.end-turn"},
        held="tts.stratagems-held",
        goal="tts.goal",
        useful=USEFUL,
        gist=GIST,
        effects=EFFECTS,
        traits=traits,
    ),
    bots=BOTS,
    armies=ArmyBook(
        usual_size=lists.USUAL_SIZE,
        lists=lists.army_lists,
        army_list=lists.army_list,
        read=army.read_army,
        price=army.price,
        findings=checks.findings,
        new=making.new_army,
        battle=points_battle.points_battle,
        change=changing.changed,
        bring=bringing.brought,
        is_of_points=bringing.is_of_points,
        about="tts.points-battle",
        choices=(
            BattleChoice("stratagems_per_side", "tts.option.stratagems", 1, 5),
            BattleChoice("blind_deployment", "tts.option.blind", False),
        ),
    ),
    campaign=BOOK,
)
