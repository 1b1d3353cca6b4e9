"""The contract between the engine and a game: what a game has to say, in named groups.

A `Ruleset` is a frozen record of data and functions, not a base class: the server, the replay tools, `lab` and the
tests know no more of a game than this. `domain.engine` calls these functions and holds everything that is the same for
every game; a game calls `domain.mechanics` and the `Judge` it is given, and nothing calls back into it by other ways.

Each group is generic in the game's state (`S`), so that its functions are checked against each other; whoever
holds a `Ruleset` holds one of any state. Groups have defaults where most games agree: a game says what differs.
All functions are pure. `side` is one of `Ruleset.seats` or `NOBODY`; a *known* state is one from `SecrecyRules.known`,
and everything that leaves the server is made from a known state.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, reduce
from operator import or_
from typing import Any, Generic, cast

from msgspec import Struct
from msgspec.structs import asdict, replace

from domain.basics.commands import SHARED_COMMANDS, Command, Resign
from domain.basics.errors import Refusal
from domain.basics.message import Message
from domain.basics.seats import SOUTH_AND_NORTH, Seats
from domain.contract import dispute_lines
from domain.contract.armies import ArmyBook
from domain.contract.branch_rules import BranchRules, on_opened, thawed
from domain.contract.campaign_book import CampaignBook
from domain.contract.dispute_lines import DisputeOrder
from domain.contract.dossier import TableState
from domain.contract.effect import Effect
from domain.contract.free_ends import FindEnds
from domain.contract.option import GroupOrders, Option
from domain.contract.order_help import HelpChapter
from domain.contract.scene import Scene
from domain.contract.sealed_rows import SealedRow
from domain.contract.senses import NO_QUERIES, Senses
from domain.contract.settable import CorrectionRules, with_corrections
from domain.contract.size import Size, no_size
from domain.contract.weight import Weight
from domain.engine.judge import Judge
from domain.engine.state import EVOLUTIONS, Evolution, GameState, S, unchanged
from domain.events.battle import BattleOpened, DecisionAsked, Event, Fact, StandingOrderSet
from domain.events.event import of_core
from domain.log.chance import Chance
from domain.mechanics.stake import Drawn, Stake
from domain.mechanics.trial import Trial

NOBODY = ""
"""The side of a reader who plays neither: `known(state, NOBODY)`."""


class Breach(Struct, frozen=True, gc=False):
    """Why a block of a log is not what the rules decide from what is open (`replay.proof.audit`).

    `what` is the fault: `not-allowed` (then `code` and `params` are those of the refusal), `event-differs`,
    `event-missing`, `event-without-cause` (then `expected` and `found` are the first facts that differ, None where one
    ends), `draw-missing`, `draw-unused`, `not-judgeable`. `side` is that of the input, "" for one without; `block` are
    the consequences that the log has.
    """

    what: str
    side: str = ""
    block: tuple[Event, ...] = ()
    code: str = ""
    params: Mapping[str, Any] = {}
    expected: Fact | None = None
    found: Fact | None = None


# --- defaults


def _plain_opening(scenario: Mapping[str, Any]) -> Event:
    return BattleOpened(ruleset=scenario["ruleset"])


def _nothing(judge: Judge[Any]) -> None:
    pass


def _whose_turn(state: GameState) -> tuple[str, ...]:
    return (state.active,) if state.active else ()


def _hidden_standing(state: GameState, event: Event) -> tuple[str, ...]:
    return ("unit", "value") if type(event) is StandingOrderSet else ()


def _declared_private(state: GameState, command: Command) -> bool:
    return command.PRIVATE


def _no_excuse(state: Any, breach: Breach, hidden: Mapping[int, Event]) -> int:
    return 0


def _own_standing(state: S, side: str) -> S:
    if all(order.side == side for order in state.standing):
        return state
    return replace(state, standing=tuple(order for order in state.standing if order.side == side))


def _no_deck(state: GameState, deck: str) -> tuple[str, ...]:
    return ()


def _dice_alone(opening: Mapping[str, Any]) -> Mapping[str, tuple[str, ...]]:
    return {}


def _no_trial(state: Any, fact: Fact) -> Trial | None:
    return None


def _no_stake(drawn: Sequence[Drawn], fact: Fact, earlier: Sequence[Event]) -> Sequence[Stake] | None:
    return None


def _stacked_dice(case: Mapping[str, Any]) -> dict[str, list[int | str]]:
    return {f"dice:{name}": list(values) for name, values in case.get("dice", {}).items()}


def _as_given(state: GameState, side: str, command: Command) -> Command:
    return command


def _empty(state: GameState) -> dict[str, Any]:
    return {}


def _members(state: Any, name: str) -> Mapping[str, Any]:
    unit = state.units.get(name)
    return asdict(unit) if unit else {}


def _after_core(event: type[Event], own: Evolution) -> Evolution:
    """The game's evolution behind that of the core event which `event` is or extends."""
    core = of_core(EVOLUTIONS, event) or unchanged
    if core is unchanged or core is own:
        return own
    return core if own is unchanged else lambda state, event: own(core(state, event), event)


