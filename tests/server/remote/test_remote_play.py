"""Two players at terminals fight a battle on a server; what is lost on the way is repeated, and no history is believed
that is not the one they know."""

import stat
from pathlib import Path

import msgspec
import pytest

from replay.proof import chain, verify
from replay.proof.heads import evidence
from server.remote import connection
from server.remote.connection import Refused, Unanswered
from server.remote.errors import NotDone, WrongUse
from server.remote.history import OtherHistory, seat_in
from tests.server.play.test_signed_seats import SIGNER
from tests.server.remote.remote_player import RemotePlayer, remote_player
from tests.support.lanes import thinned
from tests.support.rechained import put_together, taken_apart
from tests.support.serving import RunningServer

SIDES = ("south", "north")
WAYS: list[dict[str, bool]] = [{}, {"sign": True}, {"plain": True}, {"plain": True, "sign": True}]
"""How a side is taken."""


async def two(server: RunningServer, tmp_path: Path, **how: bool) -> tuple[RemotePlayer, RemotePlayer, str]:
    """Anna holds the south and Bob the north; both have contributed."""
    anna, bob = [await remote_player(server, name, tmp_path) for name in ("Anna", "Bob")]
    caller = await server.player("Host")
    battle = await caller.open()
    await anna.take(battle, "south", **how)
    await bob.take(battle, "north", **how)
    return anna, bob, battle


async def finished(anna: RemotePlayer, bob: RemotePlayer, battle: str) -> None:
    """Both play what first comes to mind, then the north resigns."""
    for _ in range(60):
        now = await anna.look(battle)
        if now.winner is not None:
            return
        if now.turn > 4:
            assert (await bob.order(battle, "resign")).refused == ""
            return
        player = (anna, bob)[SIDES.index(now.to_act[0])]
        options = (await player.options(battle)).options
        first = next((option.order for option in options if option.order != "end turn"), "end turn")
        played = await player.order(battle, first if now.waiting else f"{first.lower()}\nend turn")
        assert played.lines, played


@pytest.mark.parametrize(
    "how",
    [{}, {"sign": True}, {"plain": True}, {"plain": True, "sign": True}],
    ids=lambda how: " ".join(how) or "sealed",
)
@pytest.mark.slow
async def test_two_remote_players_fight_to_the_end_and_the_file_verifies(
    server: RunningServer, tmp_path: Path, how: dict[str, bool]
) -> None:
    anna, bob, battle = await two(server, tmp_path, **how)
    await finished(anna, bob, battle)
    await anna.look(battle)
    content = await server.stranger.export(battle)
    report = verify.verify(content)
    assert (report.exit, report.fault) == (verify.OK, None), report
    assert [seat.is_signed for seat in report.seats] == [how.get("sign", False)] * 2
    assert {seat.mode for seat in report.seats} == {"plain" if how.get("plain") else "sealed"}
    assert anna.place(battle).log.read_bytes() == content
    for path in (tmp_path / "Anna").rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


# --- what is lost


@pytest.mark.parametrize("how", thinned(WAYS, 4), ids=" ".join)
async def test_a_lost_answer_is_asked_for_again_and_nothing_is_played_twice(
    server: RunningServer, tmp_path: Path, how: dict[str, bool]
) -> None:
    anna, _, battle = await two(server, tmp_path, **how)
    anna.wire.lost["orders"] = 2
    for _ in range(2):
        with pytest.raises(Unanswered, match="nothing is played twice"):
            await anna.order(battle, "end turn")
    played = await anna.order(battle, "end turn")
    assert [line.status for line in played.lines] == ["accepted"]
    bodies = {(body, headers["Idempotency-Key"]) for path, body, headers in anna.wire.sent if path.endswith("/orders")}
    assert len({key for body, key in bodies if b"end turn" in (body or b"")}) == 1
    assert played.now.to_act == ("north",)
    assert anna.place(battle).require_kept().pending is None


@pytest.mark.slow
async def test_other_orders_after_a_lost_answer_tell_first_what_became_of_it(
    server: RunningServer, tmp_path: Path
) -> None:
    anna, bob, battle = await two(server, tmp_path)
    anna.wire.lost["orders"] = 1
    with pytest.raises(Unanswered):
        await anna.order(battle, "end turn")
    played = await anna.order(battle, "offer draw")
    assert [[line.order for line in part] for part in (played.earlier, played.lines)] == [["end turn"], ["offer draw"]]
    assert (await bob.order(battle, "accept draw")).now.winner == ""


