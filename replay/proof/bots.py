"""Play the bots of a battle again: whether what the log has of them is what they would have given (fairness.md 11).

From header version 3 on what a bot draws for itself and the phrases that it gives follow from the master, which is out
when the battle is over. Each order of a bot is thought again in the state that it answered; the orders name the bot and
its version, and those of another version are left out. It takes the time that the bots took.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.catalogue import RULESETS
from domain.contract.dispute_lines import read
from domain.contract.ruleset import Ruleset
from domain.engine.dockets import TAKEBACK
from domain.events.battle import BattleOpened, ContributionGiven, MasterRevealed, OrderAccepted, Rewound, TurnBegan
from domain.log.chance import DrawReached, NoDraw, StreamChance
from domain.log.fairness import LENGTH, Stream
from domain.log.keys import HostKeys
from domain.log.record import PBEM_2_1, Recorded
from domain.run.bot_seeds import bot_phrase, order_seed
from domain.run.bots import BOTS, MOST_EVENTS, bot_label, bot_of, bots_answer, draw_between_bots, wanted_orders
from domain.run.decide import decide, to_act
from domain.run.seats import Battle
from domain.run.timeline import Timeline, vault_of
from replay.proof import chain, shapes
from replay.proof.blocks import ProtocolFault
from replay.proof.chain import Log
from replay.proof.faults import fault_sentence
from replay.proof.report import BotOrders, Fault, Report
from replay.telling.words import ENGLISH

FAULT, OTHER_RULES = 1, 3
VERSION, PROGRAM, HEADER, RUNNING, RULES = "version", "program", "header", "running", "rules"
"""Why orders are left out: another version of the bot gave them, or the program of an account, or the file is older
than version 3, or the battle is not over, or other rules have judged."""

Progress = Callable[[int], None]
Tally = Counter[tuple[str, str, str]]
"""How many orders: by side, bot and why they were left out, "" if they were recomputed."""


def with_bots(
    report: Report,
    content: bytes,
    *,
    rulesets: Mapping[str, Ruleset] = RULESETS,
    progress: Progress | None = None,
    begins: int = 0,
    lang: str = ENGLISH,
) -> Report:
    """The report on a file with what became of the orders of its bots. Where it has a fault, nothing is played again.

    Shape: `content` is what the report is about, `begins` how much is done by then; exit 3 where another
           version of a bot has given orders
    """
    if report.fault is not None or report.later:
        return report
    log = chain.open_file(content, allow_unfinished=True)
    ruleset = rulesets.get(log.header.ruleset)
    events = shapes.read_events(log.lines, log.header.rules, ruleset, version=log.header.version)
    why = _obstacle(report, log)
    follow = partial(_told_on, progress, begins) if progress else None
    try:
        tally = _left_out(events, why) if why or ruleset is None else _Replay(log, ruleset, events).played(follow)
    except ProtocolFault as fault:
        said = fault_sentence(fault.what, fault.details, lang)
        return replace(report, exit=FAULT, fault=Fault(fault.n, fault.what, said))
    bots = tuple(BotOrders(side, bot, count, left_out) for (side, bot, left_out), count in sorted(tally.items()))
    is_other = any(one.left_out == VERSION for one in bots)
    return replace(report, bots=bots, exit=OTHER_RULES if is_other and not report.exit else report.exit)


def _told_on(progress: Progress, begins: int, n: int) -> None:
    progress(begins + n)


def _obstacle(report: Report, log: Log) -> str:
    """Why no bot of a file can be played again, "" if they can."""
    if log.header.version < PBEM_2_1:
        return HEADER
    if not report.ended:
        return RUNNING
    return RULES if report.other_rules else ""


def _left_out(events: Sequence[Recorded], why: str) -> Tally:
    """The orders of bots and of programs, all of them left out."""
    tally: Tally = Counter()
    programs: dict[str, bool] = {}
    for entry in events:
        event: Any = entry.event
        if entry.type == "SideJoined":
            programs[event.side] = event.program is True
        elif entry.type == "OrderAccepted" and (event.channel == "bot" or programs.get(event.side)):
            is_program = bool(programs.get(event.side))
            tally[event.side, "" if is_program else event.bot or "", PROGRAM if is_program else why] += 1
    return tally


class _Replay:
    """Folds a log, and thinks at each order of a bot what it would order there."""

    def __init__(self, log: Log, ruleset: Ruleset, events: Sequence[Recorded]) -> None:
        self._ruleset = ruleset
        self._events = events
        self._timeline = Timeline(ruleset, vault_of(list(events)), log.header.rules, log.header.version)
        self._keys = _keys_of(log.header.battle, ruleset, events)
        self._given: Counter[str] = Counter()  # the orders of each side in the period
        self._answered: Battle | None = None  # the state before the contribution that an order brings
        self._tally: Tally = Counter()

    def played(self, progress: Progress | None) -> Tally:
        """What became of the orders.

        Raises: ProtocolFault `bot-order-differs`, `bot-not-asked`, `bot-phrase-differs`, `bot-unnamed`,
                `bot-not-judgeable`
        """
        for entry in self._events:
            event = entry.event
            if isinstance(event, ContributionGiven):
                self._contributed(entry.n, event)
            elif isinstance(event, OrderAccepted):
                self._ordered(entry, event)
                self._given[event.side] += 1
                self._answered = None
            elif isinstance(event, (TurnBegan, Rewound)):
                self._given.clear()
            self._timeline.feed(entry)
            if progress:
                progress(entry.n)
        return self._tally

    def _contributed(self, n: int, event: ContributionGiven) -> None:
        battle = self._timeline.now
        self._answered = battle if event.channel is UNSET else None
        if bot_of(battle.seats[event.side]):
            expected = bot_phrase(self._keys, battle, event.side)
            if event.phrase != expected:
                raise ProtocolFault(n, "bot-phrase-differs", side=event.side, expected=expected, found=event.phrase)

    def _ordered(self, entry: Recorded, event: OrderAccepted) -> None:
        battle = self._answered or self._timeline.now
        seat = battle.seats.get(event.side)
        if seat is None or (seat.kind != "bot" and not seat.is_program):
            return
        if seat.is_program:
            self._tally[event.side, "", PROGRAM] += 1
            return
        bot, told = bot_of(seat), event.bot or ""
        if told.partition(" ")[0] != bot or bot not in BOTS:
            raise ProtocolFault(entry.n, "bot-unnamed", side=event.side, expected=bot, found=told)
        is_ours = told == bot_label(self._ruleset, bot)
        self._tally[event.side, told, "" if is_ours else VERSION] += 1
        if is_ours:
            self._require_own(entry.n, battle, bot, event.side, self._text(entry))

    def _text(self, entry: Recorded) -> str:
        event: Any = self._timeline.whole(entry)
        return str(event.text)

    def _require_own(self, n: int, battle: Battle, bot: str, side: str, text: str) -> None:
        """Refuse an order that a bot would not have given."""
        try:
            expected = self._expected(battle, bot, side, text)
        except Exception as reason:  # the rules have accepted the log, but a bot may trust what they do not judge
            raise ProtocolFault(n, "bot-not-judgeable", side=side, reason=f"{type(reason).__name__}") from None
        if not expected:
            raise ProtocolFault(n, "bot-not-asked", side=side, bot=bot, found=text)
        if text not in expected:
            raise ProtocolFault(n, "bot-order-differs", side=side, bot=bot, expected=expected[0], found=text)

    def _expected(self, battle: Battle, bot: str, side: str, text: str) -> tuple[str, ...]:
        """The orders that a bot may give here, as the log has them; () if it is not asked."""
        ruleset = self._ruleset
        if read(text, ruleset.seats) is not None:
            return tuple(self._answers(battle, side))
        acting = to_act(ruleset, battle.game)
        mover = next((one for one in acting if one in battle.seats and bot_of(battle.seats[one]) in BOTS), "")
        agreed = draw_between_bots(ruleset, battle, mover, MOST_EVENTS) if mover else None
        if agreed is not None:
            return agreed[1] if agreed[0] == side else ()
        if side not in acting:
            return ()
        seed = order_seed(self._keys, ruleset.seats.seeding, battle, side, self._given[side])
        known = ruleset.secrets.known(battle.game, side)
        wanted, *others = wanted_orders(ruleset, bot, known, side, StreamChance(Stream(seed))) or ("",)
        if not wanted:
            return ()
        return tuple(map(self._written, (wanted, *others) if self._is_refused(battle, side, wanted) else (wanted,)))

    def _answers(self, battle: Battle, side: str) -> Iterator[str]:
        """What a bot says to the take-backs that it is asked for."""
        for docket in battle.disputes.open:
            if docket.kind == TAKEBACK and docket.side != side and side not in docket.offers:
                yield bots_answer(self._timeline, docket)

    def _written(self, text: str) -> str:
        return self._ruleset.orders.write(self._ruleset.orders.parse(text), "en")

    def _is_refused(self, battle: Battle, side: str, text: str) -> bool:
        """Whether the rules refuse an order before anything is drawn: a bot then gives the one that goes on."""
        game = replace(battle.game, n=battle.n + 1)
        try:
            decide(self._ruleset, game, side, self._ruleset.orders.parse(text), NoDraw())
        except DrawReached:
            return False
        except Refusal:
            return True
        return False


def _keys_of(battle: str, ruleset: Ruleset, events: Sequence[Recorded]) -> HostKeys:
    """The keys of a battle that is over: its master is out, and makes what event 1 has bound."""
    opened = events[0].event
    assert isinstance(opened, BattleOpened), "a log without a fault begins so"
    length = LENGTH if opened.keys is UNSET else opened.keys.length
    master = next(entry.event.master for entry in events if isinstance(entry.event, MasterRevealed))
    return HostKeys(bytes.fromhex(master), battle, ruleset.seats.seeding, length)