# --- the groups


class OpeningRules(Struct, Generic[S], frozen=True, kw_only=True):
    """How a battle comes to its first order. Nothing here draws, but `proceed`."""

    begin: Callable[[Judge[S]], None]
    """Emits what follows `BattleBegan`: the first phase and, where it has none before it, the first turn."""
    load: Callable[[Mapping[str, Any]], Event] = _plain_opening
    """A scenario (parsed TOML; its `ruleset` is this game's code) to the game's `BattleOpened`.
    Raises: Refusal naming the key at fault"""
    set_up: Callable[[Judge[S]], None] = _nothing
    """Emits what follows `BattleOpened` at once: decks."""
    proceed: Callable[[Judge[S]], None] = _nothing
    """Emits what the game does by itself as soon as both sides have contributed; nothing, if nothing waits for it.
    It is asked after every contribution."""


class PlayRules(Struct, Generic[S], frozen=True, kw_only=True):
    """What happens: the state, what each event does to it, whose turn it is, the agenda."""

    initial: S
    """The state before event 1."""
    evolutions: Mapping[type[Event], Evolution]
    """What the game's own events do to the state, and what those of the core do beside the core's evolution, which
    runs first (`domain.engine.state`); each `(state, event) -> state`. The classes are the game's catalogue; one
    that extends a core event keeps its name."""
    steps: Mapping[str, Callable[..., None]] = {}
    """The steps of the agenda by name, `(judge, **arguments)`, arguments being plain values: a log may hold a
    step for weeks before it runs. A name is never reused for something else."""
    active: Callable[[S], tuple[str, ...]] = _whose_turn
    """The sides that may give ordinary orders now; by default the side whose turn `TurnBegan` opened."""
    awaited: Callable[[S], tuple[str, ...]] | None = None
    """Those of the active sides for whom the battle waits, where some of them need not order; by default all."""
    cited: Mapping[str, str] = {}
    """The game's own rule IDs for core events, by event name; without one `Event.RULE` (`CORE-…`) is cited."""


