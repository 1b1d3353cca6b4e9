"""A script once it is read: orders, repeats, branches.

A list of instructions, plain values, run from the front; an `if` jumps forward over what does not apply. `line` is
always an index into the lines that get a result.
"""

from msgspec import Struct

from domain.basics.errors import Refusal
from domain.mechanics.conditions import ALWAYS, Condition
from domain.scripts.conditions import Test


class ScriptLine(Struct, frozen=True):
    """One line: line number in the request, text, and ordinal among the lines that get a result; both from 1."""

    number: int
    text: str
    place: int = 1


class GiveOrder(Struct, frozen=True, tag=True, gc=False):
    """Give an order; `tries`: continue if the rules refuse it."""

    line: int
    text: str
    tries: bool = False


class Repeat(Struct, frozen=True, tag=True, gc=False):
    """Give an order up to `rounds` times, until it fails, is refused, or the condition holds."""

    line: int
    text: str
    rounds: int
    until: Condition[Test] | None = None
    tries: bool = False


class BranchTo(Struct, frozen=True, tag=True, gc=False):
    """Continue if the condition holds, otherwise jump to `to`."""

    line: int
    condition: Condition[Test]
    to: int


class Jump(Struct, frozen=True, tag=True, gc=False):
    """Jump to `to`: the end of a branch that was taken."""

    to: int


class Stop(Struct, frozen=True, tag=True, gc=False):
    """End the script, if the condition holds."""

    line: int
    condition: Condition[Test] = ALWAYS


class GiveAnswer(Struct, frozen=True, gc=False):
    """An answering order, and when to give it."""

    order: str
    condition: Condition[Test] = ALWAYS


class Policy(Struct, frozen=True, tag=True, gc=False):
    """From here on, answer the side's own questions of a kind with the first answer whose condition holds and that the
    rules accept."""

    line: int
    kind: str
    answers: tuple[GiveAnswer, ...]


Instruction = GiveOrder | Repeat | BranchTo | Jump | Stop | Policy


class ScriptFault(Struct, frozen=True):
    """A line that cannot be read, and the reason."""

    line: ScriptLine
    refusal: Refusal


class Script(Struct, frozen=True):
    """A parsed script: the lines that get a result, their instructions, and the contribution that came with them.

    `is_preview`: its first line asks for a preview only.
    """

    orders: tuple[ScriptLine, ...]
    phrase: str = ""
    seal: str = ""
    program: tuple[Instruction, ...] = ()
    is_preview: bool = False

    @property
    def gives_orders(self) -> bool:
        """Whether it contains any order."""
        return any(isinstance(instruction, (GiveOrder, Repeat)) for instruction in self.program)

    @property
    def is_plain(self) -> bool:
        """Whether it consists of orders only, one to a line."""
        return len(self.orders) == len(self.program) and all(
            type(step) is GiveOrder and not step.tries for step in self.program
        )
