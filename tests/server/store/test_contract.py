"""What the store promises, whatever its backend."""

import asyncio
from collections.abc import Callable
from hashlib import sha256

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as effort
from hypothesis import strategies as st

from server.store import (
    Append,
    Appended,
    Conflict,
    Duplicate,
    EventRow,
    EventStore,
    Opening,
    Statement,
    StoredHead,
    StoreSettings,
    UnknownBattle,
    Unmatched,
    Violated,
)
from server.store.tables import outbox, vault
from tests.server.store.appends import AT, command, following, header, opening, rows_after, start


def everything(store: EventStore) -> list[list[tuple[object, ...]]]:
    """All that is stored."""
    tables = ("battles", "commands", "requests", "vault", "outbox", "accounts", "tokens", "parked", "raw_mail")
    return [list(store.feed(0, 1_000_000)), *(store.rows(f"SELECT * FROM {live}") for live in tables)]


# --- what is appended is what is read


def test_a_battle_is_read_as_it_was_written(store: EventStore) -> None:
    append = opening("b0000001", 7)
    assert store.append_now(append) == Appended(1, 7, 7)
    assert store.read("b0000001") == [(n, hash_, line) for n, (_, line, hash_) in enumerate(append.rows, 1)]
    assert store.lines("b0000001") == [line for _, line, _ in append.rows]
    assert store.header("b0000001") == header("b0000001")
    assert store.head("b0000001") == StoredHead(7, append.rows[-1][2])


def test_an_unknown_battle_has_no_head_and_no_lines(store: EventStore) -> None:
    assert store.head("nowhere") is None
    assert store.header("nowhere") is None
    assert store.battle("nowhere") is None
    assert store.read("nowhere") == []


def test_a_battle_without_events_ends_at_the_hash_of_its_header(store: EventStore) -> None:
    store.append_now(opening("b0000001", 0))
    assert store.head("b0000001") == (0, sha256(header("b0000001")).digest())


def test_battles_come_in_the_order_of_their_opening(store: EventStore) -> None:
    for battle in ("zama", "ilipa", "cannae"):
        store.append_now(opening(battle))
    assert [(b.battle, b.header, b.created, b.readers) for b in store.battles()] == [
        (battle, header(battle), AT, "public") for battle in ("zama", "ilipa", "cannae")
    ]


@effort(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=st.lists(st.binary(min_size=1).filter(lambda line: b"\n" not in line), min_size=1, max_size=5))
def test_any_bytes_come_back_as_they_were(store: EventStore, lines: list[bytes]) -> None:
    battle = f"b{len(store.battles()):07d}"
    rows: list[EventRow] = [("Kind", line, sha256(line).digest()) for line in lines]
    store.append_now(Append(battle, 0, rows, opens=Opening(b"\xff\x00header", AT, "link")))
    assert store.lines(battle) == lines
    assert [hash_ for _, hash_, _ in store.read(battle)] == [hash_ for _, _, hash_ in rows]
    assert store.header(battle) == b"\xff\x00header"


@pytest.mark.parametrize("row", [("K", b"line", b"short"), ("K", b"", b"h" * 32), ("K", b"two\nlines", b"h" * 32)])
def test_a_row_that_would_break_the_file_is_not_queued(store: EventStore, row: EventRow) -> None:
    with pytest.raises(ValueError, match="b0000001 1"):
        store.append_now(Append("b0000001", 0, [row], opens=Opening(b"{}", AT, "public")))
    assert store.battles() == []


def test_battles_that_go_on_are_found_by_what_an_early_event_says(store: EventStore) -> None:
    for name, events in (("b0000003", 4), ("b0000001", 3), ("b0000002", 4), ("b0000004", 0)):
        store.append_now(opening(name, events))
    assert store.going_on("Kind2", 2, '"n":2,"text":"é'.encode(), "Kind0") == ["b0000003", "b0000002"]
    assert store.going_on("Kind2", 1, b"text", "") == []
    assert store.going_on("Kind1", 2, b"another", "") == []


