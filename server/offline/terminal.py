"""Play at a prompt in the terminal, against a bot or both sides.

What is typed is an order in the game's notation, or a word to the program (`?`, `board`, `log`,
`why`, `help`, `resign`, `quit`). The player sees what their side knows and nothing else. Reading and
writing are functions, so that a test can play.
"""

from collections.abc import Callable, Sequence
from typing import Any

from domain.basics.errors import Refusal
from domain.basics.seats import SOUTH_AND_NORTH, Seats
from domain.contract.option import Option
from domain.contract.ruleset import Ruleset
from domain.engine.dockets import TAKEBACK, Docket
from domain.log.record import Recorded
from domain.run.bots import bots_answer
from replay.reports import plain
from replay.telling import words
from replay.writing.entropy import SeededEntropy
from replay.writing.in_memory import OfflineBattle, SeededClock, scenario_table
from server.clock import SystemClock
from server.entropy import SystemEntropy
from server.offline.showing import Style, plainly
from server.play.narrator import Narrator
from server.shown.menus import menus, tail
from server.shown.outcome import told_number

HELP = """\
Type an order as in a mail, or a number from the list that ? gives.

  ?            the orders you may give, numbered, with what they need and the odds
  ? UNIT       only those of a unit
  board        the board
  log [N]      the last N events (10)
  why [N]      why event N happened (the newest one)
  resign       give the battle up
  quit         stop here; the battle is saved as far as it went
  help         this page"""
LOG_LENGTH = 10
MOST_LISTED = 60

Ask = Callable[[str], str | None]
"""Shows a prompt and returns the input; None at the end of input."""
Tell = Callable[[str], None]


def sides_of(side: str, seats: Seats = SOUTH_AND_NORTH) -> tuple[str, ...]:
    """The sides of a person who chooses `side` (or `both`: all there are)."""
    return seats.names if side == "both" else (side,)


def sit_down(ruleset: Ruleset, scenario: str, side: str, bot: str, seed: int | None) -> OfflineBattle:
    """A packaged scenario, or the one in a file `….toml` (e.g. two armies of points), with both seats taken;
    chance is the machine's own unless there is a seed.

    Raises:  Refusal for a scenario that does not exist or is not valid
    """
    table = scenario_table(ruleset, scenario)
    name = f"{ruleset.code} {scenario} {side} {bot} {seed}"
    seeded = seed is not None
    clock = SeededClock(name) if seeded else SystemClock()
    battle = OfflineBattle(ruleset, table, clock, SeededEntropy(name) if seeded else SystemEntropy())
    take_seats(battle, side, bot)
    return battle


def take_seats(battle: OfflineBattle, side: str, bot: str) -> None:
    """Seat a person at a side, or at `both`, and a bot at each other."""
    for seat in battle.ruleset.seats.names:
        if seat in sides_of(side, battle.ruleset.seats):
            battle.seat_person(seat, f"{seat.title()} player" if side == "both" else "Player")
        else:
            battle.seat_bot(seat, bot)


