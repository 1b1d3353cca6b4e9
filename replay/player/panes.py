"""The panes of the player that answer the mouse or the window: the log, and the box around board, log and reasons."""

from rich.text import Text
from textual import events
from textual.containers import Horizontal
from textual.geometry import Size
from textual.message import Message
from textual.widgets import Static


class SentencesPane(Static):
    """The sentences around the event that is looked at; a click goes to one."""

    class Chosen(Message):
        """Event `n` was clicked at."""

        def __init__(self, n: int) -> None:
            super().__init__()
            self.n = n

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self.numbers: list[int] = []

    def show(self, text: Text, numbers: list[int]) -> None:
        """Take the lines and their events."""
        self.numbers = numbers
        self.update(text)

    def on_click(self, event: events.Click) -> None:
        """Go to the event that is clicked at."""
        if 0 <= event.y < len(self.numbers):
            self.post_message(self.Chosen(self.numbers[event.y]))


class Panes(Horizontal):
    """Board, log and reasons; what lies around them has `LINES` lines."""

    class Resized(Message):
        """There is another room for them."""

        def __init__(self, size: Size) -> None:
            super().__init__()
            self.size = size

    def on_resize(self, event: events.Resize) -> None:
        """Say so."""
        self.post_message(self.Resized(event.size))
