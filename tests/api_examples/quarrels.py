"""Disputes, their umpire, a substitute, a flag."""

from typing import Any

from msgspec.structs import replace

from domain.log.fairness import seal_chain, seal_text
from domain.log.record import PBEM_2_1
from tests.server.play.test_signed_seats import SIGNER, joining, signature, sit_signed
from tests.support.flags import run_out
from tests.support.serving import BATTLES, PHRASE
from tests.support.tiny import tiny_scenario


async def quarrels(session: Any) -> None:
    """Everything that is said in disputes, over their own addresses."""
    anna, bob, battle = await session.two("Ada", "Ben")
    judge = await session.player("Julia")
    n = (await anna.view(battle))["n"]
    await anna.order(battle, "standing evade R6 never\nR1 ahead\nend turn")
    await anna.view(battle)
    await anna.order(battle, "umpire Julia")
    await bob.get(f"{BATTLES}/{battle}/disputes")
    await say(session, bob, battle, "", side="north", kind="facts", about=n + 2, text="The order was meant for R5.")
    await say(session, anna, battle, "/d1/answers", side="south", say="answer", text="It stands as written.")
    await say(session, bob, battle, "/d1/answers", say="halt")
    await say(session, anna, battle, "/d1/offers", side="south", remedy=f"rewind {n}", text="Let us go back.")
    await bob.order(battle, "agree umpire")
    for who in (bob, judge):
        await who.get(f"{BATTLES}?mine")
    await say(session, judge, battle, "/d1/ruling", side="umpire", remedy=f"rewind {n}", text="It was misread.")
    cora = (await session.player("Cora")).player
    await say(session, bob, battle, "/substitutes", side="north", seat="south", player=cora)
    await anna.order(battle, "resign")
    await say(session, bob, battle, "", side="north", kind="conduct", about=n, text="It was no fight.")
    await say(session, anna, battle, "/d2/offers", remedy="draw")
    await say(session, bob, battle, "/d2/answers", say="agree")
    await flag(session)
    await signed(session)
    await umpire_signs(session)
    await taken_back(session)


async def say(session: Any, who: Any, battle: str, rest: str, **body: Any) -> None:
    """Something in a dispute, and how the dockets look after it."""
    path = f"{BATTLES}/{battle}/disputes"
    reply = await who.post(path + rest, {"seen": await who.head(battle), **body})
    assert reply.status == 200, reply
    for reader in (who, session.stranger):
        await reader.get(path)
        await reader.get(f"{path}/d1")


async def flag(session: Any) -> None:
    """Time runs out, and the umpire rules on it."""
    _, _, battle = await session.two("Asta", "Bent", umpire="Julia", pace="live")
    (judge,) = [one for one in session.people if one.name == "Julia"]
    await run_out(session.server, await session.server.running.battles.get(battle))
    await judge.view(battle)
    await say(session, judge, battle, "/flags", side="umpire", flag="south", effect="more", text="The line was down.")


async def signed(session: Any) -> None:
    """What a seat with a key says is signed."""
    anna, bob = await session.player("Alma"), await session.player("Bela")
    battle = await anna.open()
    await sit_signed(session.server, anna, battle, "Alma", phrase=PHRASE)
    await bob.sit(battle, "north", phrase=PHRASE)
    path, serial = f"{BATTLES}/{battle}/disputes", joining(session.server)

    async def sign(rest: str, line: str, **body: Any) -> None:
        nonlocal serial
        serial += 1
        seen = await anna.head(battle)
        given = {"seen": seen, "signatures": [signature(battle, seen, serial, text=line)]}
        reply = await anna.post(path + rest, {**given, **body})
        assert reply.status == 200, (line, reply)

    await sign("", "dispute 1 rules Why so?", about=1, text="Why so?")
    await sign("/d1/answers", "answer d1 It is not clear.", say="answer", text="It is not clear.")
    await sign("/d1/offers", "offer d1 none", remedy="none")
    await sign(
        "/substitutes", "substitute north " + session.people[0].player, seat="north", player=session.people[0].player
    )


