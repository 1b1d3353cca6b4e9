"""A seat with a key: the server takes nothing from it that the key has not signed, word for word (fairness.md 2).

From header version 3 on its first line is the one with which it is taken (`sit_signed`).
"""

from base64 import b64encode
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.basics.errors import Refusal
from domain.events.battle import Seen
from domain.log import fairness
from domain.log.record import PBEM_2, PBEM_2_1
from replay.proof import verify
from server.play.request import MAIL_CHANNEL
from server.play.service import OrderRequest
from tests.server.play.test_orders import EVADE
from tests.support.lanes import thinned
from tests.support.serving import BATTLES, PHRASE, Caller, Reply, RunningServer, serving
from tests.support.waiting import eventually

KEY = Ed25519PrivateKey.from_private_bytes(b"\x05" * 32)
OTHER_KEY = Ed25519PrivateKey.from_private_bytes(b"\x06" * 32)
SIGNER = b64encode(KEY.public_key().public_bytes_raw()).decode()
SECRET = "standing evade R6 never"


@pytest.fixture(params=[PBEM_2, PBEM_2_1])
async def server(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[RunningServer]:
    async with serving(tmp_path / "data", opens=request.param) as running:
        yield running


def joining(server: RunningServer) -> int:
    """How many signed lines taking a side is."""
    return int(server.running.battles.settings.opens >= PBEM_2_1)


def signature(
    battle: str,
    seen: Any,
    serial: int,
    giving: bytes = b"",
    text: str = "",
    key: Ed25519PrivateKey = KEY,
    side: str = "south",
) -> dict[str, Any]:
    """The signature of a line of a side's, as a program sends it."""
    message = fairness.signed_message(battle, side, serial, (seen["n"], bytes.fromhex(seen["hash"])), giving, text)
    return {"serial": serial, "signature": b64encode(key.sign(message)).decode()}


async def sit_signed(server: RunningServer, caller: Caller, battle: str, name: str, **seat: Any) -> Reply:
    """A player takes the south with the key; that is the line of serial 1, where it is one."""
    seen = await caller.head(battle)
    said = {"signature": signature(battle, seen, 1, text=f"join {name}")} if joining(server) else {}
    return await caller.sit(battle, "south", **{"signer": SIGNER, "seen": seen, **said, **seat})


async def send(
    caller: Caller,
    battle: str,
    lines: Sequence[str],
    serial: int | None = None,
    giving: bytes = PHRASE.encode(),
    **more: Any,
) -> Reply:
    """Order lines signed one by one from `serial` on, the next one of the seat; the first brings what is given, alone
    without lines."""
    seen = await caller.head(battle)
    if serial is None:
        serial = (await caller.view(battle))["seats"]["south"]["serial"] + 1
    signed = [
        signature(battle, seen, serial + at, b"" if at else giving, line) for at, line in enumerate(lines or [""])
    ]
    return await caller.order(battle, "\n".join(lines), **{"signatures": signed, **more})


async def signed_battle(server: RunningServer) -> tuple[Caller, Caller, str]:
    """The south signs; the north is plain and has contributed."""
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await anna.open()
    assert (await sit_signed(server, anna, battle, "Anna", phrase=PHRASE)).status == 201
    assert (await bob.sit(battle, "north", phrase=PHRASE)).status == 201
    return anna, bob, battle


async def reported(server: RunningServer, battle: str) -> verify.Report:
    report = verify.verify(await server.stranger.export(battle))
    assert report.fault is None, report
    return report


async def test_a_plain_seat_signs_and_the_file_says_so(server: RunningServer) -> None:
    anna, bob, battle = await signed_battle(server)
    first = joining(server)
    south = (await anna.view(battle))["seats"]["south"]
    assert (south["signer"], south["serial"], south["contributed"], south["owes"]) == (SIGNER, first, False, True)
    assert (await send(anna, battle, [])).status == 200
    assert (await send(anna, battle, [SECRET], first + 2, b"")).status == 200
    assert (await send(anna, battle, ["R1 ahead", "end turn"], first + 5)).status in (200, 409)
    south = (await anna.view(battle))["seats"]["south"]
    assert (south["serial"] >= first + 5, south["owes"]) == (True, False)
    log = (await bob.get(f"{BATTLES}/{battle}/events")).text
    assert f'"serial":{first + 2},"side":"south"' in log and SECRET not in log
    seats = (await reported(server, battle)).seats
    assert [(seat.is_signed, seat.vouched.messages) for seat in seats] == [(False, 1), (True, first + 2)]
    assert (await bob.order(battle, "resign")).status == 200
    report = await reported(server, battle)
    assert (report.exit, report.seats[1].vouched.messages) == (
        verify.OK,
        first + 3,
    )  # the private line counts once it is open


async def test_a_sealed_seat_signs_its_seals_and_another_book(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await anna.open()
    first, second = (fairness.seal_chain(battle, "south", letter * 32, 20) for letter in (b"s", b"t"))
    at = joining(server)
    assert (await sit_signed(server, anna, battle, "Anna", mode="sealed", anchor=first[0].hex())).status == 201
    assert (await bob.sit(battle, "north", phrase=PHRASE)).status == 201
    assert (await bob.order(battle, "")).status == 200
    seal = {"seal": fairness.seal_text(first[1]), "phrase": ""}
    assert (await send(anna, battle, ["end turn"], at + 1, b"", **seal)).code == "core.bad-signature"
    reply = await send(anna, battle, ["end turn"], at + 1, first[1], **seal)
    assert reply.status == 200, reply
    seen = await anna.head(battle)
    book = f"{BATTLES}/{battle}/sides/south/book"
    body = {"anchor": second[0].hex(), "seen": seen}
    assert (await anna.post(book, body)).code == "core.signature-missing"
    assert (await anna.post(book, {**body, "signature": signature(battle, seen, at + 2, first[0])})).code == (
        "core.bad-signature"
    )
    assert (await anna.post(book, {**body, "signature": signature(battle, seen, at + 2, second[0])})).status == 200
    assert (await bob.order(battle, "end turn")).status == 200
    seal = {"seal": fairness.seal_text(second[1]), "phrase": ""}
    assert (await send(anna, battle, ["end turn"], at + 3, second[1], **seal)).status == 200
    assert (await reported(server, battle)).seats[1].vouched.messages == at + 3


@pytest.mark.parametrize(
    ("lie", "code"),
    thinned(
        [
            ({"signatures": []}, "core.signature-missing"),
            ({"lines": ["end turn"], "giving": b""}, "core.bad-signature"),
            ({"lines": ["end turn"], "giving": b"some other words, long enough"}, "core.bad-signature"),
            ({"lines": ["try R1 ahead"]}, "core.signed-script"),
            ({"serial": 0}, "core.bad-request"),
            ({"serial": 1 << 31, "lines": ["R1 ahead", "R2 ahead"], "signatures": []}, "core.signature-missing"),
            ({"signatures": [{"serial": 2, "signature": "AAAA"}]}, "core.bad-signature"),
            ({"signatures": [{"serial": 1 << 32, "signature": "AAAA"}]}, "core.bad-request"),
            ({"signatures": [{"serial": 2, "signature": "A" * 89}]}, "core.bad-request"),
            ({"signatures": [{"serial": 2, "signature": "AAAA", "more": 1}]}, "core.bad-request"),
            ({"seen": None}, "core.seen-missing"),
        ],
        3,
    ),
)
async def test_what_the_key_has_not_signed_is_refused_and_changes_nothing(
    server: RunningServer, lie: dict[str, Any], code: str
) -> None:
    anna, _, battle = await signed_battle(server)
    n = (await anna.view(battle))["n"]
    reply = await send(anna, battle, **{"lines": ["end turn"], **lie})
    assert (reply.code, (await anna.view(battle))["n"]) == (code, n)


async def test_a_serial_serves_once_and_a_repetition_is_no_second_use(server: RunningServer) -> None:
    anna, _, battle = await signed_battle(server)
    seen = await anna.head(battle)
    body = {"signatures": [signature(battle, seen, 4, PHRASE.encode())], "seen": seen}
    assert (await anna.order(battle, "", "once", **body)).status == 200
    assert (await anna.order(battle, "", "once", **body)).json["again"]
    for serial in (3, 4):
        reply = await send(anna, battle, [SECRET], serial, b"")
        assert (reply.code, reply.json["params"]) == (
            ("core.stale-serial", {"side": "south", "serial": serial, "next": 5})
            if joining(server)
            else ("core.serial-used", {"side": "south", "serial": serial, "last": 4})
        )
    assert (await send(anna, battle, [SECRET], 5, b"")).status == 200


async def test_a_line_is_signed_as_the_log_will_have_it(server: RunningServer) -> None:
    anna, _, battle = await signed_battle(server)
    reply = await send(anna, battle, ["r1  ahead", "R2 ahead", "fin du tour"])
    assert reply.code == "core.unreadable"
    assert [(line["code"], line["params"].get("text")) for line in reply.json["lines"] if "code" in line] == [
        ("core.not-canonical", "R1 ahead"),
        ("core.not-canonical", "end turn"),
    ]


async def test_another_key_or_none_at_all_signs_for_nobody(server: RunningServer) -> None:
    anna, bob, battle = await signed_battle(server)
    seen = await anna.head(battle)
    serial = joining(server) + 1
    foreign = signature(battle, seen, serial, PHRASE.encode(), "end turn", OTHER_KEY)
    reply = await anna.order(battle, "end turn", signatures=[foreign])
    assert (reply.code, reply.json["params"]) == (
        "core.bad-signature",
        {"side": "south", "serial": serial, "text": "end turn", "gives": "phrase"},
    )
    assert (await bob.order(battle, "resign", signatures=[foreign])).code == "core.not-signed-here"


async def test_a_seat_with_a_key_does_not_order_by_mail(server: RunningServer) -> None:
    anna, _, battle = await signed_battle(server)
    seen = Seen(**await anna.head(battle))
    by_mail = OrderRequest(battle, "south", anna.player, MAIL_CHANNEL, "end turn", PHRASE, seen=seen)
    with pytest.raises(Refusal) as refused:
        await server.running.play.orders(by_mail)
    assert refused.value.code == "core.signed-by-mail"


@pytest.mark.parametrize("seat", [{}, {"mode": "sealed", "anchor": "0" * 32}], ids=["plain", "sealed"])
async def test_a_key_is_one_and_stays(server: RunningServer, seat: dict[str, str]) -> None:
    anna = await server.player("Anna")
    battle = await anna.open()
    for bad in ("x", SIGNER[:-1], "A" * 44, SIGNER + "\n"):
        assert (await sit_signed(server, anna, battle, "Anna", signer=bad, **seat)).code == "core.bad-signer"
    weak = await sit_signed(server, anna, battle, "Anna", signer=b64encode(b"\1" + bytes(31)).decode(), **seat)
    assert (weak.code, weak.json["rule"]) == ("core.weak-key", "CORE-FAIR")
    for _ in range(2):
        assert (await sit_signed(server, anna, battle, "Anna", **seat)).status == 201
    assert (await anna.sit(battle, "south", **seat)).code == "core.side-taken"


async def test_signed_lines_that_wait_for_the_other_side_are_played_as_they_were_signed(server: RunningServer) -> None:
    """Their head is that of the request, whatever has happened since."""
    lines = ["R1 charge D3", "standing evade R3 always"]
    anna, bob = await server.player("Anna"), await server.player("Bob")
    for _ in range(40):  # the charge needs a card
        battle = await anna.open("", scenario_toml=EVADE)
        assert (await sit_signed(server, anna, battle, "Anna")).status == 201
        assert (await bob.sit(battle, "north", phrase=PHRASE)).status == 201
        reply = await send(anna, battle, lines)
        if [line["status"] for line in reply.json["lines"]] == ["accepted", "parked"]:
            break
    else:
        pytest.fail("no charge came so far as to ask")
    assert (await bob.order(battle, "evade no")).status == 200

    async def is_played() -> bool:
        return (await bob.view(battle))["seats"]["south"]["serial"] == joining(server) + 2

    await eventually("the parked line is played", is_played)
    await reported(server, battle)
