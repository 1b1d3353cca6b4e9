"""The doors of one server: its pages, its API, its mail, a player's terminal; and what an act leaves behind.

A door does an act as its player would and answers with the facts of what it has printed. `Traces` shows what is in the
logs and in the outbox then, without ids, times and what is drawn by chance, so that one door's can be compared with
another's.
"""

import re
from collections.abc import Awaitable, Callable, Mapping
from html import unescape
from pathlib import Path
from typing import Any

import msgspec

from replay.telling.words.catalogue import find
from server.mail.desk import Caller as MailCaller
from server.mail.desk import do, read
from server.people.players import Player
from server.remote.connection import Refused, ServerConnection
from server.remote.state import BattleFiles, Home
from server.store.tables import accounts, outbox
from server.store.tables.outbox import LetterKind
from tests.server.web.pages.visiting import Visitor
from tests.support.entropy import entropy_of_test
from tests.support.serving import Caller, Reply, RunningServer

Facts = dict[str, Any]
"""What a door says of an act, by the names of the act: `battle`, `side`, `bot`, `what`; or `refused`, a code."""
PAGE = {"Sec-Fetch-Site": "same-origin"}
OF_CHANCE = frozenset({"commitment", "keys", "reveal", "digest", "salt", "sealed", "phrase", "contributions", "seen"})
"""Members of events that differ however the same is done: what is drawn, and the phrase that a mail makes itself."""
BEGINS = "BattleBegan"
SHOWN = (
    "campaign.not-umpire",
    "core.bad-address",
    "core.docket-no-order",
    "core.no-reader",
    "core.no-words",
    "core.nobody-there",
    "core.same-address",
    "core.words-too-long",
    "tts.no-such-army-list",
)
"""What pages answer in words, on the page of the form itself."""
_GUEST = re.compile(r"\bGuest \w{4}\b")
_ID = re.compile(r"\b[a-z2-7]{16}\b")


