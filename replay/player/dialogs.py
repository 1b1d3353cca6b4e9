"""What stands over the panes for a moment: a line to type in, and a page to read."""

from typing import ClassVar

from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Static

from replay.drawing.text.signs import plain as printable
from replay.player.marks import LONGEST


class Ask(ModalScreen[str | None]):
    """A question in the last line; None if it is left with Escape."""

    CSS = """
    Ask { background: transparent; align: left bottom; }
    #asked { height: 1; width: 100%; background: ansi_default; }
    #asked Label { width: auto; text-style: bold; }
    #asked Input { width: 1fr; border: none; height: 1; padding: 0 1; background: ansi_default; color: ansi_default; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", show=False)]

    def __init__(self, question: str, given: str) -> None:
        super().__init__()
        self._question = question
        self._given = given

    def compose(self) -> ComposeResult:
        """The question and the line."""
        with Horizontal(id="asked"):
            yield Label(self._question)
            yield Input(self._given, max_length=LONGEST)

    def on_mount(self) -> None:
        """Type at once."""
        self.query_one(Input).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter answers."""
        self.dismiss(event.value)

    def action_leave(self) -> None:
        """Escape leaves it."""
        self.dismiss(None)


class TextDialog(ModalScreen[None]):
    """A text to read, or a table, which scrolls if it is long; its lower edge says which keys do that."""

    CSS = """
    TextDialog { background: transparent; align: center middle; }
    #page { width: 90%; height: auto; max-height: 90%; background: ansi_default; color: ansi_default;
            border: round ansi_bright_black; border-subtitle-color: ansi_default; padding: 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter,w,v,d,question_mark", "leave", show=False),
    ]

    def __init__(self, shown: str | Table, keys: str) -> None:
        super().__init__()
        self._shown = Text("\n".join(map(printable, shown.splitlines()))) if isinstance(shown, str) else shown
        self._keys = keys

    def compose(self) -> ComposeResult:
        """The text."""
        with VerticalScroll(id="page") as page:
            page.border_subtitle = self._keys
            yield Static(self._shown)

    def on_mount(self) -> None:
        """The arrow keys scroll."""
        self.query_one("#page").focus()

    def action_leave(self) -> None:
        """Any of the keys that open a page closes it."""
        self.dismiss(None)