async def test_a_request_that_never_arrived_is_dropped_for_another(server: RunningServer, tmp_path: Path) -> None:
    anna, _, battle = await two(server, tmp_path)
    dead = anna.wire.address
    place = anna.place(battle)
    await anna.look(battle)

    async def unheard(path: str, body: bytes, kind: object, key: str = "") -> None:
        raise Unanswered(f"{dead} does not answer.")

    anna.wire.send = unheard  # type: ignore[method-assign, assignment]
    with pytest.raises(Unanswered):
        await anna.order(battle, "end turn")
    del anna.wire.send
    assert place.require_kept().pending is not None
    played = await anna.order(battle, "offer draw")
    assert (played.earlier, [line.status for line in played.lines]) == ((), ["accepted"])
    assert (await anna.look(battle)).to_act == ("south",)


@pytest.mark.slow
async def test_a_phrase_stays_the_same_until_it_is_accepted(server: RunningServer, tmp_path: Path) -> None:
    anna, _, battle = await two(server, tmp_path, plain=True)
    place = anna.place(battle)
    assert (await anna.order(battle, "X9 ahead")).refused
    phrase = place.require_kept().phrase
    assert len(phrase) >= 16
    assert (await anna.order(battle, "X8 ahead")).refused
    assert place.require_kept().phrase == phrase
    assert (await anna.order(battle, "end turn")).lines
    assert place.require_kept().phrase == ""
    assert f'"phrase":"{phrase}"'.encode() in place.log.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("sign", thinned([False, True], 2))
async def test_a_lost_book_is_replaced_and_play_goes_on(server: RunningServer, tmp_path: Path, sign: bool) -> None:
    anna, bob, battle = await two(server, tmp_path, sign=sign)
    await anna.order(battle, "end turn")
    place = anna.place(battle)
    place.book.unlink()
    await bob.order(battle, "end turn")
    with pytest.raises(NotDone, match="remote book --new"):
        await anna.order(battle, "end turn")
    anna.wire.lost["book"] = 1
    with pytest.raises(Unanswered):
        await anna.begin_another_book(battle)
    await anna.begin_another_book(battle)
    assert "the chance" in (await anna.order(battle, "end turn")).refused
    assert (await bob.order(battle)).refused == ""
    assert [line.status for line in (await anna.order(battle, "end turn")).lines] == ["accepted"]
    await bob.order(battle, "resign")
    report = verify.verify(await server.stranger.export(battle))
    assert (report.exit, [act.what for act in report.listed]) == (verify.OK, ["book"])


async def test_taking_a_side_twice_is_taking_it_once(server: RunningServer, tmp_path: Path) -> None:
    anna = await remote_player(server, "Anna", tmp_path)
    battle = await (await server.player("Host")).open()
    anna.wire.lost["south"] = 1
    with pytest.raises(Unanswered):
        await anna.take(battle, "south")
    book = anna.place(battle).book.read_bytes()
    assert (await anna.take(battle, "south")).seats["south"].mode == "sealed"
    assert anna.place(battle).book.read_bytes() == book
    with pytest.raises(NotDone, match="hold south"):
        await anna.take(battle, "north")
    bob = await remote_player(server, "Bob", tmp_path)
    with pytest.raises(Refused, match=r"core\.side-taken"):
        await bob.take(battle, "south")
    assert bob.place(battle).kept() is None
    await bob.take(battle, "north", plain=True)


async def test_a_seat_taken_in_another_way_is_not_taken_for_ones_own(server: RunningServer, tmp_path: Path) -> None:
    anna = await remote_player(server, "Anna", tmp_path)
    battle = await (await server.player("Host")).open()
    await anna.take(battle, "south")
    place = anna.place(battle)
    place.book.unlink()
    with pytest.raises(NotDone, match="taken from elsewhere"):
        await anna.take(battle, "south")


# --- a server that lies


@pytest.mark.slow
async def test_a_server_with_another_history_is_not_believed(server: RunningServer, tmp_path: Path) -> None:
    """The host signs a second log, in which the north bears another name; everything in it is right by itself."""
    anna, _, battle = await two(server, tmp_path)
    await anna.look(battle)
    place = anna.place(battle)
    kept = place.log.read_bytes()
    header, events = taken_apart(kept)
    next(event for event in events if event["data"].get("name") == "Bob")["data"]["name"] = "Rob"
    forged = put_together(header, events, server.running.keys.current)
    note = msgspec.json.decode(forged.splitlines()[-1])["checkpoint"]

    def lie(path: str, content: bytes) -> bytes:
        if "/events" in path:
            after = int(path.partition("after=")[2].partition("&")[0])
            return b"".join(forged.splitlines(keepends=True)[after + 1 : -1])
        if path == f"/battles/{battle}":
            return msgspec.json.encode(msgspec.json.decode(content) | {"receipt": note})
        return forged if path.endswith("/export") else content

    anna.wire.changed = lie
    sent = len(anna.wire.sent)
    with pytest.raises(OtherHistory, match=r"ANOTHER HISTORY .* Nothing was sent"):
        await anna.order(battle, "end turn")
    assert not [path for path, _, _ in anna.wire.sent[sent:] if path.endswith("/orders")]
    assert (place.log.read_bytes(), place.other_log.read_bytes()) == (kept, forged)
    report = verify.verify(kept, against=evidence(str(place.other_log)))
    assert report.two_histories is not None and report.two_histories.is_proven


