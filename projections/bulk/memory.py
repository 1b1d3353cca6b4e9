"""What a bulk export keeps of one battle: its events, orders, draws and seats."""

from typing import Any

from msgspec import UNSET

from domain.events.battle import BattleBegan, BattleEnded, CardDrawn, DieRolled, OrderAccepted, Unsealed
from domain.log.record import canonical
from domain.run.seats import Battle
from projections.model import Changes, ModelStep, OpenedBattle, ReadModel
from projections.statistics import value_of

Row = tuple[Any, ...]


class RecordMemory:
    """The rows of a battle so far. What was sealed stands in its row from the moment that the log opens it."""

    def __init__(self, opening: OpenedBattle) -> None:
        self._battle = opening.battle
        self._ruleset = opening.ruleset
        self._title = opening.ruleset.title
        self._begun: str | None = None
        self._ended: str | None = None
        self._last: ModelStep | None = None
        self._events: list[Row] = []
        self._orders: dict[int, Row] = {}
        self._draws: dict[int, Row] = {}

    def apply(self, step: ModelStep) -> None:
        """Apply the next event."""
        self._last, recorded, game = step, step.recorded, step.after.game
        event: Any = recorded.event
        when = (game.phase, game.turn, game.t, step.voided)
        self._events.append((self._battle, recorded.n, recorded.at, recorded.by, recorded.type, recorded.rule, *when))
        match event:
            case OrderAccepted():
                self._orders[recorded.n] = self._order(step, event)
            case CardDrawn():
                side = recorded.by if recorded.by in self._ruleset.seats else event.deck
                self._draws[recorded.n] = self._draw(step, (side, "card"), when, _of_card(event.card))
            case DieRolled():
                self._draws[recorded.n] = self._draw(step, (recorded.by, "die"), when, (None, event.value, event.sides))
            case BattleBegan():
                self._begun = recorded.at
            case BattleEnded():
                self._ended = recorded.at
            case Unsealed():
                self._open(event)
        if recorded.n == 1:
            self._title = getattr(event, "title", "") or self._title

    def _order(self, step: ModelStep, event: OrderAccepted) -> Row:
        recorded, before = step.recorded, step.before.game
        head = (self._battle, recorded.n, recorded.at, event.side, event.player, event.channel, event.line)
        return (*head, before.phase, before.turn, event.t, step.voided, *_of_order(event.text, event.command))

    def _draw(self, step: ModelStep, of: Row, when: Row, drawn: Row) -> Row:
        recorded = step.recorded
        event: Any = recorded.event
        return (self._battle, recorded.n, recorded.at, *of, event.purpose, event.unit, *when, *drawn)

    def _open(self, event: Unsealed) -> None:
        content = event.content
        if (order := self._orders.get(event.n)) is not None:
            text = _of_order(content.get("text", UNSET), content.get("command", UNSET))
            self._orders[event.n] = (*order[: -len(text)], *text)
        if (draw := self._draws.get(event.n)) is not None:
            card = _of_card(content.get("card", UNSET))
            self._draws[event.n] = (*draw[: -len(card)], *card)

    def changes(self) -> Changes:
        """The rows of a battle that was read whole. That of `battles` has title and times (opened to both sides, ended,
        last event) alone, those of `events` lack the data."""
        if self._last is None:
            return {}
        battle, at = self._last.after, self._last.recorded.at
        return {
            "battles": [(self._title, self._begun, (self._ended or at) if battle.ended else None, at)],
            "seats": [self._seat(battle, side) for side in self._ruleset.seats.names],
            "events": self._events,
            "orders": [*self._orders.values()],
            "draws": [*self._draws.values()],
        }

    def _seat(self, battle: Battle, side: str) -> Row:
        seat = battle.seats.get(side)
        army = self._ruleset.shown.table.names(battle.game).get(side, "")
        held = (seat.player, seat.name, seat.kind) if seat else ("", "", "")
        return (self._battle, side, army, *held, _result(battle, side))


def _result(battle: Battle, side: str) -> str | None:
    if battle.winner is None:
        return None
    return {"": "drawn", side: "won"}.get(battle.winner, "lost")


def _of_order(text: Any, command: Any) -> Row:
    return (None, None) if text is UNSET else (text, None if command is UNSET else canonical(command))


def _of_card(card: Any) -> Row:
    """The columns card, value and sides of a card."""
    return (card, value_of(card), None) if isinstance(card, str) else (None, None, None)


RECORD = ReadModel("record", 1, (), RecordMemory)
