"""Who may take the seat of somebody else after the start (docs/record-format.md 6, and the last section)."""

from datetime import datetime, timedelta
from typing import Any

from .file import Line
from .lines import Wrong

NAMING = ("SubstituteAgreed", "UmpireProposed", "UmpireNamed")
SAID = ("OrderAccepted", "ContributionGiven", "ClockFired")
SILENT = timedelta(days=30)


class Silence:
    """Since when each seat has been silent."""

    def __init__(self, seats: list[str], has_pace: bool) -> None:
        self.has_pace, self.seats = has_pace, seats
        self.fell: dict[str, int] = {}
        self.said: dict[str, int] = {}
        self.stirred: dict[str, tuple[int, str]] = {}

    def since(self, seat: str, at: str) -> int:
        """The event since which a seat has been silent long enough, 0 if it has not."""
        if self.has_pace:
            fell = self.fell.get(seat, 0)
            return fell if fell > self.said.get(seat, 0) else 0
        n, then = self.stirred.get(seat, (0, at))
        return n if _moment(at) - _moment(then) >= SILENT else 0

    def passed(self, first: Line, facts: list[Line]) -> None:
        """A block has passed."""
        is_naming = bool(facts) and all(line.type in NAMING for line in facts)
        for seat in self.seats:
            if first.by == seat or not is_naming:
                self.stirred[seat] = first.n, first.at
        if first.type == "ClockFired" and first.data["what"] == "deadline":
            self.fell[first.data["side"]] = first.n
        elif first.type in SAID:
            self.said[first.by] = first.n


class Substitutes:
    """Who is named for which seat ("" where none is told), by whom; `holders` are the newest of each seat."""

    def __init__(self, version: int, silence: Silence, holders: dict[str, dict[str, Any]]) -> None:
        self.version, self.silence, self.holders = version, silence, holders
        self.taken: set[str] = set()
        self.named: dict[tuple[str, str], tuple[str, int, bool]] = {}
        self.umpire_signs = False
        self.left_by, self.since, self.is_taken_away = "", 0, False

    def agreed(self, line: Line) -> None:
        """Somebody names a substitute."""
        seat, is_silent = line.data.get("seat", ""), line.data.get("silent") is True
        if not seat and self.version > 2:
            raise Wrong(line.n, "bad-member")
        if is_silent and (seat == line.data["side"] or not self.silence.since(seat, line.at)):
            raise Wrong(line.n, "seat-not-silent")
        self.named[seat, line.data["side"]] = line.data["player"], line.n, is_silent

    def umpire_named(self, signs: bool) -> None:
        """Another umpire: one with a key has not signed what the last one has said."""
        self.umpire_signs = signs
        if signs:
            self.named = {key: one for key, one in self.named.items() if key[1] != "umpire"}

    def left(self, line: Line) -> None:
        """A player gives a seat back in play, or others take it from them."""
        side, holder = line.data["side"], self.holders[line.data["side"]]
        self.named = {(seat, by): one for (seat, by), one in self.named.items() if by != side or seat == side}
        self.is_taken_away = self.version > 2 and "signer" in holder and "serial" not in line.data
        if self.is_taken_away and not any(self._is_released(side, player) for player, _, _ in self.named.values()):
            raise Wrong(line.n, "signature-missing")
        is_given = line.data["reason"] == "substitute" and holder["kind"] == "person"
        self.left_by, self.since = (side, self.silence.since(side, line.at)) if is_given else ("", 0)

    def joined(self, line: Line) -> None:
        """A substitute takes a seat in play."""
        side, player = line.data["side"], line.data["player"]
        left_by, self.left_by = self.left_by, ""
        is_taken_away, self.is_taken_away = self.is_taken_away, False
        by_seat = {by: one for (seat, by), one in self.named.items() if (seat, one[0]) == (side, player)}
        counted = {*by_seat}
        if side not in by_seat and left_by == side:
            counted = {by for by, (_, n, is_silent) in by_seat.items() if self.since and is_silent and n > self.since}
        of_any = {by for (seat, by), one in self.named.items() if (seat, one[0]) == ("", player)}
        is_free = not is_taken_away or self._is_released(side, player, counted)
        if not is_free or not self._is_backed(side, counted | of_any):
            is_named = self._is_backed(side, {*by_seat})
            raise Wrong(line.n, "seat-present" if is_named else "substitute-not-agreed")
        self.named = {key: one for key, one in self.named.items() if key[0] != side and one[0] != player}

    def _persons(self, side: str) -> set[str]:
        return {seat for seat in self.taken if seat != side and self.holders[seat]["kind"] == "person"}

    def _is_backed(self, side: str, words: set[str]) -> bool:
        return "umpire" in words or words >= self._persons(side)

    def _is_released(self, side: str, player: str, words: set[str] | None = None) -> bool:
        """Whether a signed seat may be taken without its signature: by its own signed word, or those of all others."""
        if words is None:
            words = {by for (seat, by), one in self.named.items() if (seat, one[0]) == (side, player)}
        signing = {seat for seat, one in self.holders.items() if "signer" in one}
        signing |= {"umpire"} if self.umpire_signs else set()
        needed = {side} if side in words else {"umpire", *self._persons(side)}
        return needed <= words and needed <= signing


def _moment(at: str) -> datetime:
    return datetime.fromisoformat(at[:-1])
