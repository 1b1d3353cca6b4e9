"""Whatever a witness answers, a host goes on, and keeps only what its witness has signed over its own checkpoint."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import ClientSession, web
from aiohttp.test_utils import TestServer

from replay.proof.cosigned import Cosigner
from server.witness import asking
from server.witness.asking import MOST_BYTES, SIZE, WitnessAsking
from server.witness.state import WitnessFile
from tests.support.shown_logs import ShownLog, many
from tests.support.waiting import LIMIT_S

WITNESS, OTHER = (Cosigner("w.test/witness", bytes([seed]) * 32) for seed in (6, 7))
Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]


@asynccontextmanager
async def witness_at(answer: Answer, file: WitnessFile, log: ShownLog) -> AsyncIterator[WitnessAsking]:
    """A host that asks a witness which answers so."""
    app = web.Application(client_max_size=1 << 20)
    app.router.add_post("/{path:.*}", answer)
    server = TestServer(app)
    await server.start_server()
    file.ask(WITNESS.key, str(server.make_url("")).rstrip("/"), 0)
    try:
        async with ClientSession() as session:
            yield WitnessAsking(log.log, file, session)
    finally:
        await server.close()


def texts(status: int, text: str, media: str = "text/plain") -> Answer:
    async def answer(_: web.Request) -> web.StreamResponse:
        return web.Response(status=status, body=text.encode(), content_type=media)

    return answer


async def signed(request: web.Request, by: Cosigner = WITNESS, more: str = "") -> web.StreamResponse:
    note = (await request.text()).partition("\n\n")[2]
    return web.Response(text=by.line(note.partition("\n\n")[0] + "\n" + more, 1_900_000_000) + "\n")


async def signed_by_another(request: web.Request) -> web.StreamResponse:
    return await signed(request, OTHER)


async def signed_otherwise(request: web.Request) -> web.StreamResponse:
    return await signed(request, more="x\n")


async def slow(_: web.Request) -> web.StreamResponse:
    await asyncio.sleep(3600)
    return web.Response()


async def endless(request: web.Request) -> web.StreamResponse:
    answer = web.StreamResponse()
    await answer.prepare(request)
    while True:  # until the host goes
        await answer.write(b"x" * 65536)


async def twice(request: web.Request) -> web.StreamResponse:
    found = await signed(request)
    assert isinstance(found, web.Response)
    return web.Response(text=(found.text or "") * 2)


ANSWERS: dict[str, Answer] = {
    "nothing": texts(200, ""),
    "words": texts(200, "\N{EM DASH} w.test/witness AAAA\n"),
    "another key": signed_by_another,
    "another text": signed_otherwise,
    "two lines": twice,
    "too much": texts(200, "x" * (MOST_BYTES + 1)),
    "endless": endless,
    "slow": slow,
    "no size": texts(409, "seven\n", SIZE),
    "a size below nothing": texts(409, "-1\n", SIZE),
    "a size beyond all": texts(409, "9" * 5000 + "\n", SIZE),
    "the same size for ever": texts(409, "1\n", SIZE),
    "a refusal": texts(403, "other-key\n"),
    "an error": texts(500, ""),
    "elsewhere": texts(302, ""),
}


@pytest.fixture
def log(tmp_path: Path) -> ShownLog:
    made = ShownLog(tmp_path / "host")
    made.add(many(3))
    return made


@pytest.fixture
async def file(tmp_path: Path) -> AsyncIterator[WitnessFile]:
    made = WitnessFile(tmp_path / "witness.db")
    yield made
    made.close()


@pytest.mark.parametrize("kind", ANSWERS)
async def test_no_answer_of_a_witness_is_believed(
    kind: str, file: WitnessFile, log: ShownLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "PATIENCE_S", 0.2 if kind == "slow" else LIMIT_S)
    before = (log.folder / "tlog/checkpoint").read_bytes()
    async with witness_at(ANSWERS[kind], file, log) as host:
        await host.round()
        await host.round()
    assert log.file.cosigned_by(log.log.origin, WITNESS.key.text()) == (0, 0)
    assert (log.folder / "tlog/checkpoint").read_bytes() == before
    assert not log.file.further


async def test_a_witness_that_signs_is_kept(file: WitnessFile, log: ShownLog) -> None:
    async with witness_at(signed, file, log) as host:
        await host.round()
    assert log.file.cosigned_by(log.log.origin, WITNESS.key.text()) == (3, 1_900_000_000)
    assert (log.folder / "tlog/checkpoint").read_text().count("\N{EM DASH} ") == 2


@pytest.mark.parametrize("size", [3, 4, 1 << 50])
async def test_a_witness_that_knows_another_log_stops_the_signing(file: WitnessFile, log: ShownLog, size: int) -> None:
    async with witness_at(texts(409, f"{size}\n", SIZE), file, log) as host:
        await host.round()
        assert log.file.further == file.asked()[0].url


async def test_a_witness_that_refuses_is_asked_later_and_later(file: WitnessFile, log: ShownLog) -> None:
    asked = 0

    async def refusing(_: web.Request) -> web.StreamResponse:
        nonlocal asked
        asked += 1
        return web.Response(status=403)

    async with witness_at(refusing, file, log) as host:
        for _ in range(3):
            await host.round()
    assert asked == 1


async def test_a_witness_that_was_removed_is_not_asked(file: WitnessFile, log: ShownLog) -> None:
    async with witness_at(signed, file, log) as host:
        assert file.forget("w.test/witness")
        assert not file.forget("w.test/witness")
        assert not file.forget("%")
        await host.round()
    assert log.file.cosigned_by(log.log.origin, WITNESS.key.text()) == (0, 0)


def test_a_proof_is_of_the_witnesses_that_are_asked_now(log: ShownLog) -> None:
    keys = [one.key.text() for one in (WITNESS, OTHER)]
    log.file.keep_cosignature(log.log.origin, 3, keys[0], 1, "first")
    log.add(many(2, 3))

    def size(*asked: str) -> int:
        found = log.file.newest_cosigned(log.log.origin, asked)
        assert found is not None
        return found.size

    assert (size(keys[0]), size(keys[1]), size()) == (3, 5, 5)
    log.file.keep_cosignature(log.log.origin, 5, keys[1], 1, "second")
    assert (size(keys[0]), size(keys[1]), size(*keys)) == (3, 5, 5)