class OrderRules(Struct, Generic[S], frozen=True, kw_only=True):
    """How a player says what they want."""

    decisions: Mapping[type[Command], Callable[..., None]]
    """`(judge, side, command)` for each of the game's commands: refuses, or emits events and pushes steps. Resigning
    and draw offers are the engine's."""
    parse: Callable[[str], Command]
    """One order line. Raises: Refusal core.parse"""
    write: Callable[[Command, str], str]
    """A command in canonical notation, in a language (`en`, `fr`); `parse` reads both back to an equal command."""
    spelled_out: Callable[[S, str, Command], Command] = _as_given
    """An order of a side with the figures that it comes to in this state, as the log is to have it, where its words
    leave them to be found; by default as it is given. Signed lines stand in the log as they were signed."""
    unresolved: str = ""
    """What a line in canonical English has that `spelled_out` makes another one of: a pattern, the same to Python and
    to the scripts of the page, capitals apart; "" for none. A player's own program does not compare such a line with
    that of the log."""
    options: Callable[[S, str], Sequence[Option]]
    """The orders that a side could give, from the state as it knows it; the last one lets the battle go on."""
    senses: Senses = NO_QUERIES
    """What scripts may ask: how an order went, what the next needs, how things stand (docs/scripts.md)."""
    tried: Callable[[S, str, str], Sequence[str]] = lambda state, unit, box: ()
    """The order lines by which a player may have meant a unit to do something in a box ("" for anything), as
    `(state, unit, box)`: where the unit cannot, the refusal of the first tells why."""
    groups: GroupOrders = GroupOrders()
    """The orders to several units as one."""
    free_ends: FindEnds | None = None
    """The legal ends that fit what a player wishes for a unit; None for a game without free measure."""
    before: Callable[[Refusal], str] = lambda refusal: ""
    """The order that lifts a refusal if it is given first, in canonical notation; "" if there is none. Whoever gives
    the refused order means both (docs/decisions/0019-one-message-one-turn.md)."""
    prepares: frozenset[str] = frozenset()
    """The kinds of orders (`order` of their command) that `before` names."""
    needless: frozenset[str] = frozenset()
    """Codes of refusals of an order whose wish has come true already: behind another order it is skipped."""
    in_advance: Mapping[str, str] = {}
    """The standing order that answers a kind of decision, with its `{unit}`: a letter suggests it for the next time."""
    spared_by: Callable[[S, str], str] = lambda state, side: ""
    """The standing order that would have spared a side what it is to order now, where no decision waits; or ""."""
    waits_first: bool = False
    """Whether an answer that is not to the question that waits is refused as any other order is while one waits
    (`core.decision-pending`); by default it is refused for having no question (`core.no-decision`)."""
    asked_first: bool = False
    """Whether that holds for the answers of a side that is not asked, and for no others."""
    standing: Callable[[S, str, str], Sequence[str]] = lambda state, side, lang: ()
    """The standing orders of a side that may still answer, as lines in a language; from the state as it knows it."""
    usual: Callable[[S, str], Sequence[str]] = lambda state, side: ()
    """The standing orders that most players would give a side now, in canonical notation, from the state as it knows
    it: a letter offers them all under one word."""


class SecrecyRules(Struct, Generic[S], frozen=True, kw_only=True):
    """What each side may know. By default standing orders are secret, and nothing else is."""

    fields: Callable[[S, Event], tuple[str, ...]] = _hidden_standing
    """The fields of an event that only its side may see, in the state before it; they are sealed in the log."""
    order: Callable[[S, Command], bool] = _declared_private
    """Whether an order is its side's secret, in the state in which it is given; by default what its class says."""
    excuse: Callable[[S, Breach, Mapping[int, Event]], int] = _no_excuse
    """Which of the events still sealed may explain a breach in the state before its block: its n, or 0 if none does.
    They are in their public form, by n; of those that hide the same members of the same side, only the newest is there.
    Standing orders are the engine's; by default nothing else explains anything."""
    rows: Mapping[str, tuple[SealedRow, ...]] = {}
    """What a file may seal, by event type: a verifier's closed table, beside orders and standing orders. It says what
    `fields` may answer, but knows no state."""
    founding: frozenset[str] = frozenset()
    """The types of sealed events on which others stand: these cannot be folded before those are opened."""
    known: Callable[[S, str], S] = _own_standing
    """The state without what `side` may not know. It equals what that side folds from the log and its own secrets."""