async def umpire_signs(session: Any) -> None:
    """An umpire brings a key, is named with it in a battle of PBEM-2.1, and signs what they say."""
    battles = session.server.running.battles
    usual, battles.settings = battles.settings, replace(battles.settings, opens=PBEM_2_1)
    judge = await session.player("Justus")
    key = "/api/v1/account/umpire-key"
    assert (await judge.post(key, {"signer": SIGNER})).status == 200
    await judge.get(key)
    anna, _, battle = await session.two("Paulina", "Ottokar", umpire="Justus", unsigned_umpire=True)
    battles.settings = usual
    await say(session, anna, battle, "", side="south", kind="facts", about=1, text="It was misread.")
    seen, line = await judge.head(battle), "answer d1 I look at it."
    given = {"seen": seen, "signatures": [signature(battle, seen, 1, text=line, side="umpire")]}
    body = {"side": "umpire", "say": "answer", "text": "I look at it.", **given}
    path = f"{BATTLES}/{battle}/disputes"
    assert (await judge.post(f"{path}/d1/answers", body)).status == 200
    await session.stranger.get(path)


async def taken_back(session: Any) -> None:
    """Orders are taken back; who agrees brings a phrase, or the next seal of their book (header version 3)."""
    anna, bob = await session.player("Drusilla"), await session.player("Drusus")
    for is_sealed in (False, True):
        live = await session.server.running.battles.open("tts", tiny_scenario(), "public", version=PBEM_2_1)
        seals = seal_chain(live.id, "north", b"n" * 32, 20)
        await anna.sit(live.id, "south", phrase=PHRASE)
        if is_sealed:
            await bob.sit(live.id, "north", mode="sealed", anchor=seals[0].hex())
            assert (await bob.order(live.id, "", phrase="", seal=seal_text(seals[1]))).status == 200
        else:
            await bob.sit(live.id, "north", phrase=PHRASE)
        for at, rest in ((2, "answers"), (3, "offers")):
            given = {"seal": seal_text(seals[at])} if is_sealed else {"phrase": f"{PHRASE}, the {at}th"}
            assert (await anna.order(live.id, "R1 ahead")).status == 200
            await say(session, anna, live.id, "", side="south", kind="takeback", text="It was misread.")
            docket = live.recording.battle.disputes.dockets[-1]
            agreed = {"say": "agree"} if rest == "answers" else {"remedy": docket.offers["south"].what}
            await say(session, bob, live.id, f"/{docket.id}/{rest}", side="north", **agreed, **given)


async def acts_signed(session: Any) -> None:
    """A seat with a key is given back and taken again, pauses and is away, each by a signed line (header version 3)."""
    anna, bob = await session.player("Livilla"), await session.player("Vindex")
    live = await session.server.running.battles.open("tts", tiny_scenario(), "public", "2d+1d", version=PBEM_2_1)
    side, serial = f"{BATTLES}/{live.id}/sides/south", 0

    async def said(text: str) -> dict[str, Any]:
        nonlocal serial
        serial += 1
        seen = await anna.head(live.id)
        return {"seen": seen, "signature": signature(live.id, seen, serial, b"", text)}

    await anna.post(side, {"signer": SIGNER, **await said("join Livilla")})
    assert (await anna.post(f"{side}/leave", await said("leave"))).status == 200
    assert (await anna.post(side, {"signer": SIGNER, **await said("join Livilla")})).status == 201
    await bob.sit(live.id, "north", phrase=PHRASE)
    asked = {"do": "pause", "days": 7, **await said("pause 7d")}
    assert (await anna.post(f"{BATTLES}/{live.id}/clock", asked)).status == 200
    span = {"begins": "2027-08-01T00:00:00.000Z", "ends": "2027-08-15T00:00:00.000Z"}
    assert (await anna.post("/api/v1/vacations", span)).status == 201
    away = {"do": "vacation", **span, **await said(f"vacation {span['begins']} {span['ends']}")}
    assert (await anna.post(f"{BATTLES}/{live.id}/clock", away)).status == 200