def test_reading_resumes_after_any_event(store: EventStore) -> None:
    store.append_now(opening("b0000001", 20))
    store.append_now(opening("b0000002", 20))
    assert [n for n, _, _ in store.read("b0000001", after=17)] == [18, 19, 20]
    assert [n for n, _, _ in store.read("b0000001", after=4, limit=3)] == [5, 6, 7]
    assert store.read("b0000001", after=20) == []
    assert store.read("b0000001", limit=0) == []


def test_a_long_stream_is_whole(store: EventStore) -> None:
    append = opening("b0000001", 12_000)
    store.append_now(append)
    store.append_now(following(store, "b0000001", 3_000))
    previous = start("b0000001").hash
    for n, (stored, hash_, line) in enumerate(store.read("b0000001"), 1):
        previous = sha256(previous + line).digest()
        assert (stored, hash_) == (n, previous)
    assert store.head("b0000001") == (15_000, previous)


# --- versions


@pytest.mark.parametrize("expected", [0, 2, 4, 7])
def test_a_stale_append_and_a_gap_are_conflicts_with_the_head(store: EventStore, expected: int) -> None:
    store.append_now(opening("b0000001", 3))
    before = everything(store)
    with pytest.raises(Conflict) as refused:
        store.append_now(Append("b0000001", expected, rows_after(StoredHead(expected, b"x"), 2), command("c")))
    assert refused.value.head == store.head("b0000001")
    assert refused.value.expected == expected
    assert everything(store) == before


def test_an_append_made_for_another_branch_is_a_conflict(store: EventStore) -> None:
    store.append_now(opening("b0000001", 3))
    with pytest.raises(Conflict):
        store.append_now(Append("b0000001", 3, rows_after(StoredHead(3, b"y" * 32), 1), prev=b"y" * 32))


def test_a_battle_is_opened_before_it_is_appended_to(store: EventStore) -> None:
    with pytest.raises(UnknownBattle):
        store.append_now(Append("b0000001", 0, rows_after(start("b0000001"), 1)))
    assert store.position() == 0


def test_a_battle_is_opened_once(store: EventStore) -> None:
    store.append_now(opening("b0000001", 2))
    with pytest.raises(Conflict) as refused:
        store.append_now(opening("b0000001", 1))
    assert refused.value.head.n == 2
    assert len(store.read("b0000001")) == 2


# --- commands


def test_a_repeated_command_is_answered_as_recorded(store: EventStore) -> None:
    store.append_now(opening("b0000001", 2, command("open")))
    store.append_now(following(store, "b0000001", 3, command("move")))
    before = everything(store)
    stale = Append("b0000001", 2, rows_after(StoredHead(2, b""), 1), command("move"))
    fresh = following(store, "b0000001", 1, command("move"))
    elsewhere = opening("b0000002", 1, command("move"))
    for again in (stale, fresh, elsewhere):
        with pytest.raises(Duplicate) as known:
            store.append_now(again)
        assert known.value.answer == b"answer to move"
        assert known.value.recorded == (b"move", "b0000001", 3, 3, command("move").digest, b"answer to move")
    with pytest.raises(Duplicate):
        store.append_now(opening("b0000001", 2, command("open")))
    assert everything(store) == before


def test_a_command_may_be_answered_without_events(store: EventStore) -> None:
    store.append_now(opening("b0000001", 2))
    done = store.append_now(following(store, "b0000001", 0, command("refused")))
    assert done == Appended(3, 2, 2)
    recorded = store.command(b"refused")
    assert recorded is not None
    assert (recorded.first, recorded.events, recorded.answer) == (3, 0, b"answer to refused")
    assert store.command(b"never given") is None


async def test_the_same_command_twice_at_once_is_done_once(store: EventStore) -> None:
    await store.submit(opening("b0000001"))
    first = store.submit(following(store, "b0000001", 2, command("twice")))
    second = store.submit(following(store, "b0000001", 2, command("twice")))
    assert await first == Appended(2, 3, 3)
    with pytest.raises(Duplicate):
        await second
    assert len(store.read("b0000001")) == 3


# --- all or nothing