class DrawRules(Struct, Generic[S], frozen=True, kw_only=True):
    """Where chance comes in. By default: dice of either side, no cards, no event told as a test."""

    pile: Callable[[S, str], tuple[str, ...]] = _no_deck
    """The cards that a deck can give now, in canonical order; () for an empty or unknown one."""
    decks: Callable[[Mapping[str, Any]], Mapping[str, tuple[str, ...]]] = _dice_alone
    """Every deck, whole and in canonical order, by the members of event 1: what a verifier checks the cards by."""
    deck_options: Mapping[str, tuple[str, ...]] = {}
    """The options of event 1 by which `decks` differ, each with the values that make others than usual."""
    given: str = ""
    """The member of a side, in `sides` of event 1, that tells how much of what is drawn otherwise the scenario has
    given; "" in a game whose scenarios give nothing."""
    faces: Mapping[int, tuple[tuple[int, ...], ...]] = {}
    """What the faces of a die that tells its face may count, from face 1 on, by its number of sides."""
    looks: str = ""
    """The type of the event whose member `shown` is a look at coming cards, if there is one."""
    trial: Callable[[S, Fact], Trial | None] = _no_trial
    """The test that a fact was, in the state before it; None for any other. The draws themselves are none."""
    stake: Callable[[Sequence[Drawn], Fact, Sequence[Event]], Sequence[Stake] | None] = _no_stake
    """What the draws that a fact settles have put at stake in the tally (`domain.mechanics.stake`); None for a fact
    that settles none, and then they go on waiting. The draws are those not yet settled, in order; the events are those
    since the order that caused them. By default nothing is at stake."""
    stacked: Callable[[Mapping[str, Any]], dict[str, list[int | str]]] = _stacked_dice
    """The stacked draws of a case (parsed TOML): cards by deck, dice by scope; by default `[dice]` by side."""


class Presentation(Struct, Generic[S], frozen=True, kw_only=True):
    """How a battle is shown. Sentences are made outside the rules, in the reader's language."""

    view: Callable[[S, str], Scene]
    """The table as a side sees it, from the state as it knows it."""
    narrate: Callable[[S, Fact], Message]
    """What is to be said of a fact, in the state before it (usually `domain.contract.narration.message_of`)."""
    brief: Callable[[S], Iterable[tuple[str, Message]]] = lambda state: ()
    """What a letter says in place of the captions of the board, where those take many words: each line with the side
    that it is about ("" for both); nothing for the captions themselves."""
    size: Callable[[Mapping[str, Any]], Size] = no_size
    """How large the battle of a scenario (parsed TOML) is."""
    final: Callable[[S], dict[str, Any]] = _empty
    """What a case may check of a state beside phase, turn, active, winner and waiting, as plain values."""
    tally: Callable[[S], dict[str, int]] = _empty
    """What decides who wins, as a number per side."""
    strength: Callable[[S], dict[str, int]] = _empty
    """What each side has left, which a campaign compares with what there was at the start (CAM-STD-02); empty where the
    tally counts just that."""
    tallied: str = "tally"
    """What the tally counts (a msgid)."""
    help: Callable[[str], tuple[HelpChapter, ...]] = lambda lang: ()
    """How orders are written, by example, in a language."""
    held: str = "held"
    """What the things are that a side holds in hand (`Scene.held`): the title of the list (a msgid)."""
    kinds: Mapping[str, str] = {}
    """The kinds of options without a unit that are listed in a group of their own: the title of each (a msgid)."""
    notes: Mapping[str, str] = {}
    """What an option without a unit does that its words leave open, by its kind (a msgid)."""
    goal: str = ""
    """What wins a battle, in a sentence (a msgid); "" for nothing to say."""
    useful: tuple[str, ...] = ()
    """The kinds of options that a short list begins with, the most wanted first."""
    gist: Mapping[str, Weight] = {}
    """How much an event tells somebody who was away, by its name (`replay.telling.gist`): others are left out."""
    story: Mapping[str, Weight] = {}
    """The same of events that only the report of a whole battle tells (`replay.reports.account`)."""
    apart: frozenset[str] = frozenset()
    """The names of events that begin an attack of their own, where one order settles several: the report tells each
    with what came of it."""
    table: TableState = TableState()
    """What is told beside the picture: values of units, their fields, the way to victory."""
    effects: Mapping[str, tuple[Effect, ...]] = {}
    """What events show on the board, by their names; nothing for others."""
    traits: Callable[[S, str], Mapping[str, Any]] = _members
    """What a deed may ask of a unit by its name (`contract.deeds`), its `side` among it; empty for an unknown one."""