class Doors:
    """A server and its players, Anna and Bob, each with an address."""

    def __init__(self, server: RunningServer, folder: Path) -> None:
        self.server, self.folder = server, folder
        self.desk = server.mail.desk
        self.people: dict[str, Caller] = {}
        self.browsers: dict[str, Visitor] = {}
        self.entropy = entropy_of_test()
        self.mails = 0
        self.battle = ""  # the one that stands before the act
        self.seen: dict[str, Any] = {}  # the heads that doors have named

    async def arrive(self, *names: str) -> None:
        """Enrol players."""
        for name in names:
            self.people[name] = await self.server.player(name)

    def player(self, name: str) -> Player:
        """A player as the server knows them."""
        account = accounts.by_player(self.server.running.store, self.people[name].player)
        assert account is not None
        return Player(account.player, account.name, account.email)

    # --- the doors

    async def form(self, name: str, path: str, fields: Mapping[str, str]) -> tuple[str, Facts]:
        """A form of a page: where it has led, and the refusal if there was one."""
        reply = await self.people[name].ask("POST", path, PAGE, data=dict(fields), allow_redirects=False)
        if reply.status != 303:
            return "", {"refused": reply.code if "json" in reply.type else shown_on(reply.text)}
        return str(reply.headers["Location"]), {}

    async def settings(self, name: str, fields: dict[str, str]) -> Facts:
        """The form of the settings in a browser: it has an address on it that was asked for, or a refusal."""
        page = await self.browsers[name].send("/settings", **fields)
        return {"address": fields["address"]} if page.status == 200 else {"refused": shown_on(page.text)}

    async def send(self, name: str, path: str, body: Any, key: str = "") -> tuple[Any, Facts]:
        """A request of the API: its answer, and the refusal if there was one."""
        reply: Reply = await self.people[name].post(path, body, {"Idempotency-Key": key} if key else None)
        return (reply.json, {}) if reply.status < 300 else (None, {"refused": reply.code})

    async def mail(self, name: str, text: str, key: str = "") -> tuple[Any, Facts]:
        """A mail with one command: the parameters of its answer, and the refusal if there was one."""
        account = accounts.by_player(self.server.running.store, self.people[name].player)
        assert account is not None
        self.mails += 1
        (request,) = read(text, "")
        done = await do(self.desk, request, MailCaller(account), key or f"{self.mails:064x}")
        assert done.message is not None
        if not done.message.id.startswith("desk.did."):
            return {}, {"refused": done.message.id}
        return done.message.params, {}

    async def terminal(
        self, name: str, battle: str, ask: Callable[[ServerConnection, BattleFiles], Awaitable[Any]]
    ) -> tuple[Any, Facts]:
        """A command of `phalera remote`: what it prints from, and the refusal if there was one."""
        address = str(self.server.client.make_url("")).rstrip("/")
        token = self.people[name].headers["Authorization"].removeprefix("Bearer ")
        home = Home(self.folder / name)
        home.server(address).keep_login(token)
        async with ServerConnection(address, token) as connection:
            try:
                return await ask(connection, home.place(f"{address}/battles/{battle}")), {}
            except Refused as refused:
                return None, {"refused": refused.code}

    # --- traces

    def newest_letter(self) -> int:
        """The newest row of the outbox."""
        return max((letter.id for letter in outbox.unsent(self.server.running.store)), default=0)

    async def traces(self, facts: Facts, since: int) -> dict[str, Any]:
        """What an act has left: the facts of its answer, every log of the server, and every letter posted `since` a
        row of the outbox, but for the answer to a mail, which is the door's own; what was said; what waits."""
        store = self.server.running.store
        battles = [battle for (battle,) in store.rows("SELECT battle FROM battles ORDER BY rowid")]
        names = {battle: f"battle {place}" for place, battle in enumerate(battles, 1)}
        names |= {account.player: account.name for account in accounts.listed(store)}
        found = {
            "answer": facts,
            "logs": {battle: await self._log(battle) for battle in battles},
            "letters": sorted(
                f"{letter.kind.partition(':')[0]} to {letter.recipient or 'an address'} about {letter.battle}"
                for letter in outbox.unsent(store)
                if letter.id > since and not letter.kind.startswith(LetterKind.ANSWER)
            ),
            "invitations": [
                list(row)
                for row in store.rows(
                    "SELECT battle, side, inviter, email, message, follows, state FROM invitations ORDER BY follows"
                )
            ],
            "words": [list(row) for row in store.rows("SELECT battle, side, player, text FROM posts")],
            "addresses": [
                [player, content.decode()]
                for player, content in store.rows("SELECT player, content FROM mail_tokens WHERE kind='confirm'")
            ],
            "readers": [readers for (readers,) in store.rows("SELECT readers FROM battles ORDER BY rowid")],
        }
        written = msgspec.json.encode(found).decode()
        for id_, name in names.items():
            written = written.replace(id_, name)
        return dict(msgspec.json.decode(_GUEST.sub("Guest", written)))

    async def _log(self, battle: str) -> list[Any]:
        """The events up to the beginning of a battle: what follows is chance, and the orders of bots."""
        live = await self.server.running.battles.get(battle)
        events = [msgspec.json.decode(line) for _, _, line in live.lines(0, live.n + 1)]
        types = [event["type"] for event in events]
        before = events[: types.index(BEGINS) + 1] if BEGINS in types else events
        how = ("closed", live.closed, "ended", live.recording.battle.ended)
        return [*((event["type"], event["by"], _plain(event["data"])) for event in before), how]


def _plain(value: Any) -> Any:
    """A value of an event without what is drawn by chance, and without the channel."""
    if isinstance(value, dict):
        kept = {key: _plain(one) for key, one in value.items() if key not in OF_CHANCE and key != "channel"}
        return {key: one for key, one in kept.items() if one not in ("", None)}
    return [_plain(one) for one in value] if isinstance(value, list) else value


def shown_on(page: str) -> str:
    """The code of the refusal whose sentence a page shows."""
    words = unescape(page)
    for code in SHOWN:
        text = find(code, "en")
        assert text is not None
        if re.search(re.sub(r"\\{[\w:]+\\}", ".+?", re.escape(text)), words):
            return code
    raise AssertionError(re.findall(r'class="notice"[^>]*>([^<]*)', words))


def battle_in(address: str) -> str:
    """The id of the battle to which a form has led."""
    found = _ID.search(address)
    return found[0] if found else ""