def test_what_belongs_to_an_append_is_stored_with_it(store: EventStore) -> None:
    secret = vault.VaultSecret("b0000001", 2, "sealed", "south", b"salt", b"hidden")
    store.append_now(opening("b0000001", 1))
    also = (vault.put(secret), outbox.post("b0000001", 2, "p2", "turn", AT))
    store.append_now(following(store, "b0000001", 1, also=also))
    assert vault.sealed(store, "b0000001") == [secret]
    assert [letter.recipient for letter in outbox.unsent(store)] == ["p2"]


def test_a_failing_row_leaves_nothing_of_its_append(store: EventStore) -> None:
    store.append_now(opening("b0000001", 1))
    store.write_now(vault.put_master("b0000001", b"m"))
    before = everything(store)
    also = (outbox.post("b0000001", 2, "p2", "turn", AT), vault.put_master("b0000001", b"other"))
    with pytest.raises(Violated):
        store.append_now(following(store, "b0000001", 2, command("c"), also))
    nobody = (Statement("UPDATE accounts SET name='x' WHERE player='nobody'", (), 1),)
    with pytest.raises(Unmatched):
        store.append_now(following(store, "b0000001", 2, command("c"), nobody))
    broken = Append("b0000002", 0, [], command("c"), opens=Opening(b"{}", AT, "everybody"))
    with pytest.raises(Violated):
        store.append_now(broken)
    assert everything(store) == before
    assert store.append_now(following(store, "b0000001", 2, command("c"))).n == 3


def test_statements_without_events_are_one_transaction(store: EventStore) -> None:
    with pytest.raises(Violated):
        store.write_now(outbox.post("", 0, "p1", "login", AT), vault.put_master("b", b"1"), vault.put_master("b", b"2"))
    assert outbox.unsent(store) == []
    assert store.write_now(outbox.post("", 0, "p1", "login", AT), vault.put_master("b", b"1")) == (1, 1)


async def test_jobs_of_one_batch_do_not_harm_each_other(store: EventStore) -> None:
    for i in range(40):
        await store.submit(opening(f"b{i:07d}", 1))
    poison = Statement("INSERT INTO no_such_table VALUES (1)", ())
    batches = store.counts.batches
    waiting = []
    for i in range(40):
        also = (outbox.post(f"b{i:07d}", 2, "p", "turn", AT), *((poison,) if i % 7 == 3 else ()))
        append = following(store, f"b{i:07d}", 1 + i % 3, command(f"c{i}"), also)
        if i % 7 == 5:
            append = Append(append.battle, 9, append.rows, append.command, also)
        waiting.append(store.submit(append))
    writes = [store.write(outbox.post("", 0, f"w{i}", "login", AT)) for i in range(3)]
    outcomes = await asyncio.gather(*waiting, return_exceptions=True)
    assert await asyncio.gather(*writes) == [(1,)] * 3
    assert store.counts.batches == batches + 1, "they were meant to share a batch"
    for i, outcome in enumerate(outcomes):
        battle, good = f"b{i:07d}", i % 7 not in {3, 5}
        assert isinstance(outcome, Appended) == good, (i, outcome)
        assert isinstance(outcome, Conflict) == (i % 7 == 5), (i, outcome)
        assert len(store.read(battle)) == (2 + i % 3 if good else 1)
        assert (store.command(f"c{i}".encode()) is not None) == good
        assert len(store.rows("SELECT 1 FROM outbox WHERE battle=?", (battle,))) == good
        if isinstance(outcome, Appended):
            position = next(p for p, b, n, _ in store.feed(0, 1000) if (b, n) == (battle, outcome.n))
            assert outcome.position == position


JOB = st.tuples(
    st.sampled_from(["ilipa", "zama"]),
    st.integers(-1, 1),  # how far the expected version is off
    st.integers(0, 3),  # events
    st.none() | st.sampled_from(["c1", "c2", "c3", "c4"]),
    st.booleans(),  # fails by a row of its own
)


