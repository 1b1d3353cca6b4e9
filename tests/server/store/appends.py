"""Appends for the tests of the store.

Small chained events: lines that are not English, not JSON, and not even text where it matters, since the store must
not care.
"""

from hashlib import sha256

from server.store import Append, CommandRecord, EventRow, EventStore, Opening, Statement, StoredHead

AT = "2025-03-01T12:00:00.000Z"


def header(battle: str) -> bytes:
    """The header line of a test battle."""
    return f'{{"battle":"{battle}","note":"Zama, à l’aube"}}'.encode()


def rows_after(head: StoredHead, count: int, text: str = "é⚔\u2028") -> list[EventRow]:
    """`count` events that go on from `head`."""
    n, previous = head
    rows = []
    for _ in range(count):
        n += 1
        line = f'{{"n":{n},"text":"{text}"}}'.encode()
        previous = sha256(previous + line).digest()
        rows.append((f"Kind{n % 3}", line, previous))
    return rows


def start(battle: str) -> StoredHead:
    """The head of a battle that is about to be opened."""
    return StoredHead(0, sha256(header(battle)).digest())


def opening(battle: str, count: int = 1, command: CommandRecord | None = None) -> Append:
    """Opens a battle with `count` events."""
    return Append(battle, 0, rows_after(start(battle), count), command, opens=Opening(header(battle), AT, "public"))


def following(
    store: EventStore,
    battle: str,
    count: int = 1,
    command: CommandRecord | None = None,
    also: tuple[Statement, ...] = (),
) -> Append:
    """Goes on from the present head of a battle."""
    head = store.head(battle) or start(battle)
    return Append(battle, head.n, rows_after(head, count), command, also, prev=head.hash)


def command(name: str) -> CommandRecord:
    """A command with an answer that names it."""
    return CommandRecord(name.encode(), sha256(name.encode()).digest(), f"answer to {name}".encode())
