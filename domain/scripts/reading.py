"""Read a text of orders and script lines, before any of it is played.

A line that the game reads as an order is an order, whatever its first word, so a battle may have a unit called STOP.
Indentation is ignored, because mail loses it. Either every line can be read, or the whole script is refused.
"""

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.contract.script_words import Word, raw_text, words_of
from domain.contract.senses import NO_QUERIES, Senses
from domain.mechanics.conditions import ALWAYS, CONNECTIVES, Condition, bounds
from domain.scripts.conditions import SCRIPT, Grammar, Test, condition_of
from domain.scripts.program import (
    BranchTo,
    GiveAnswer,
    GiveOrder,
    Instruction,
    Jump,
    Policy,
    Repeat,
    Script,
    ScriptFault,
    ScriptLine,
    Stop,
)
from domain.scripts.rulings import join_rulings
from domain.scripts.tidying import tidied

MOST_LINES = 200
MOST_ROUNDS = 20
MOST_READING = 2400
"""The work of reading a script: a reading of an order counts once, a test of a condition as eight."""
TEST = 8
MOST_LETTERS = 16_000
"""Characters of all lines together, without comments."""
LONGEST_LINE = 1000
"""Maximum characters of a line; a game allows fewer for an order."""
DEEPEST = 8
PHRASE, SEAL = ("phrase",), ("seal", "sceau")

_IF, _ELSE, _ELSE_IF, _END = "if", "else", "else-if", "end-if"


class Unreadable(Exception):
    """Some lines cannot be read, so nothing is played."""

    def __init__(self, script: Script, faults: tuple[ScriptFault, ...]) -> None:
        super().__init__(script, faults)
        self.script = script
        self.faults = faults


class _TooLarge(Exception):
    """The script takes too much reading."""


class _OpenIf(Struct):
    """An unfinished `if`: its branch that may still be false, the jumps to its end, and its line.

    `one_line`: its body stands on its own line, and only an `else …:` may follow.
    """

    line: ScriptLine
    branch: int
    one_line: bool
    jumps: list[int] = []
    has_else: bool = False


def read(text: str, parse: Callable[[str], Command], senses: Senses = NO_QUERIES) -> Script:
    """Parse a script; `parse` reads the game's orders.

    Raises: Unreadable with each bad line; Refusal core.too-many-lines, core.script-too-large
    """
    return _ScriptReader(parse, senses).read(text)