@pytest.mark.parametrize("lie", thinned(["shorter", "unsigned", "other-next"], 2))
async def test_what_does_not_extend_the_known_head_is_refused(server: RunningServer, tmp_path: Path, lie: str) -> None:
    anna, bob, battle = await two(server, tmp_path)
    now = await anna.look(battle)
    await bob.order(battle, "offer draw")
    kept = anna.place(battle).log.read_bytes()

    def changed(path: str, content: bytes) -> bytes:
        if lie == "other-next" and "/events" in path:
            return content.replace(b'"channel":"api"', b'"channel":"cli"')
        if lie != "other-next" and path == f"/battles/{battle}":
            view = msgspec.json.decode(content)
            view |= {"n": now.n - 1} if lie == "shorter" else {"receipt": now.receipt}
            return msgspec.json.encode(view)
        return content

    anna.wire.changed = changed
    with pytest.raises(OtherHistory):
        await anna.look(battle)
    assert anna.place(battle).log.read_bytes() == kept


@pytest.mark.parametrize("answer", thinned([b"", b"[]", b'{"battle": 1}', b"[" * 5000, b"\xff"], 3))
async def test_an_answer_that_is_none_is_said_and_nothing_changes(
    server: RunningServer, tmp_path: Path, answer: bytes
) -> None:
    anna, _, battle = await two(server, tmp_path)
    anna.wire.changed = lambda path, content: answer
    with pytest.raises(Unanswered, match="cannot be read"):
        await anna.order(battle, "end turn")
    assert anna.place(battle).require_kept().pending is None


# --- signed lines


@pytest.mark.slow
async def test_a_signed_seat_signs_what_the_log_will_say(server: RunningServer, tmp_path: Path) -> None:
    anna, _, battle = await two(server, tmp_path, sign=True)
    played = await anna.order(battle, "offer draw  # before anything else\nSTANDING evade r6 never\nfin du tour")
    assert [(line.order, line.status) for line in played.lines] == [
        ("offer draw", "accepted"),
        ("standing evade R6 never", "accepted"),
        ("end turn", "accepted"),
    ]
    with pytest.raises(WrongUse, match="plain orders"):
        await anna.order(battle, "try R1 ahead")
    with pytest.raises(NotDone, match="line 2"):
        await anna.order(battle, "end turn\nnonsense")
    key = anna.home.server(anna.address).key_file
    key.write_bytes(b"A" * 43 + b"=")
    with pytest.raises(NotDone, match="not the key"):
        await anna.order(battle, "offer draw")
    assert seat_in(_log(anna, battle), "south").serial >= 3


async def test_a_signed_seat_names_an_umpire_by_name(server: RunningServer, tmp_path: Path) -> None:
    anna, bob, battle = await two(server, tmp_path, sign=True)
    judge = await server.player("Judge Dee")
    assert (await judge.post("/api/v1/account/umpire-key", {"signer": SIGNER})).status == 200
    played = await anna.order(battle, "arbitre Judge Dee\nstanding evade R6 never")
    assert (played.refused, [line.status for line in played.lines]) == ("", ["accepted", "accepted"])
    assert (await bob.order(battle, "agree umpire")).refused == ""
    assert seat_in(_log(anna, battle), "south").serial >= 2
    umpire = (await server.running.battles.get(battle)).recording.battle.disputes
    assert (umpire.umpire, umpire.umpire_name) == (judge.player, "Judge Dee")
    content = await server.stranger.export(battle)
    assert verify.verify(content).fault is None
    refused = pytest.raises(Refused, match="Nobody")
    with refused:
        await anna.order(battle, "umpire Nobody")
    assert (await anna.order(battle, "offer draw")).refused == ""


@pytest.mark.parametrize("told", ["offer draw", "substitute pother", ""])
async def test_a_server_cannot_have_another_line_signed(server: RunningServer, tmp_path: Path, told: str) -> None:
    anna, _, battle = await two(server, tmp_path, sign=True)
    await server.player("Judge")
    answer = msgspec.json.encode({"texts": [told] if told else [], "bringing": -1})
    anna.wire.changed = lambda path, content: answer if path.endswith("/lines") else content
    with pytest.raises(NotDone, match="other lines"):
        await anna.order(battle, "umpire Judge")
    assert anna.place(battle).require_kept().pending is None


def _log(player: RemotePlayer, battle: str) -> chain.Log:
    return chain.open_file(player.place(battle).log.read_bytes())


async def test_an_answer_without_end_is_not_read_to_its_end(
    server: RunningServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, _, battle = await two(server, tmp_path)
    monkeypatch.setattr(connection, "MOST_BYTES", 100)
    with pytest.raises(Unanswered, match="more than 100 bytes"):
        await anna.look(battle)
