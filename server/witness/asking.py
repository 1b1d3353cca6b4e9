"""Ask the witnesses of a host to sign the checkpoints of its log, beside play and never in its way.

What a witness answers is not trusted: it is bounded in size and time, redirects are not followed, and only a line that
its key has signed over the very checkpoint is kept. The addresses are the operator's own. A witness that is away is
asked again later and later, up to ten minutes.
"""

import asyncio
import logging
import time

import aiohttp

from domain.log.entries import MOST_SIZE
from replay.proof.cosigned import read_public_key
from replay.proof.notes import BadNote
from server.witness.host_log import HostLog
from server.witness.state import AskedWitness, WitnessFile

ROUND_S = 2.0
PATIENCE_S = 10.0
FIRST_WAIT_S, LONGEST_WAIT_S = 5.0, 600.0
AGAIN_S = 12 * 3600
"""After so long a witness is asked again for a checkpoint that it has signed: its word stays fresh."""
MOST_BYTES = 16 * 1024
SIZE = "text/x.tlog.size"
ADD = "/add-checkpoint"

log = logging.getLogger(__name__)


class WitnessAsking:
    """The rounds in which witnesses are asked. `session` is closed by its owner."""

    def __init__(self, host_log: HostLog, witnesses: WitnessFile, session: aiohttp.ClientSession) -> None:
        self._log, self._file, self._session = host_log, witnesses, session
        self._waits: dict[str, tuple[float, float]] = {}  # by key: from when on it is asked, and how long it waited

    async def compare(self) -> None:
        """Ask each witness whether it knows more of this log than there is here: asked once, before anything new is
        signed."""
        await asyncio.to_thread(self._log.file.note_further, "")
        for witness in await asyncio.to_thread(self._file.asked):
            await self._ask(witness)

    async def round(self) -> None:
        """Ask each witness that has not signed the newest checkpoint, or signed it long ago."""
        due = [one for one in await asyncio.to_thread(self._file.asked) if await asyncio.to_thread(self._is_due, one)]
        await asyncio.gather(*(self._try(witness) for witness in due))

    def _is_due(self, witness: AskedWitness) -> bool:
        newest = self._log.file.newest(self._log.origin)
        from_s, _ = self._waits.get(witness.key, (0.0, 0.0))
        if newest is None or time.monotonic() < from_s:
            return False
        size, time_s = self._log.file.cosigned_by(self._log.origin, witness.key)
        return size < newest.size or self._log.now_s() - time_s > AGAIN_S

    async def _try(self, witness: AskedWitness) -> None:
        if await self._ask(witness):
            self._waits.pop(witness.key, None)
            return
        _, waited_s = self._waits.get(witness.key, (0.0, 0.0))
        wait_s = min(LONGEST_WAIT_S, max(FIRST_WAIT_S, 2 * waited_s))
        self._waits[witness.key] = time.monotonic() + wait_s, wait_s

    async def _ask(self, witness: AskedWitness) -> bool:
        """Whether the witness has signed."""
        try:
            return await self._submit(witness)
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError, BadNote) as failure:
            log.warning("the witness %s has not signed: %s", witness.url, type(failure).__name__)
            return False

    async def _submit(self, witness: AskedWitness) -> bool:
        key = read_public_key(witness.key)
        old, _ = await asyncio.to_thread(self._log.file.cosigned_by, self._log.origin, witness.key)
        for _ in range(2):  # a witness says once which size it knows
            made = await asyncio.to_thread(self._log.submission, old)
            if made is None:
                return False
            (checkpoint, body), asked = made, old
            status, media, text = await self._post(witness.url + ADD, body)
            if status == 200:
                taken = await asyncio.to_thread(self._log.take_cosignature, checkpoint.size, checkpoint.note, text, key)
                if not taken:
                    log.warning("the witness %s signs with another key", witness.url)
                return taken
            if status != 409 or media != SIZE:
                log.warning("the witness %s refuses: %d %s", witness.url, status, text[:80].strip())
                return False
            old = _size(text)
            if old > checkpoint.size or asked == checkpoint.size == old:
                await self._stop_signing(witness, old)
                return False
        return False

    async def _stop_signing(self, witness: AskedWitness, size: int) -> None:
        """The witness has signed another history of this log, or more of it: a second one must not be signed."""
        log.error("the witness %s knows another log of this host, of %d entries: no more is signed", witness.url, size)
        await asyncio.to_thread(self._log.file.note_further, witness.url)

    async def _post(self, url: str, body: str) -> tuple[int, str, str]:
        limits = aiohttp.ClientTimeout(total=PATIENCE_S)
        async with self._session.post(url, data=body.encode(), timeout=limits, allow_redirects=False) as answer:
            content = b""
            async for piece in answer.content.iter_chunked(4096):
                content += piece
                if len(content) > MOST_BYTES:
                    raise ValueError("the answer is too long")
            return answer.status, answer.content_type, content.decode()


def _size(text: str) -> int:
    found = int(text.strip())
    if not 0 <= found <= MOST_SIZE:
        raise ValueError("not a size")
    return found