class _ScriptReader:
    """Reads line by line; collects faults, and instructions whose jumps are filled in once their end is known."""

    def __init__(self, parse: Callable[[str], Command], senses: Senses) -> None:
        self._parse_order = parse
        self._senses = senses
        self._lines: list[ScriptLine] = []
        self._program: list[Instruction] = []
        self._open: list[_OpenIf] = []
        self._faults: list[ScriptFault] = []
        self._phrase = self._seal = ""
        self._is_preview = False
        self._orders = self._work = 0
        self._written = 0

    def read(self, text: str) -> Script:
        written = lines_of(text)
        said = [line.partition("#")[0].strip() for line in written]
        count = sum(bool(line) and not contributes(line) for line in said)
        if count > MOST_LINES:
            raise Refusal("core.too-many-lines", "CORE-PARSE", most=MOST_LINES, count=count)
        letters = 0
        for number, (line, without_note) in enumerate(zip(written, said, strict=True), 1):
            letters += len(without_note)
            if letters > MOST_LETTERS:
                raise Refusal("core.script-too-large", SCRIPT, line=number)
            word, _, rest = line.strip().partition(" ")
            word = word.casefold().rstrip(":")
            if word in PHRASE:
                self._phrase = rest.strip()
            elif word in SEAL:
                self._seal = rest.partition("#")[0].strip()
            elif without_note:
                self._written += 1
                try:
                    self._line(number, without_note)
                except _TooLarge:
                    raise Refusal("core.script-too-large", SCRIPT, line=number) from None
        self._close_one_line()
        for left in self._open:
            self._fault(left.line, Refusal("core.unclosed-if", SCRIPT, line=left.line.number))
        script = Script(tuple(self._lines), self._phrase, self._seal, tuple(self._program), self._is_preview)
        if self._faults:
            raise Unreadable(script, tuple(sorted(self._faults, key=lambda fault: fault.line.number)))
        return script

    def _count(self, work: int) -> None:
        self._work += work
        if self._work > MOST_READING:
            raise _TooLarge

    def _parse(self, text: str) -> Command:
        self._count(1)
        return self._parse_order(text)

    def _condition(self, words: Sequence[Word], grammar: Grammar) -> Condition[Test]:
        self._count(TEST * (1 + sum(word.key in CONNECTIVES for word in words)))
        return condition_of(words, grammar)

    def _fault(self, line: ScriptLine, refusal: Refusal) -> None:
        if line not in self._lines:
            self._lines.append(line)
        if all(fault.line.number != line.number for fault in self._faults):
            self._faults.append(ScriptFault(line, refusal))

    def _line(self, number: int, said: str) -> None:
        line = ScriptLine(number, said, len(self._lines) + 1)
        if len(said) > LONGEST_LINE:
            refusal = Refusal("core.line-too-long", SCRIPT, most=LONGEST_LINE, given=len(said))
            self._fault(ScriptLine(number, said[:LONGEST_LINE], line.place), refusal)
            return
        before = len(self._lines), len(self._program), self._orders
        try:
            self._read_line(line, said)
        except Refusal as refusal:
            words = words_of(said)
            if (words and words[0].key in _BLOCKS) or not self._tidied(line, before):
                self._fault(line, refusal)

    def _tidied(self, line: ScriptLine, before: tuple[int, int, int]) -> bool:
        """Read a line as people type it (`domain.scripts.tidying`); whether one of its readings can be read."""
        for orders in tidied(line.text):
            del self._lines[before[0] :], self._program[before[1] :]
            self._orders = before[2]
            try:
                if len(orders) == 1:
                    self._read_line(line, orders[0])
                elif all(self._is_order(order) for order in orders):
                    self._orders_line(line, orders)
                else:
                    continue
            except Refusal:
                continue
            return True
        return False

    def _read_line(self, line: ScriptLine, said: str) -> None:
        is_order = self._is_order(said)
        words = () if is_order else words_of(said.partition(":")[0].partition(";")[0])
        key = words[0].key if words else ""
        if is_order or key not in (_ELSE, _ELSE_IF):
            self._close_one_line()
        if not is_order and self._written == 1 and is_preview(said):
            self._is_preview = True
        elif not is_order and key in _BLOCKS:
            _BLOCKS[key](self, line, said, words)
        elif is_order:
            self._orders_line(line, (said,))
        else:
            index = self._line_index(line)
            for part in [said] if key == "on" else said.split(";"):
                self._statement(index, part.strip())

    def _orders_line(self, line: ScriptLine, orders: Sequence[str]) -> None:
        index = self._line_index(line)
        self._program += [GiveOrder(index, order) for order in orders]
        self._orders += len(orders)

    def _line_index(self, line: ScriptLine) -> int:
        """The index of a line that gets a result."""
        self._lines.append(line)
        return len(self._lines) - 1

    def _is_order(self, said: str) -> bool:
        try:
            self._parse(said)
        except Refusal:
            return False
        return True

    # --- statements: what fits on one line

    def _statement(self, index: int, said: str) -> None:
        if self._is_order(said):
            self._program.append(GiveOrder(index, said))
            self._orders += 1
            return
        words = words_of(said)
        key = words[0].key if words else ""
        if key in _BLOCKS:
            raise Refusal("core.if-within-line", SCRIPT, text=said)
        self._program.append(_STATEMENTS.get(key, _ScriptReader._order)(self, index, said, words))

    def _order(self, index: int, said: str, words: Sequence[Word]) -> Instruction:
        self._parse(said)  # it cannot be read: the game says why
        return GiveOrder(index, said)

    def _try(self, index: int, said: str, words: Sequence[Word]) -> Instruction:
        if len(words) > 1 and words[1].key == "repeat":
            return replace(self._repeat(index, said, words[1:]), tries=True)
        order = raw_text(words[1:])
        self._parse(order)
        self._orders += 1
        return GiveOrder(index, order, True)

    def _repeat(self, index: int, said: str, words: Sequence[Word]) -> Repeat:
        keys = [word.key for word in words]
        end = keys.index("until") if "until" in keys else len(words)
        until = words[end + 1 :]
        start, rounds = 1, MOST_ROUNDS
        if len(keys) > 1 and keys[1].isascii() and keys[1].isdecimal():
            rounds = int(keys[1][:4])
            start = 3 if keys[2:3] == ["times"] else 2
        elif end == len(words):
            raise Refusal("core.bad-repeat", SCRIPT, text=said)
        if not 0 < rounds <= MOST_ROUNDS:
            raise Refusal("core.too-many-rounds", SCRIPT, most=MOST_ROUNDS, given=rounds)
        order = raw_text(words[start:end])
        self._parse(order)
        self._orders += 1
        condition = self._condition(until, self._grammar(about_order=True)) if end < len(words) else None
        return Repeat(index, order, rounds, condition)

    def _stop(self, index: int, said: str, words: Sequence[Word]) -> Instruction:
        if len(words) == 1:
            return Stop(index)
        if words[1].key == "if":
            return Stop(index, self._condition(words[2:], self._grammar()))
        keys = [word.key for word in words[2:] if word.key != "a"]
        if words[1].key != "after" or bounds(keys) is None:
            raise Refusal("core.bad-stop", SCRIPT, text=said)
        if len(keys) == 1:  # after a 7: a higher draw is no reason to continue
            keys.append("or-more")
        drawn = self._condition(
            (Word("last-draw", raw_text(words[1:])), *(Word(key, "") for key in keys)), self._grammar()
        )
        return Stop(index, drawn)

    def _policy(self, index: int, said: str, words: Sequence[Word]) -> Instruction:
        head, colon, rest = said.partition(":")
        kind = raw_text(words_of(head)[1:])
        if not (kind and colon and rest.strip()):
            raise Refusal("core.bad-policy", SCRIPT, text=said)
        grammar = Grammar(self._parse, self._senses, about_order=True)
        answers = tuple(self._answer(kind, part, grammar) for part in rest.split(","))
        kinds = {self._parse(answer.order).ANSWERS for answer in answers}
        if len(kinds) > 1 or not all(kinds):
            raise Refusal("core.bad-policy", SCRIPT, text=said)
        return Policy(index, kinds.pop(), answers)

    def _answer(self, kind: str, said: str, grammar: Grammar) -> GiveAnswer:
        words = [word for word in words_of(said) if word.key != _ELSE]
        keys = [word.key for word in words]
        end = keys.index("if") if "if" in keys else len(words)
        order = f"{kind} {raw_text(words[:end])}"
        self._parse(order)
        return GiveAnswer(order, self._condition(words[end + 1 :], grammar) if end < len(words) else ALWAYS)

    def _grammar(self, about_order: bool = False) -> Grammar:
        return Grammar(self._parse, self._senses, bool(self._orders), about_order)

    # --- blocks: if, else, end if

    def _if(self, line: ScriptLine, said: str, words: Sequence[Word]) -> None:
        if len(self._open) == DEEPEST:
            raise Refusal("core.too-deep", SCRIPT, most=DEEPEST)
        head, _, rest = said.partition(":")
        index = self._line_index(line)
        self._open.append(_OpenIf(line, len(self._program), bool(rest.strip()), []))
        self._branch(index, words_of(head)[1:], rest)

    def _branch(self, index: int, condition: Sequence[Word], rest: str) -> None:
        """Open a branch and read what follows its colon. Its place is kept even if its condition is bad."""
        self._program.append(BranchTo(index, ALWAYS, 0))
        at = len(self._program) - 1
        self._program[at] = BranchTo(index, self._condition(condition, self._grammar()), 0)
        self._statements(index, rest)

    def _statements(self, index: int, rest: str) -> None:
        for part in rest.split(";") if rest.strip() else ():
            self._statement(index, part.strip())

    def _else(self, line: ScriptLine, said: str, words: Sequence[Word]) -> None:
        head, _, rest = said.partition(":")
        if len(words_of(head)) > 1:
            raise Refusal("core.bad-else", SCRIPT, text=said)
        opened = self._next_branch(line, rest)
        opened.has_else = True
        if rest.strip():
            self._statements(self._line_index(line), rest)

    def _else_if(self, line: ScriptLine, said: str, words: Sequence[Word]) -> None:
        head, _, rest = said.partition(":")
        opened = self._next_branch(line, rest)
        opened.branch = len(self._program)
        self._branch(self._line_index(line), words_of(head)[1:], rest)

    def _next_branch(self, line: ScriptLine, rest: str) -> _OpenIf:
        """End the branch before an `else`: execution that reaches its end jumps past the block."""
        one_line = bool(rest.strip())
        opened = self._open[-1] if self._open else None
        if opened is not None and opened.one_line and not one_line:  # it belongs to the enclosing block
            self._close_one_line()
            opened = self._open[-1] if self._open else None
        if opened is None or opened.has_else or opened.one_line != one_line:
            raise Refusal("core.no-open-if", SCRIPT, line=line.number)
        opened.jumps.append(len(self._program))
        self._program.append(Jump(0))
        self._fill(opened)
        return opened

    def _end_if(self, line: ScriptLine, said: str, words: Sequence[Word]) -> None:
        if not self._open:
            raise Refusal("core.no-open-if", SCRIPT, line=line.number)
        self._close(self._open.pop())
        if len(words) > 1 or ":" in said:
            raise Refusal("core.bad-else", SCRIPT, text=said)

    def _close_one_line(self) -> None:
        if self._open and self._open[-1].one_line:
            self._close(self._open.pop())

    def _fill(self, opened: _OpenIf) -> None:
        """Make the open branch jump here when its condition is false."""
        branch = self._program[opened.branch]
        if isinstance(branch, BranchTo) and not branch.to:
            self._program[opened.branch] = replace(branch, to=len(self._program))

    def _close(self, opened: _OpenIf) -> None:
        self._fill(opened)
        for at in opened.jumps:
            self._program[at] = Jump(len(self._program))


_BLOCKS: dict[str, Callable[[_ScriptReader, ScriptLine, str, Sequence[Word]], None]] = {
    _IF: _ScriptReader._if,
    _ELSE: _ScriptReader._else,
    _ELSE_IF: _ScriptReader._else_if,
    _END: _ScriptReader._end_if,
}
_STATEMENTS: dict[str, Callable[[_ScriptReader, int, str, Sequence[Word]], Instruction]] = {
    "try": _ScriptReader._try,
    "repeat": _ScriptReader._repeat,
    "stop": _ScriptReader._stop,
    "on": _ScriptReader._policy,
}


def contributes(line: str) -> bool:
    """Whether a line is a `phrase` or a `seal`: not an order, but a contribution to the chance."""
    return line.strip().partition(" ")[0].casefold().rstrip(":") in (*PHRASE, *SEAL)


def is_preview(said: str) -> bool:
    """Whether a line requests a preview of the lines after it."""
    return [word.key for word in words_of(said.rstrip(": "))] == ["preview"]


def lines_of(text: str) -> list[str]:
    """Split a text into lines at any kind of line ending; what a ruling sets is joined to its first line."""
    return join_rulings(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