class Terminal:
    """One session. `sides` are those that the person plays."""

    def __init__(
        self,
        battle: OfflineBattle,
        sides: Sequence[str],
        ask: Ask,
        tell: Tell,
        style: Style = plainly,
        tell_long: Tell | None = None,
    ) -> None:
        """A session; `style` dresses what is told of the battle, and `tell_long` what may not fit on a screen."""
        self.battle = battle
        self.ruleset = battle.ruleset
        self.sides = tuple(sides)
        self.ask = ask
        self.tell = tell
        self.tell_long = tell_long or tell
        self.style = style
        self.herald = Narrator(battle.recording, self.sides[0] if len(self.sides) == 1 else "")
        self.listed: list[Option] = []
        self._phase, self._tasks = "", [""]
        self._words: dict[str, Callable[[str, str], None]] = {
            "?": self._list,
            "board": self._board,
            "log": self._log,
            "why": self._why,
            "help": self._help,
        }

    def run(self) -> None:
        """Play until the battle is over, or the player quits."""
        self._hear(tuple(self.battle.events()))
        self.tell('\nType an order, "?" for what you may order, "help" for the rest.')
        while not self.battle.recording.battle.ended:
            is_halted = self.battle.recording.battle.is_halted
            if not is_halted and any(side in self.battle.bots for side in self.battle.to_act):
                self._hear(self.battle.bot_order())
                continue
            side = next((side for side in self.battle.to_act if side in self.sides), self.sides[0])
            self._brief(side)
            typed = self.ask(f"{side.title()}, {self._moment()}> ")
            if typed is None or typed.strip() in ("quit", "exit"):
                return
            if typed.strip():
                self._do(side, typed.strip())
        self._tell_of(f"\n{self.herald.board()}")

    def _tell_of(self, block: str) -> None:
        """Tell something of the battle."""
        self.tell(self.style(block, self.herald.scene()))

    def _brief(self, side: str) -> None:
        """Before the first turn: the board as a phase begins, then the tasks whenever they change."""
        game, known = self.battle.recording.battle.game, self.battle.recording.known(side)
        tasks = [said for of, said in words.worded(self.ruleset.shown.view(known, side)).captions if not of]
        if game.turn or tasks == self._tasks:
            return
        if game.phase != self._phase:
            self._tell_of(f"\n{plain.board(self.ruleset, known, side)}\n")
        else:
            self.tell("\n".join(f"    {task}" for task in tasks))
        self._phase, self._tasks = game.phase, tasks

    def _moment(self) -> str:
        """The turn, or before the first one the phase."""
        game = self.battle.recording.battle.game
        return f"turn {game.turn}" if game.turn else str(game.phase)

    def _do(self, side: str, typed: str) -> None:
        word, _, rest = typed.partition(" ")
        if typed.startswith("?"):
            word, rest = "?", typed[1:]
        action = self._words.get(word)
        if action is not None:
            action(side, rest.strip())
        elif typed.isdecimal():
            self._chosen(side, int(typed))
        elif typed != "resign" or self._is_sure():
            self._order(side, typed)

    def _order(self, side: str, text: str) -> None:
        self.listed = []
        try:
            self._hear(self.battle.order(side, text))
            self._settle()
        except Refusal as refusal:
            self.tell(f"    {words.refusal(refusal.code, refusal.rule, refusal.params)}")

    def _answer_of(self, other: str, docket: Docket) -> str:
        """What a side says to a take-back."""
        if other in self.battle.bots:
            return bots_answer(self.battle.recording.timeline, docket)
        answer = self.ask(f"{other.title()}, may the order be taken back? (yes/no) ")
        return f"{'agree' if answer in ('y', 'yes') else 'decline'} {docket.id}"

    def _settle(self) -> None:
        """Have the other sides answer a take-back; when play has gone back, all contribute anew."""
        for docket in self.battle.recording.battle.disputes.open:
            for other in self.battle.ruleset.seats.others(docket.side) if docket.kind == TAKEBACK else ():
                line = self._answer_of(other, docket)
                self._hear(self.battle.order(other, line, "bot" if other in self.battle.bots else "cli"))
                if line.startswith("decline"):
                    break
        for owing in self.battle.recording.battle.owing:
            self._hear(self.battle.contribute(owing))

    def _chosen(self, side: str, number: int) -> None:
        if 1 <= number <= len(self.listed):
            self._order(side, self.listed[number - 1].order)
        else:
            self.tell("    There is no such number: “?” lists the orders that you may give now.")

    def _is_sure(self) -> bool:
        answer = self.ask("Give the battle up? (yes/no) ")
        return answer is not None and answer.strip().lower() in ("y", "yes")

    def _hear(self, events: Sequence[Recorded]) -> None:
        for block in self.herald.hear(events):
            self._tell_of(block)

    # --- words to the program

    def _list(self, side: str, unit: str) -> None:
        known = self.battle.recording.known(side)
        options = self.ruleset.orders.options(known, side)
        self.listed = [option for option in options if not unit or unit in option.order.split()]
        if not self.listed:
            self.tell(f"    There is nothing to order for {unit}." if unit else "    There is nothing to order.")
            return
        lines = [] if unit else self._fold(options)
        for number, option in enumerate(self.listed[:MOST_LISTED], 1):
            lines.append(f"{number:>4}  {option.order:<32}{odds_words(option)}".rstrip())
        if len(self.listed) > MOST_LISTED:
            left = len(self.listed) - MOST_LISTED
            lines.append(f"      … and {left} more; “? UNIT” shows those of one unit.")
        self._tell_lines(lines)

    def _fold(self, options: Sequence[Option]) -> list[str]:
        """Similar orders in large numbers, which differ only in their place, as a line each, without numbers."""
        runs = menus(options)
        told = {option.order for run in runs.values() for option in run}
        self.listed = [option for option in self.listed if option.order not in told]
        return [
            f"      {begins} {tail(run[0])} … {len(run)} places; “? {begins.split()[-1]}” lists them"
            for begins, run in runs.items()
        ]

    def _tell_lines(self, lines: Sequence[str]) -> None:
        """Tell lines that may be more than a screen has."""
        scene = self.herald.scene()
        self.tell_long("\n".join(self.style(line, scene) for line in lines))

    def _board(self, side: str, rest: str) -> None:
        self._tell_of(f"\n{self.herald.board()}\n")

    def _help(self, side: str, rest: str) -> None:
        self.tell_long(HELP)

    def _log(self, side: str, rest: str) -> None:
        length = int(rest) if rest.isdecimal() else LOG_LENGTH
        told = [recorded for recorded in self.herald.timeline.events if plain.is_shown(recorded)]
        lines = []
        for recorded in told[max(0, len(told) - length) :]:
            event = self.herald.timeline.whole(recorded)
            said = plain.say(self.ruleset, self._known_at(recorded.n - 1), recorded, event)
            lines.append(f"{recorded.n:>5}  {said}")
        self._tell_lines(lines)

    def _why(self, side: str, rest: str) -> None:
        from replay.telling.why import explain, to_text

        events = self.herald.timeline.events
        newest = next((recorded.n for recorded in reversed(events) if plain.is_shown(recorded)), 0)
        n = newest if not rest else int(rest) if rest.isdecimal() else 0
        if not 1 <= n <= len(events):
            self.tell(f"    There is no event {rest}: the log has events 1 to {len(events)}.")
            return
        gid = self.battle.recording.gid
        self.tell_long(to_text(explain(self.ruleset, self._known_at(n - 1), events[:n], events[n:], battle=gid)))

    def _known_at(self, n: int) -> Any:
        return self.ruleset.secrets.known(self.herald.timeline.at(n).game, self.herald.side)


def odds_words(option: Option) -> str:
    """The number an order needs, and its odds: "needs 5: 48 of 80 cards, 60%"."""
    if not option.needed or option.odds is None:
        return ""
    good, left = option.odds
    percent = f", {round(100 * good / left)}%" if left else ""
    return f"needs {told_number(option.needed, option.how)}: {good} of {left}{percent}"
