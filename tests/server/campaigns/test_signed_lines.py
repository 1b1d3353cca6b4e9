"""A line of somebody with a key comes in with their signature alone: the door refuses what `verify` would."""

from pathlib import Path

import pytest

from domain.basics.errors import Refusal
from domain.events.battle import Seen
from domain.run.own_word import Signed
from server.acts.campaigns.entering import CampaignEntry, enter_campaign
from server.acts.campaigns.lines import GivenWord
from server.acts.campaigns.opening import open_campaign
from server.acts.campaigns.roles import give_role
from server.acts.campaigns.signing import joining_to_sign, lines_to_sign
from server.people.umpire_keys import keep_umpire_key
from tests.support.campaign_files import CUP
from tests.support.serving import PHRASE, serving
from tests.support.signed_campaigns import KeyHolder, signers

WEAK = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="


async def code_of(who: KeyHolder, line: str, word: GivenWord) -> str:
    """The code with which a line is refused, "" for none."""
    (answer,) = await who.tries(line, word)
    return answer.refusal.code if answer.refusal is not None else ""


async def test_the_door_refuses_what_the_verifier_would(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        people = await signers(server, "Anna", "Bob", "Cid", "Dora", unsigned="Dora")
        for one in people.values():
            await one.enters()
        anna, dora, live = people["Anna"], people["Dora"], people["Anna"].live
        steward, n = server.running.steward, live.n
        (line,) = lines_to_sign(steward, anna.player, live, "withdraw")
        right = anna.word(line)
        assert (line.seat, line.text, line.serial) == ("p1", "withdraw", 2)
        assert right.seen is not None
        signed = right.signatures[0]
        other = Seen("0" * 64, right.seen.n)
        wrong = {
            "core.signature-missing": GivenWord(right.seen),
            "core.seen-missing": GivenWord(None, right.signatures),
            "core.other-history": GivenWord(other, right.signatures),
            "core.stale-serial": GivenWord(right.seen, (Signed(1, signed.signature),)),
            "core.bad-signature": GivenWord(right.seen, (Signed(3, signed.signature),)),
        }
        for code, word in wrong.items():
            assert await code_of(anna, "withdraw", word) == code
        assert await code_of(dora, "withdraw", right) == "core.not-signed-here"
        assert live.n == n
        assert await code_of(anna, "withdraw", right) == ""
        assert live.state.entrants["p1"].left == "withdrawn"


async def test_who_enters_with_a_key_signs_it_and_brings_the_phrase(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        people = await signers(server, "Anna", "Bob")
        bob, live = people["Bob"], people["Bob"].live
        assert bob.key is not None
        entry = CampaignEntry(phrase=PHRASE, signer=bob.key.public)
        line = joining_to_sign(bob.player, live, entry)
        word = bob.word(line, phrase=PHRASE)

        async def refused(signer: str, phrase: str) -> str:
            given = CampaignEntry(line.seat, phrase, signer=signer, word=word)
            with pytest.raises(Refusal) as found:
                await enter_campaign(server.running.steward, bob.player, live, given)
            return found.value.code

        assert line.text == "join Bob"
        assert await refused(WEAK, PHRASE) == "core.weak-key"
        assert await refused("no key", PHRASE) == "core.bad-signer"
        assert await refused(bob.key.public, "another phrase of mine") == "core.bad-signature"
        assert live.n == 1
        await bob.enters()
        assert live.state.entrants["p1"].signer == bob.key.public


async def test_serials_go_on_when_a_campaign_is_read_again(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        people = await signers(server, "Anna", "Bob")
        anna = people["Anna"]
        await anna.enters()
        await anna.live.reread()
        (line,) = lines_to_sign(server.running.steward, anna.player, anna.live, "withdraw")
        assert line.serial == 2


async def test_an_umpire_signs_where_the_organiser_does(tmp_path: Path) -> None:
    """Else they could rule neither by mail nor on the page."""
    async with serving(tmp_path) as server:
        people = await signers(server, "Anna", "Uma")
        uma, steward = people["Uma"], server.running.steward
        assert uma.key is not None
        await server.running.store.write(*keep_umpire_key(server.running.store, uma.player.id, uma.key.public))
        await people["Anna"].names("umpire", "Uma")
        plain = await open_campaign(steward, people["Anna"].player, CUP, "other")
        await give_role(steward, people["Anna"].player, plain, "umpire", "Uma")
        found = [live.state.umpire for live in (uma.live, plain)]
        assert [one.signer for one in found if one is not None] == [uma.key.public, ""]
