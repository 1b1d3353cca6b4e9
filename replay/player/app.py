"""The full-screen player: keys and mouse, and the panes of a battle around them.

It holds no knowledge of battles: `Playback` goes and looks, `views` writes, `pages` shows what stands over the panes.
What takes the whole battle (search, curves) is done bit by bit while nobody presses a key.
"""

from typing import ClassVar

from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.geometry import Size
from textual.timer import Timer
from textual.widgets import Static

from replay import battle_file
from replay.battle_file import BattleFile, UnreadableFile
from replay.player import layout, views
from replay.player.branching import Branching
from replay.player.keys import KEYS, WRITTEN
from replay.player.live import LIVE, OVER, STOPPED, Follow, News
from replay.player.marks import Marks
from replay.player.pages import SPEEDS, Pages
from replay.player.panes import Panes, SentencesPane
from replay.player.playback import Playback
from replay.player.views import ProofView
from replay.search import BadSearch
from replay.telling.words import ENGLISH


class ReplayPlayer(Pages):
    """A battle on the whole screen."""

    CSS = layout.CSS
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding(keys, action, show=False) for keys, action, _ in KEYS]

    def __init__(
        self,
        battle: BattleFile,
        name: str,
        lang: str = ENGLISH,
        at: int = 0,
        follow: Follow | None = None,
        branch: Branching | None = None,
    ) -> None:
        """A battle from the file of a name; with `follow` it goes on, and what is looked at first is its end. `branch`
        makes the file of a branch after an event."""
        super().__init__(ansi_color=True)
        self.playback = Playback(battle, lang)
        self.playback.go(at or (battle.last if follow else 1))
        self.marks = Marks.beside(name)
        self.proof = ProofView()
        self._file = name
        self._lang = lang
        self._speed = SPEEDS.index(2.0)
        self._playing: Timer | None = None
        self._source = follow
        self._branch = branch
        self._live = ""
        self._message = ""
        self._window = Size(80, 24)
        self._is_brief = False  # the whole board has not fitted into this window
        self._highest = 0  # lines of the boards so far, so that the log does not jump

    def compose(self) -> ComposeResult:
        """The panes from top to bottom."""
        yield Static(id="title")
        with Panes(id="panes"):
            yield Static(id="board")
            with Vertical(id="words"):
                yield SentencesPane(id="log")
                yield Static(id="why")
        yield Static(id="status")
        yield Static(id="message")

    def on_mount(self) -> None:
        """Show the first event, and begin to read ahead."""
        self._reading = self.set_interval(0.05, self._read_on)
        if self._source is not None:
            self._hear(self._source)

    def on_panes_resized(self, event: Panes.Resized) -> None:
        """Lay the panes out anew."""
        self._window = Size(event.size.width, event.size.height + layout.LINES)
        panes = self.screen_stack[0].query_one(Panes)
        panes.set_classes("wide" if event.size.width >= layout.WIDE else "tall")
        for rule in ("width", "height"):
            self._pane("board").styles.clear_rule(rule)
        self._highest, self._is_brief = 0, False
        self.draw()

    # --- drawing

    def draw(self) -> None:
        """Write all panes, each in the room that it has (`layout`)."""
        room = layout.room_in(*self._window)
        board, self._is_brief = views.board(self.playback, *room.board, brief=self._is_brief)
        if room.is_wide:
            self._pane("board").styles.width = room.across
        else:
            self._highest = max(self._highest, board.plain.count("\n") + 1)
            self._pane("board").styles.height = self._highest
        self._pane("board").update(board)
        self._pane("title").update(views.title(self.playback, self._window.width, self._live))
        log = self.screen_stack[0].query_one(SentencesPane)
        log.show(*views.log(self.playback, self.marks, self.proof, *room.log(self._highest)))
        self._pane("why").update(views.why(self.playback, room.reasons))
        self._pane("status").update(views.status(self.playback, self.marks, self.proof, self._window.width))
        message = self._message or self._phrase("keys", turn=WRITTEN["turn"])
        self._pane("message").update(Text(message, "dim", no_wrap=True))

    def _pane(self, name: str) -> Static:
        """A pane, also while a page stands over it."""
        return self.screen_stack[0].query_one(f"#{name}", Static)

    def tell(self, message: str) -> None:
        """Say something in the last line, until the next key."""
        self._message = message
        self.draw()

    def _read_on(self) -> None:
        if not self.playback.read_on():
            self._reading.pause()
            self.draw()

    # --- a battle that goes on

    @work(group="live")
    async def _hear(self, follow: Follow) -> None:
        """Take what is added to the log, as it comes."""
        log = self.playback.battle.log
        async for news in follow(self.playback.last, log.hashes[-1]):
            try:
                self._take(news)
            except UnreadableFile as reason:
                self._live = STOPPED
                self.tell(self._phrase("other-history", reason=str(reason)))
                return

    def _take(self, news: News) -> None:
        """Take news: lines of the log, or another state of the connection.

        Raises:  UnreadableFile for lines that do not go on from ours
        """
        if news.lines or news.note:
            known = self.playback.battle
            self._extend(battle_file.extended(known, news.lines, news.note, self._file, self._lang))
        before, is_over = self._live, self.playback.battle.timeline.now.ended
        self._live = OVER if is_over and news.state == LIVE else news.state
        if news.reason:
            self._message = news.reason
        if news.lines or news.reason or self._live != before:
            self.draw()

    def _extend(self, battle: BattleFile) -> None:
        """Go on with more events; a reader who looks back is not moved."""
        count = battle.last - self.playback.last
        self.playback.extend(battle)
        self._reading.resume()
        if count:
            self._message = self._phrase("more", count=count) if self.playback.n < battle.last else ""

    # --- going

    def go(self, n: int) -> None:
        """Look at an event."""
        self.playback.go(n)
        self.tell("")

    def on_sentences_pane_chosen(self, event: SentencesPane.Chosen) -> None:
        """Look at what is clicked at."""
        self.go(event.n)

    def action_step(self, how: str, forward: bool) -> None:
        """Go one step of a kind."""
        self.playback.step(how, forward)
        self.tell("")

    def action_end(self, last: bool) -> None:
        """Go to the last or to the first event."""
        self.go(self.playback.last if last else 1)

    def on_mouse_scroll_down(self) -> None:
        """One event on."""
        self._scrolled(True)

    def on_mouse_scroll_up(self) -> None:
        """One event back."""
        self._scrolled(False)

    def _scrolled(self, forward: bool) -> None:
        if len(self.screen_stack) == 1:  # at its end, a page leaves the wheel to what stands below it
            self.action_step("event", forward)

    def action_goto(self) -> None:
        """Ask for the number of an event."""
        self._ask("goto", "", self._goto)

    def _goto(self, text: str) -> None:
        if text.strip().isdecimal():
            self.go(int(text))
        else:
            self.tell(self._phrase("no-number", last=self.playback.last))

    def action_search(self) -> None:
        """Ask what to search for."""
        self._ask("search", "", self._search)

    def _search(self, text: str) -> None:
        try:
            self.playback.search(text)
        except BadSearch as reason:
            self.tell(str(reason))
        else:
            self.tell(self._phrase("found", count=len(self.playback.found)))

    def action_found(self, forward: bool) -> None:
        """Go to the next event that was found."""
        self.playback.next_found(forward)
        self.tell("" if self.playback.found else self._phrase("found", count=0))

    def action_follow(self) -> None:
        """Follow a unit, or stop that."""
        if self.playback.unit:
            self.playback.follow("")
            self.tell("")
        else:
            self._ask("follow", getattr(self.playback.now.event, "unit", ""), self._follow)

    def _follow(self, unit: str) -> None:
        is_there = self.playback.follow(unit.strip())
        self.tell("" if is_there else self._phrase("no-unit", unit=unit.strip()))

    def action_view(self, viewer: str) -> None:
        """See it as a side knew it then, "" for a stranger."""
        self.playback.side = viewer
        self.tell("")

    # --- playing by itself

    def action_play(self) -> None:
        """Go on by itself, or stop."""
        if self._playing is not None:
            self._playing.stop()
            self._playing = None
        else:
            self._playing = self.set_interval(1 / SPEEDS[self._speed], self._play)
        self.tell(self._phrase("playing" if self._playing else "stopped", speed=f"{SPEEDS[self._speed]:g}"))

    def _play(self) -> None:
        self.playback.step("event", True)
        self.draw()
        if self.playback.n == self.playback.last and self._playing is not None:
            self.action_play()

    def action_speed(self, faster: bool) -> None:
        """Play faster or slower."""
        self._speed = min(max(self._speed + (1 if faster else -1), 0), len(SPEEDS) - 1)
        if self._playing is not None:
            self._playing.stop()
            self._playing = self.set_interval(1 / SPEEDS[self._speed], self._play)
        self.tell(self._phrase("playing" if self._playing else "speed", speed=f"{SPEEDS[self._speed]:g}"))
