"""What does a letter say: who is to move, the board, what happened since, and what can be ordered?

Only what the recipient's side may know goes into it. The answer is written above the cut line;
nothing below it is ever read as an order (libraries.md 1.3).
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime

from domain.battle import Timeline
from domain.events import OrderAccepted
from domain.record import Recorded
from domain.ruleset import Option
from replay import plain
from replay.notes import Signer
from replay.words import refusal
from server.mail.occasions import DECISION, END
from server.menus import menus
from server.play import Outcome
from server.table import Table

CUT = "-----8<-----"
RECAP_LINES = 120
OPTIONS_WIDTH = 76
SUBJECT = "[{battle}] {title}"


def cut_line(table: Table) -> str:
    """The line above which orders are written."""
    return f"{CUT} {table.id} event {table.n}: write ABOVE this line {CUT}"


def address_of(token: str, host: str) -> str:
    """Where a reply goes: the token is the only key, in letters that no mail system folds."""
    return f"play+{token}@{host}"


def letter(table: Table, side: str, kind: str, to: str, token: str, signer: Signer, at: str, id_: int) -> EmailMessage:
    """The letter about the move of `side`; `token` "" where no answer is wanted."""
    body = [_greeting(table, side, kind), ""]
    if token:
        body += [cut_line(table), ""]
    body += [*_board(table, side), "", "Since your last orders:", "", *recap(table, side)]
    if token:
        body += ["", "What you can order:", "", *options_lines(table.options(side))]
    return _message(table, to, token, body, signer, at, f"{id_}.{side}")


def answer(
    table: Table,
    side: str,
    to: str,
    outcomes: Sequence[Outcome],
    faults: Sequence[str],
    token: str,
    signer: Signer,
    at: str,
    id_: str,
) -> EmailMessage:
    """What became of the orders of a reply, line by line, and where the battle stands now."""
    body = ["Nothing was played, since not every line can be read:", "", *faults] if faults else []
    body += [outcome_line(outcome) for outcome in outcomes]
    if token:
        body += ["", cut_line(table)]
    body += ["", *_board(table, side), "", "Since your last orders:", "", *recap(table, side)]
    if token:
        body += ["", "What you can order:", "", *options_lines(table.options(side))]
    message = _message(table, to, token, body, signer, at, id_)
    message.replace_header("Auto-Submitted", "auto-replied")
    return message


def outcome_line(outcome: Outcome) -> str:
    """One order line and what became of it."""
    said = outcome.status
    if outcome.refusal:
        said = f"refused: {refusal(outcome.refusal.code, outcome.refusal.rule, outcome.refusal.params)}"
    return f"> {outcome.line.text}\n    {said}"


def recap(table: Table, side: str) -> list[str]:
    """What has happened since the side's last own orders, as that side may know it."""
    events = table.recording.timeline.events
    since = _last_order(events, side)
    lines = list(_said(table, side, since))
    if len(lines) > RECAP_LINES:
        lines = [
            f"({len(lines) - RECAP_LINES} lines left out; the whole log is in the battle file)",
            *lines[-RECAP_LINES:],
        ]
    return lines or ["Nothing yet."]


def _said(table: Table, side: str, since: int) -> Iterator[str]:
    ruleset, whole = table.ruleset, table.recording.timeline
    own = {n: whole.vault[n] for n, secret in table.recording.vault.items() if secret.seat == side}
    timeline = Timeline(ruleset, own)
    spoken = {recorded.n for recorded in plain.spoken(whole.events)}
    for recorded in whole.events:
        if recorded.n > since and recorded.n in spoken:
            known = ruleset.known(timeline.now.game, side)
            yield f"{recorded.n:>5} {plain.say(ruleset, known, recorded, timeline.whole(recorded))}"
        timeline.feed(recorded)


def _last_order(events: Sequence[Recorded], side: str) -> int:
    own = (r.n for r in reversed(events) if isinstance(r.event, OrderAccepted) and r.event.side == side)
    return next(own, 0)


def options_lines(options: Sequence[Option]) -> list[str]:
    """The legal orders, a paragraph for each unit: order, and the card it needs. Of many that begin alike
    (`place wood …`) the first is told, and how many more there are."""
    by_unit: dict[str, list[str]] = {}
    runs = menus(options)
    first = {run[0].order: len(run) - 1 for run in runs.values()}
    rest = {option.order for run in runs.values() for option in run[1:]}
    for option in options:
        if option.order in rest:
            continue
        need = f" ({option.needed}+)" if option.needed else ""
        more = f" (or {first[option.order]} other places)" if option.order in first else ""
        by_unit.setdefault(option.unit, []).append(f"{option.order}{need}{more}")
    lines: list[str] = []
    for orders in by_unit.values():
        line = ""
        for order in orders:
            if line and len(line) + len(order) > OPTIONS_WIDTH:
                lines.append(line.rstrip())
                line = "    "
            line += f"{order}; "
        lines.append(line.rstrip("; "))
    return lines or ["Nothing: it is not your move."]


def _greeting(table: Table, side: str, kind: str) -> str:
    if kind == END:
        winner = table.game.winner
        return f"The battle is over: {f'{winner} has won' if winner else 'a draw'} ({table.game.how})."
    what = "You have to decide something" if kind == DECISION else "It is your turn"
    return (
        f"{what} ({side}). Answer this mail with your orders, one to a line, above the line below.\n"
        "A line `phrase` with some words of your own makes the draws depend on you."
    )


def _board(table: Table, side: str) -> list[str]:
    return [plain.board(table.ruleset, table.known(side), side)]


def _message(table: Table, to: str, token: str, body: list[str], signer: Signer, at: str, id_: str) -> EmailMessage:
    """The head in every mail is the same note as in receipts and files (fairness.md 2)."""
    host, head = table.recording.header.host, table.recording.head.hex()[:16]
    message = EmailMessage()
    message["From"] = f"Phalera <play@{host}>"
    message["To"] = to
    message["Subject"] = SUBJECT.format(battle=table.id, title=getattr(table.game, "title", table.ruleset.title))
    message["Date"] = format_datetime(datetime.fromisoformat(at))
    message["Message-ID"] = f"<{table.id}.{table.n}.{id_}.{head}@{host}>"
    message["References"] = f"<{table.id}@{host}>"
    message["Auto-Submitted"] = "auto-generated"
    message["X-Auto-Response-Suppress"] = "OOF, AutoReply"
    if token:
        message["Reply-To"] = address_of(token, host)
    message.set_content("\n".join([*body, "", "-- ", table.note(signer)]))
    return message
