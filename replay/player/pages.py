"""What the player shows over its panes, and what it writes into files: reasons, verdict, disputes, notes, pictures.

What takes long is done in a thread, on a copy of its own: all keys work meanwhile.
"""

from collections.abc import Callable
from pathlib import Path

from rich.table import Table
from textual import work
from textual.app import App
from textual.worker import get_current_worker

from domain.run.branching import place_before
from replay import battle_file
from replay.player import pictures
from replay.player.branching import Branching, write_branch
from replay.player.dialogs import Ask, TextDialog
from replay.player.keys import help_page
from replay.player.marks import Marks
from replay.player.pictures import Export
from replay.player.playback import Playback
from replay.player.views import ProofView
from replay.proof import chain, verdict
from replay.proof.verify import Report, verify
from replay.reports.clips import TooLong
from replay.reports.disputed import docket_lines
from replay.telling.why import to_text
from replay.telling.words import phrase

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
"""Events in a second, while it plays by itself, and frames of a clip."""


class _Left(Exception):
    """The player was left while the file was checked."""


class Pages(App[None]):
    """The part of the player that opens pages and writes files."""

    playback: Playback
    marks: Marks
    proof: ProofView
    _file: str
    _lang: str
    _speed: int
    _branch: Branching | None

    def tell(self, message: str) -> None:
        """Say something in the last line, until the next key."""
        raise NotImplementedError  # the player that has these pages also has the line

    def _phrase(self, what: str, **members: object) -> str:
        return phrase(f"player.{what}", members, self._lang)

    def action_why(self) -> None:
        """All reasons of the event, on a page."""
        self._show(to_text(self.playback.why(), self._lang))

    def action_help(self) -> None:
        """All keys, on a page."""
        self._show(help_page(self._lang))

    def action_verify(self) -> None:
        """Check the whole file in a thread, with progress in the last line."""
        self.tell(self._phrase("verifying", percent=0))
        self._verify(self._content())

    def _content(self) -> bytes:
        """The battle file as it is now."""
        log = self.playback.battle.log
        return chain.file_bytes(log.header_line, log.lines, log.checkpoint)

    @work(thread=True, exclusive=True)
    def _verify(self, content: bytes) -> None:
        worker, total, told = get_current_worker(), 2 * self.playback.last, 0

        def progress(done: int) -> None:
            nonlocal told
            if worker.is_cancelled:
                raise _Left
            percent = min(100 * done // total, 99)
            if percent > told:
                told = percent
                self.call_from_thread(self.tell, self._phrase("verifying", percent=percent))

        report = verify(content, progress=progress, lang=self._lang)
        if not worker.is_cancelled:
            self.call_from_thread(self._verified, report)

    def _verified(self, report: Report) -> None:
        self.proof = ProofView(report.checked > 0, report.fault.n if report.fault else 0, report.events)
        self.tell("")
        self._show("\n".join(verdict.lines(report, self._lang)))

    def action_mark(self) -> None:
        """Write a note on the event."""
        self._ask("mark", self.marks.notes.get(self.playback.n, ""), self._mark)

    def _mark(self, note: str) -> None:
        try:
            self.marks.set(self.playback.n, note)
        except OSError as reason:
            self.tell(self._phrase("not-written", reason=str(reason)))
        else:
            self.tell("")

    def action_dockets(self) -> None:
        """What is disputed, on a page; the rules are asked in a thread."""
        if not self.playback.disputes.dockets:
            self.tell(phrase("docket.none", {}, self._lang))
            return
        self.tell(self._phrase("judging"))
        self._judge(self._content())

    @work(thread=True, group="dockets", exclusive=True)
    def _judge(self, content: bytes) -> None:
        battle = battle_file.parse(content, lang=self._lang)  # that of the player goes on meanwhile
        dockets = battle.timeline.now.disputes.dockets
        told = ["\n".join(docket_lines(battle, docket, self._lang)) for docket in dockets]
        if not get_current_worker().is_cancelled:
            self.call_from_thread(self._judged, "\n\n".join(told))

    def _judged(self, told: str) -> None:
        self.tell("")
        self._show(told)

    def action_branch(self) -> None:
        """Write the file of a battle that begins here."""
        branch, n = self._branch, place_before(self.playback.battle.events, self.playback.n)
        if branch is None or not n:
            self.tell(self._phrase("no-branch"))
            return

        def named(name: str) -> None:
            self.tell(write_branch(branch, self.playback.battle, n, name, self._lang))

        self._ask("branch", f"branch-{n}.battle", named)

    def action_export(self) -> None:
        """Write the board as a picture, or a span of the battle as a clip."""
        stem = "battle" if self.marks.path is None else Path(self._file).stem
        self._ask("export", f"{stem}-{self.playback.n}.png", self._export)

    def _export(self, typed: str) -> None:
        try:
            export = pictures.export_of(typed, self.playback, SPEEDS[self._speed])
        except pictures.UnknownForm:
            self.tell(self._phrase("no-picture", known=", ".join(pictures.ENDINGS)))
            return
        except TooLong as reason:
            self.tell(str(reason))
            return
        if export.is_clip:
            self.tell(self._phrase("drawing", name=export.name))
            self._draw_clip(export)
        else:
            self.tell(self._written(export))

    @work(thread=True, group="clip")
    def _draw_clip(self, export: Export) -> None:
        """Draw a clip in a thread: all keys work meanwhile."""
        said = self._written(export)
        if not get_current_worker().is_cancelled:
            self.call_from_thread(self.tell, said)

    def _written(self, export: Export) -> str:
        """What came of an export."""
        try:
            export.write()
        except (OSError, ValueError) as reason:  # ValueError: a name with a null byte
            return self._phrase("not-written", reason=str(reason))
        return self._phrase("written", name=export.name)

    def _show(self, shown: str | Table) -> None:
        """A page over the panes."""
        self.push_screen(TextDialog(shown, self._phrase("page")))

    def _ask(self, what: str, given: str, then: Callable[[str], None]) -> None:
        """Ask for a line; nothing happens if it is left with Escape."""

        def answered(text: str | None) -> None:
            if text is not None:
                then(text)

        self.push_screen(Ask(self._phrase(f"ask-{what}"), given), answered)
