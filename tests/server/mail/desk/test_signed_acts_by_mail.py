"""What a seat with a key signs cannot be done by mail, which says so (header version 3)."""

from domain.basics.data import parse_toml, scenario_text
from domain.log.record import PBEM_2_1
from domain.run.own_word import OwnWord, Signed
from server.people.players import Player
from server.play.seating import take_side
from tests.server.mail.desk.desking import Counter
from tests.server.play.test_signed_seats import SIGNER, signature


async def test_a_signed_seat_does_not_leave_pause_or_claim_by_mail(counter: Counter) -> None:
    scenario = parse_toml(scenario_text("tts", "skirmish"), "skirmish")
    live = await counter.battles.open("tts", scenario, "public", "brisk", version=PBEM_2_1)
    head = live.recording.newest_head()
    assert head is not None
    seen = {"n": head.n, "hash": head.hash}
    signed = signature(live.id, seen, 1, text="join Anna")
    word = OwnWord(head, Signed(signed["serial"], signed["signature"]))
    await take_side(live, "south", Player(counter.anna.player, "Anna"), signer=SIGNER, word=word)
    n = live.n
    for line in ("leave", "pause", "claim"):
        assert (await counter.mail(counter.anna, f"{line} {live.id}")).id == "core.signed-act-by-mail"
    assert live.n == n
