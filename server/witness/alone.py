"""A witness alone: a small web server that signs the checkpoints of the logs that its operator names, and no more."""

import asyncio
import signal
from collections.abc import Callable
from contextlib import suppress

from aiohttp import web

from replay.proof.cosigned import Cosigner
from server.witness.asking import ADD, SIZE
from server.witness.state import WitnessAnswer, WitnessFile
from server.witness.submitting import MOST_BYTES, read_submission

BODY_S = 10.0


def answered(body: bytes, file: WitnessFile, cosigner: Cosigner, now_s: Callable[[], int]) -> WitnessAnswer:
    """The answer to a request to sign."""
    try:
        given = read_submission(body)
    except ValueError:
        return WitnessAnswer(400, "not a request of add-checkpoint\n")
    return file.add_checkpoint(given, cosigner, now_s)


def as_http(answer: WitnessAnswer) -> web.Response:
    """An answer as HTTP has it."""
    media = SIZE if answer.is_size else "text/plain"
    return web.Response(status=answer.status, body=answer.text.encode(), content_type=media)


def witness_app(file: WitnessFile, cosigner: Cosigner, now_s: Callable[[], int]) -> web.Application:
    """The application of a lone witness: `POST /add-checkpoint`, and its public key at `/key`."""

    async def add(request: web.Request) -> web.Response:
        async with asyncio.timeout(BODY_S):
            body = await request.read()
        return as_http(await asyncio.to_thread(answered, body, file, cosigner, now_s))

    async def key(_: web.Request) -> web.Response:
        return web.Response(text=cosigner.key.text() + "\n")

    app = web.Application(client_max_size=MOST_BYTES)
    app.add_routes([web.post(ADD, add), web.get("/key", key)])
    return app


async def serve_alone(app: web.Application, bind: str, port: int, tell: Callable[[str], object]) -> None:
    """Serve until told to stop; `tell` gets the address.

    Raises: OSError for an address that cannot be bound
    """
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, bind, port).start()
        host, bound = runner.addresses[0][:2]
        stop, loop = asyncio.Event(), asyncio.get_running_loop()
        for name in (signal.SIGINT, signal.SIGTERM):
            with suppress(NotImplementedError, RuntimeError):  # Windows, or not the main thread
                loop.add_signal_handler(name, stop.set)
        tell(f"http://{host}:{bound}")
        await stop.wait()
    finally:
        await runner.cleanup()
