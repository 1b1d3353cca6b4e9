"""What witnesses have signed of a battle is handed out as a file, to which its page links where any are asked."""

from replay.proof.seen import WitnessEvidence
from replay.proof.verify import verify
from replay.proof.witnessed import proofs_in
from tests.support.serving import RunningServer


async def test_the_proof_is_a_file_beside_the_battle_file(server: RunningServer) -> None:
    anna, ben = await server.player("Anna"), await server.player("Ben")
    battle = await server.battle(anna, ben)
    path, witness = f"/api/v1/battles/{battle}/export/proof", server.running.witness
    early = await anna.get(path)
    assert (early.status, early.code) == (404, "core.not-logged")
    witness.log.follow(server.running.store)
    proof = await anna.get(path)
    assert (proof.status, proof.type) == (200, "text/plain")
    assert proof.headers["Content-Disposition"] == f'attachment; filename="{battle}.battle.proof"'
    content = await anna.export(battle)
    evidence = WitnessEvidence(tuple(("x", one) for one in proofs_in(proof.text.encode())))
    report = verify(content, witnessed=evidence)
    assert report.fault is None and report.witnessed is not None
    assert report.witnessed.n == (await anna.view(battle))["n"]


async def test_the_page_links_to_it_where_others_are_asked(server: RunningServer) -> None:
    anna, ben = await server.player("Anna"), await server.player("Ben")
    battle = await server.battle(anna, ben)
    link = f"/api/v1/battles/{battle}/export/proof"
    assert link not in (await anna.get(f"/battles/{battle}")).text
    server.running.witness.asks = True
    assert link in (await anna.get(f"/battles/{battle}")).text