Think = Callable[[Any, str, Sequence[Option], Chance], str]
"""(known state, side, options, chance) to an order line. Chance is asked with the scope `bot:SIDE`, apart from the
draws of the battle."""


class Ruleset(Struct, frozen=True, kw_only=True, dict=True):
    """One game. `code` is short and never changes (`tts`); a changed rule changes `version`, so that an audit of
    an older battle says which release to install."""

    code: str
    version: str
    title: str
    opening: OpeningRules[Any]
    rules: PlayRules[Any]
    orders: OrderRules[Any]
    shown: Presentation[Any]
    seats: Seats = SOUTH_AND_NORTH
    """Who plays: two seats unless the game names its own, which then decides `Resign` itself."""
    secrets: SecrecyRules[Any] = SecrecyRules()
    draws: DrawRules[Any] = DrawRules()
    corrections: CorrectionRules[Any] = CorrectionRules()
    branches: BranchRules[Any] = BranchRules()
    bots: Mapping[str, Think] = {}
    """The game's own bots by name; `random` plays every game."""
    bots_version: str = "1"
    """What changes whenever one of its bots would order otherwise: so an order says which release recomputes it."""
    releases: Mapping[str, str] = {}
    """The first release of Phalera that judges by a version of the rules, for each version there was."""
    armies: ArmyBook | None = None
    """The armies of points that players bring; None for a game without."""
    campaign: CampaignBook | None = None
    """What campaigns ask whose armies live on; None for a game of single battles, cups and ladders."""

    def __post_init__(self) -> None:
        if len(self.seats) > 2 and Resign not in self.orders.decisions:
            raise ValueError(f"{self.code}: a game of {len(self.seats)} seats decides itself who goes on without one")

    @cached_property
    def evolutions(self) -> Mapping[type[Event], Evolution]:
        """What every event does to the state: first the core's evolution, if it has one, then the game's own."""
        single = EVOLUTIONS | {event: _after_core(event, own) for event, own in self.rules.evolutions.items()}
        opened = {event: on_opened(own, self.thaw) for event, own in single.items() if issubclass(event, BattleOpened)}
        return with_corrections(single | opened, self.corrections)

    def thaw(self, data: Any) -> Any:
        """The state of a position, which may come from anybody (`domain.engine.positions`).

        Raises: Refusal core.bad-position
        """
        return thawed(self.branches, type(self.rules.initial), self.asked, self.rules.steps, self.seats, data)

    @property
    def asked(self) -> type[DecisionAsked]:
        """The game's own `DecisionAsked`."""
        return cast("type[DecisionAsked]", self.events[DecisionAsked.__name__])

    @cached_property
    def events(self) -> Mapping[str, type[Event]]:
        """The event types that the game folds, by their name in the log."""
        return {event.__name__: event for event in self.evolutions}

    @cached_property
    def command(self) -> Any:
        """The union of all commands, as an order of the log is read by."""
        return reduce(or_, dict.fromkeys((*SHARED_COMMANDS, DisputeOrder, *self.orders.decisions)))

    def read(self, line: str) -> Command:
        """One order line, of a dispute or of the game. Raises: Refusal"""
        return dispute_lines.read_or(line, self.orders.parse, self.seats)

    def write(self, command: Command, lang: str) -> str:
        """A command in canonical notation, in a language; `read` reads it back."""
        return dispute_lines.write_or(command, lang, self.orders.write)
