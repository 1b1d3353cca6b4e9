"""An umpire brings a key to their account, is named with it, and signs each line: by the API."""

from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.log import fairness, record
from replay.proof.verify import OK, verify
from tests.support.serving import BATTLES, Caller, Reply, RunningServer, serving

ACCOUNT_KEY = "/api/v1/account/umpire-key"
KEY = Ed25519PrivateKey.from_private_bytes(b"\x77" * 32)
SIGNER = b64encode(KEY.public_key().public_bytes_raw()).decode()


class Table:
    """Anna, Ben and a judge with a key, in a battle of a version of the protocol."""

    def __init__(self, server: RunningServer, anna: Caller, ben: Caller, judge: Caller, battle: str) -> None:
        self.server, self.anna, self.ben, self.judge, self.battle = server, anna, ben, judge, battle
        self.serial = 0

    async def rule(self, text: str, key: Ed25519PrivateKey | None = KEY, signs: str = "") -> Reply:
        """A line of the judge's, signed as they saw it."""
        seen = await self.judge.head(self.battle)
        more: dict[str, Any] = {}
        if key is not None:
            self.serial += 1
            head = seen["n"], bytes.fromhex(seen["hash"])
            message = fairness.signed_message(self.battle, "umpire", self.serial, head, b"", signs or text)
            more["signatures"] = [{"serial": self.serial, "signature": b64encode(key.sign(message)).decode()}]
        return await self.judge.order(self.battle, text, phrase="", seen=seen, **more)

    async def shown(self) -> Any:
        """The disputes of the battle, as everybody sees them."""
        return (await self.anna.get(f"{BATTLES}/{self.battle}/disputes")).json

    async def report(self) -> Any:
        return verify(await self.server.stranger.export(self.battle))


async def table(server: RunningServer, has_key: bool = True, **more: Any) -> Table:
    anna, ben, judge = [await server.player(name) for name in ("Anna", "Ben", "Judge")]
    if has_key:
        assert (await judge.post(ACCOUNT_KEY, {"signer": SIGNER})).json == {"signer": SIGNER}
    return Table(server, anna, ben, judge, await server.battle(anna, ben, **more))


async def test_an_account_has_a_key_of_its_umpire_and_may_change_it(tmp_path: Path) -> None:
    async with serving(tmp_path / "data") as server:
        judge = await server.player("Judge")
        assert (await judge.get(ACCOUNT_KEY)).json == {"signer": ""}
        for signer in (SIGNER, SIGNER, "", SIGNER):
            assert (await judge.post(ACCOUNT_KEY, {"signer": signer})).json == {"signer": signer}
            assert (await judge.get(ACCOUNT_KEY)).json == {"signer": signer}
        for bad, code in (("AAAA", "core.bad-signer"), (b64encode(bytes(32)).decode(), "core.weak-key")):
            assert (await judge.post(ACCOUNT_KEY, {"signer": bad})).code == code
        assert (await judge.get(ACCOUNT_KEY)).json == {"signer": SIGNER}
        assert (await server.stranger.get(ACCOUNT_KEY)).status == 401


async def test_an_umpire_named_by_name_has_the_key_of_their_account_and_signs(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", opens=record.PBEM_2_1) as server:
        judged = await table(server)
        assert (await judged.anna.order(judged.battle, "umpire Judge")).status == 200
        assert (await judged.ben.order(judged.battle, "agree umpire")).status == 200
        assert (await judged.anna.order(judged.battle, "dispute 5 facts It was otherwise")).status == 200
        shown = await judged.shown()
        assert (shown["umpire_signer"], shown["umpire_serial"]) == (SIGNER, 0)
        assert (await judged.rule("rule d1 award north as I see it", None)).code == "core.signature-missing"
        other = await judged.rule("rule d1 award north as I see it", signs="rule d1 draw")
        assert other.code == "core.bad-signature"
        assert (await judged.rule("rule d1 award north as I see it")).status == 200
        assert (await judged.shown())["umpire_serial"] == judged.serial
        report = await judged.report()
    assert (report.exit, report.fault) == (OK, None)
    assert [act.is_unsigned for act in report.listed] == [False] * 3


async def test_the_host_cannot_write_a_ruling_with_a_token_of_the_umpires(tmp_path: Path) -> None:
    """A token alone wrote a ruling, and the verdict said so of the umpire."""
    async with serving(tmp_path / "data", opens=record.PBEM_2_1) as server:
        judged = await table(server, umpire="Judge")
        assert (await judged.shown())["umpire_signer"] == SIGNER
        assert (await judged.anna.order(judged.battle, "dispute 5 facts It was otherwise")).status == 200
        n = (await judged.report()).events
        assert (await judged.rule("rule d1 award north as I see it", None)).code == "core.signature-missing"
        assert (await judged.report()).events == n


@pytest.mark.parametrize(("version", "key"), [(2, ""), (3, SIGNER)])
async def test_a_battle_of_version_2_names_no_key(tmp_path: Path, version: int, key: str) -> None:
    async with serving(tmp_path / "data", opens=version) as server:
        judged = await table(server)
        body = {"orders": "umpire Judge"}
        texts = (await judged.anna.post(f"{BATTLES}/{judged.battle}/lines", body)).json["texts"]
        assert texts == [f"umpire {judged.judge.player} {key}".strip()]


async def test_an_umpire_without_a_key_is_told_from_the_opening_on(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", opens=record.PBEM_2_1) as server:
        judged = await table(server, has_key=False, umpire="Judge")
        shown = await judged.shown()
        assert (shown["umpire_signer"], shown["unsigned_umpire"]) == ("", True)
        assert (await judged.anna.order(judged.battle, "dispute 5 facts It was otherwise")).status == 200
        assert (await judged.rule("rule d1 award north as I see it", None)).status == 200
        report = await judged.report()
        assert [act.is_unsigned for act in report.listed] == [False, True, True]
        opened = await judged.anna.open(unsigned_umpire=True)
        assert (await judged.anna.get(f"{BATTLES}/{opened}/disputes")).json["unsigned_umpire"] is True