@effort(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(batches=st.lists(st.lists(JOB, min_size=1, max_size=6), min_size=1, max_size=5))
@pytest.mark.slow
def test_whatever_is_submitted_together_each_answer_is_true(
    fresh: Callable[[], StoreSettings], batches: list[list[tuple[str, int, int, str | None, bool]]]
) -> None:
    answers: dict[str, bytes] = {}
    expected: dict[str, list[bytes]] = {"ilipa": [], "zama": []}

    async def play(store: EventStore) -> None:
        await asyncio.gather(*(store.submit(opening(battle, 0)) for battle in expected))
        jobs_made = 0
        for batch in batches:
            jobs = []
            for battle, off, events, name, fails in batch:
                jobs_made += 1
                head = store.head(battle)
                assert head is not None
                rows = rows_after(StoredHead(head.n + off, head.hash), events, f"job {jobs_made}")
                also = (Statement("INSERT INTO no_such_table VALUES (1)", ()),) if fails else ()
                given = command(name) if name else None
                if given:
                    given = given._replace(answer=b"job %d" % jobs_made)
                jobs.append(Append(battle, head.n + off, rows, given, also))
            done = await asyncio.gather(*map(store.submit, jobs), return_exceptions=True)
            by_version = sorted(zip(jobs, done, strict=True), key=lambda pair: (pair[0].expected, len(pair[0].rows)))
            for job, outcome in by_version:
                if isinstance(outcome, Appended):
                    assert not job.also
                    assert len(expected[job.battle]) == job.expected
                    expected[job.battle] += [line for _, line, _ in job.rows]
                    if job.command:
                        assert job.command.command_id.decode() not in answers
                        answers[job.command.command_id.decode()] = job.command.answer
            for job, outcome in by_version:
                if isinstance(outcome, Duplicate):
                    assert job.command
                    assert answers[job.command.command_id.decode()] == outcome.answer

    with EventStore.open(fresh()) as store:
        asyncio.run(play(store))
        assert {battle: store.lines(battle) for battle in expected} == expected
        assert {row[0].decode(): row[1] for row in store.rows("SELECT command_id, answer FROM commands")} == answers
        assert store.position() == sum(map(len, expected.values()))


# --- the feed


async def test_the_feed_has_every_event_once_in_the_order_of_commit(store: EventStore) -> None:
    seen: list[tuple[int, str, int, bytes]] = []

    async def play(battle: str) -> None:
        await store.submit(opening(battle, 1))
        for _ in range(10):
            await store.submit(following(store, battle, 3))
            seen.extend(store.feed(seen[-1][0] if seen else 0, 7))

    await asyncio.gather(*(play(f"b{i:07d}") for i in range(8)))
    while more := store.feed(seen[-1][0], 50):
        seen += more
    positions = [position for position, _, _, _ in seen]
    assert positions == sorted(set(positions))
    assert positions[-1] == store.position()
    for i in range(8):
        battle = f"b{i:07d}"
        assert [(n, line) for _, b, n, line in seen if b == battle] == [(n, line) for n, _, line in store.read(battle)]
        assert len(store.read(battle)) == 31


def test_the_feed_is_read_in_parts(store: EventStore) -> None:
    store.append_now(opening("b0000001", 5))
    assert [position for position, _, _, _ in store.feed(0, 2)] == [1, 2]
    assert [position for position, _, _, _ in store.feed(2)] == [3, 4, 5]
    assert store.feed(5) == []


# --- what never changes


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE commands SET answer=CAST('0' AS BLOB)",
        "DELETE FROM commands",
        "UPDATE battles SET readers='link'",
        "DELETE FROM battles",
        "UPDATE vault SET content=CAST('0' AS BLOB)",
        "DELETE FROM vault",
        "INSERT INTO vault VALUES ('b0000001', 0, 'master', '', CAST('' AS BLOB), CAST('0' AS BLOB)) "
        "ON CONFLICT (battle, n, kind, seat) DO UPDATE SET content=excluded.content",
        "INSERT INTO battles (battle, header, created, readers) VALUES ('b0000001', CAST('0' AS BLOB), 'now', 'link') "
        "ON CONFLICT (battle) DO UPDATE SET readers=excluded.readers",
    ],
)
def test_append_only_tables_refuse_to_change(store: EventStore, sql: str) -> None:
    store.append_now(opening("b0000001", 1, command("c")))
    store.write_now(vault.put_master("b0000001", b"secret"))
    before = everything(store)
    with pytest.raises(Violated, match="append-only"):
        store.write_now(Statement(sql, ()))
    assert everything(store) == before
