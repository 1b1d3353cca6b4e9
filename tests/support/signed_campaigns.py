"""A cup in which people have keys: what they say is signed as the host tells them how it will stand in the log."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec import Struct

from domain.events.battle import Seen
from domain.run.own_word import Signed
from replay.proof import notes
from replay.writing.entropy import SeededEntropy
from server.acts.campaigns.entering import CampaignEntry, enter_campaign
from server.acts.campaigns.lines import AnsweredLine, GivenWord, give_lines
from server.acts.campaigns.opening import open_campaign
from server.acts.campaigns.roles import give_role
from server.acts.campaigns.signing import LineToSign, joining_to_sign, lines_to_sign, role_to_sign
from server.campaigns.live_campaign import LiveCampaign
from server.people.players import Player
from server.people.umpire_keys import keep_umpire_key
from server.remote.signing import PlayerKey
from server.web.api.campaigns import file_of
from tests.support.campaign_files import CUP, Events, ServedCup
from tests.support.clock import ManualClock
from tests.support.rechained import put_together, taken_apart
from tests.support.serving import PHRASE, RunningServer, serving

SIGNING = ("Anna", "Bob", "Cid")
UNSIGNED = "Dora"


class SignedCup(ServedCup, frozen=True):
    """A cup with signed lines; `host` is the key of its host, who may forge the file and sign it again."""

    host: notes.Signer

    def forged(self, change: Callable[[Events], None]) -> bytes:
        """The file with other events, numbered, chained and signed anew: the host has not the keys of players."""
        header, events = taken_apart(self.ended)
        change(events)
        for n, event in enumerate(events, 1):
            event["n"] = n
        return put_together(header, events, self.host, requotes=False)


class KeyHolder(Struct):
    """Somebody with a key in a campaign."""

    player: Player
    key: PlayerKey | None
    live: LiveCampaign
    server: RunningServer
    given: int = 0

    def word(self, *lines: LineToSign, phrase: str = "") -> GivenWord:
        """The signatures of lines over the newest head."""
        seen = Seen(self.live.recording.head.hex(), self.live.n)
        return GivenWord(seen, tuple(self._signed(line, seen, phrase) for line in lines if line.signer))

    def _signed(self, line: LineToSign, seen: Seen, phrase: str) -> Signed:
        giving = phrase.encode() if line.brings else b""
        assert self.key is not None
        made: dict[str, Any] = self.key.sign(self.live.id, line.seat, line.serial, seen, giving, line.text)
        return Signed(made["serial"], made["signature"])

    async def enters(self) -> None:
        phrase, signer = f"{PHRASE} {self.player.name}", self.key.public if self.key else ""
        entry = CampaignEntry(phrase=phrase, signer=signer)
        line = joining_to_sign(self.player, self.live, entry)
        entry = CampaignEntry(line.seat, phrase, signer=signer, word=self.word(line, phrase=phrase))
        await enter_campaign(self.server.running.steward, self.player, self.live, entry)

    async def says(self, text: str) -> None:
        answers = await self.tries(text)
        assert all(answer.refusal is None for answer in answers), answers

    async def tries(self, text: str, word: GivenWord | None = None) -> tuple[AnsweredLine, ...]:
        steward = self.server.running.steward
        word = word or self.word(*lines_to_sign(steward, self.player, self.live, text))
        self.given += 1
        return await give_lines(steward, self.player, self.live, text, f"{self.player.id} {self.given}", word=word)

    async def names(self, role: str, name: str) -> None:
        word = self.word(role_to_sign(self.player, self.live, role, name))
        await give_role(self.server.running.steward, self.player, self.live, role, name, word)


async def signers(server: RunningServer, *names: str, unsigned: str = "") -> dict[str, KeyHolder]:
    """People of a server, the first of whom organises a cup; each has a key but for one."""
    keys = {name: PlayerKey(bytes([at]) * 32) for at, name in enumerate(names, 1)}
    people = {name: Player((await server.player(name)).player, name) for name in names}
    first = names[0]
    live = await open_campaign(server.running.steward, people[first], CUP, "k", keys[first].public)
    return {name: KeyHolder(people[name], None if name == unsigned else keys[name], live, server) for name in names}


def signed_cup(folder: Path) -> SignedCup:
    """Play a cup of four, one without a key: results at the table on the word of both, a penalty by an umpire with a
    key, an absence, a withdrawal; then the umpire ends it."""
    return asyncio.run(_signed_cup(folder))


async def _signed_cup(folder: Path) -> SignedCup:
    async with serving(folder, clock=ManualClock(), entropy=SeededEntropy("signed")) as server:
        people = await signers(server, "Anna", "Bob", "Cid", "Dora", "Uma", unsigned=UNSIGNED)
        anna, uma, live = people["Anna"], people["Uma"], people["Anna"].live
        assert uma.key is not None
        await server.running.store.write(*keep_umpire_key(server.running.store, uma.player.id, uma.key.public))
        for name in (*SIGNING, UNSIGNED):
            await people[name].enters()
        await anna.says("begin")
        begun = file_of(live)
        await anna.names("umpire", "Uma")
        await uma.says("penalty p1 1 because late")
        of = {live.state.players[one.player.id]: one for one in people.values() if one.player.id in live.state.players}
        board = live.state.boards["1.1"]
        for entrant in board.place.pair:
            await of[entrant].says(f"table 1.1 {board.place.south} kept 640 210")
        await of["p2"].says("absent 2")
        await of["p3"].says("withdraw")
        await uma.says("end because of rain")
        await server.running.steward.settle()
        return SignedCup(begun, file_of(live), {}, server.running.keys.current)
