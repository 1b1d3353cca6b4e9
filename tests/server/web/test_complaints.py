"""Players report what is wrong; administrators settle it, and the reporter hears of it."""

import pytest
from typer.testing import CliRunner

from replay.telling.words.catalogue import find
from server.cli.main import main
from server.people.complaining import settled
from server.people.players import erased
from server.store.tables import complaints, correspondents, deeds, outbox
from server.store.tables.complaints import ComplaintOutcome
from tests.server.web.pages.test_site import FRENCH
from tests.server.web.pages.visiting import OWN, Visitor, visitor_of
from tests.support.french import english_in
from tests.support.serving import BATTLES, Caller, RunningServer, serving

COMPLAINTS = "/api/v1/complaints"
VILE = "A vile word"


async def quarrel(server: RunningServer) -> tuple[Caller, Caller, Caller, str, str]:
    """Anna, who administers, Bob and Cato in a battle, the battle, and what Bob has said in it to Cato: its id."""
    anna = await server.administrator("Anna")
    bob, cato = [await server.player(name) for name in ("Bob", "Cato")]
    battle = await server.battle(bob, cato)
    his = await visitor_of(server, bob)
    await his.send(f"/battles/{battle}/words", words=VILE, key="bob-1-1234567890")
    ((id_,),) = server.running.store.rows("SELECT id FROM posts")
    return anna, bob, cato, battle, str(id_)


async def test_a_message_is_reported_with_its_words_and_settled_with_a_letter(server: RunningServer) -> None:
    anna, bob, cato, battle, post = await quarrel(server)
    hers, administrator = await visitor_of(server, cato), await visitor_of(server, anna)
    words = await hers.get(f"/battles/{battle}/words")
    link = f"/complain?kind=post&amp;battle={battle}&amp;item={post}"
    assert f'href="{link}"' in words.text
    form = await hers.get(link.replace("&amp;", "&"))
    assert VILE in form.words and "It is about Bob." in form.words
    sent = await hers.send("/complain", kind="post", battle=battle, item=post, why="He is <rude>", block="")
    assert "The administrators have your report." in sent.words
    (kept,) = complaints.waiting(server.running.store, 9)
    assert (kept.reporter, kept.about, kept.words, kept.why) == (cato.player, bob.player, VILE, "He is <rude>")
    assert "phalera_complaints_open 1.0" in (await server.stranger.get("/metrics")).text
    queue = await administrator.get("/admin/complaints")
    assert "Open: 1" in queue.words and f"/admin/complaints/{kept.id}" in queue.text
    page = await administrator.get(f"/admin/complaints/{kept.id}")
    assert VILE in page.words and "Bob" in page.words and "&lt;rude&gt;" in page.text
    done = await administrator.send(f"/admin/complaints/{kept.id}", do="acted", answer="He is warned.")
    assert "The report is settled." in done.words and "No report is open." in done.words
    (deed,) = deeds.latest(server.running.store, 9)
    assert (deed.actor, deed.deed, deed.about, deed.why) == (anna.player, "complaint-acted", kept.id, "He is warned.")
    row = outbox.unsent(server.running.store)[-1]
    assert (row.recipient, row.kind) == (cato.player, f"complaint:{kept.id}")
    told = (await cato.get(COMPLAINTS)).json["complaints"]
    assert [(one["outcome"], one["answer"]) for one in told] == [("acted", "He is warned.")]
    assert "He is warned." in (await hers.get("/complaints")).words
    again = await administrator.send(f"/admin/complaints/{kept.id}", do="dismissed")
    assert str(find("core.complaint-settled", "en")) in again.words
    assert (again.status, len(deeds.latest(server.running.store, 9))) == (409, 1)


async def test_words_of_spectators_players_and_battles_are_reported(server: RunningServer) -> None:
    anna, bob, cato, battle, _ = await quarrel(server)
    dora = await server.player("Dora")
    await (await visitor_of(server, anna)).send(f"/battles/{battle}/spectators", words="Fools", key="anna-1-12345678")
    hers = await visitor_of(server, dora)
    link = f"/complain?kind=remark&battle={battle}&item=1"
    assert link.replace("&", "&amp;") in (await hers.get(f"/battles/{battle}/spectators")).text
    assert "Fools" in (await hers.get(link)).words
    assert f"/complain?kind=player&amp;player={bob.player}" in (await hers.get(f"/players/{bob.player}")).text
    assert f"/complain?kind=battle&amp;battle={battle}" in (await hers.get(f"/battles/{battle}")).text
    for body in (
        {"kind": "remark", "battle": battle, "item": "1"},
        {"kind": "player", "player": bob.player},
        {"kind": "battle", "battle": battle},
    ):
        assert (await dora.post(COMPLAINTS, {**body, "why": "because"})).status == 201
    kept = complaints.waiting(server.running.store, 9)
    assert {(one.kind, one.about, one.battle, one.words) for one in kept} == {
        ("remark", anna.player, battle, "Fools"),
        ("player", bob.player, "", ""),
        ("battle", "", battle, ""),
    }
    assert cato.player not in {one.about for one in kept}


async def test_the_same_is_kept_once_until_it_is_settled(server: RunningServer) -> None:
    _, bob, cato, _, _ = await quarrel(server)
    for _ in range(2):
        assert (await cato.post(COMPLAINTS, {"kind": "player", "player": bob.player, "why": "x"})).status == 201
    (kept,) = complaints.waiting(server.running.store, 9)
    await server.running.store.write(complaints.settle(kept.id, kept.at, "dismissed", ""))
    assert (await cato.post(COMPLAINTS, {"kind": "player", "player": bob.player, "why": "x"})).status == 201
    assert complaints.count_open(server.running.store) == 1


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"kind": "player", "player": "pnobody", "why": "x"}, "core.no-such-player"),
        ({"kind": "player", "player": "OWN", "why": "x"}, "core.own-complaint"),
        ({"kind": "player", "player": "BOB", "why": "  "}, "core.complaint-what"),
        ({"kind": "player", "player": "BOB", "why": "x" * 1001}, "core.complaint-what"),
        ({"kind": "battle", "battle": "nowhere", "why": "x"}, "core.unknown-battle"),
        ({"kind": "post", "battle": "BATTLE", "item": "12", "why": "x"}, "core.no-such-words"),
        ({"kind": "post", "battle": "BATTLE", "item": "²", "why": "x"}, "core.no-such-words"),
        ({"kind": "remark", "battle": "BATTLE", "item": "9" * 30, "why": "x"}, "core.no-such-words"),
        ({"kind": "song", "why": "x"}, "core.bad-request"),
        ({"kind": "player", "player": "BOB", "why": "x", "more": 1}, "core.bad-request"),
    ],
)
async def test_what_cannot_be_reported_is_refused(server: RunningServer, body: dict[str, object], code: str) -> None:
    _, bob, cato, battle, _ = await quarrel(server)
    places = {"OWN": cato.player, "BOB": bob.player, "BATTLE": battle}
    filled = {name: places.get(str(value), value) for name, value in body.items()}
    assert (await cato.post(COMPLAINTS, filled)).code == code
    assert complaints.count_open(server.running.store) == 0


async def test_nobody_reports_messages_that_they_do_not_read(server: RunningServer) -> None:
    anna, bob, cato, battle, post = await quarrel(server)
    secret = await server.battle(bob, cato, readers="players")
    body = {"kind": "post", "battle": battle, "item": post, "why": "x"}
    assert (await anna.post(COMPLAINTS, body)).code == "core.no-such-words"
    assert (await anna.post(COMPLAINTS, {"kind": "battle", "battle": secret, "why": "x"})).code == "core.unknown-battle"
    assert (await server.stranger.post(COMPLAINTS, body)).code == "core.not-signed-in"
    other = {**body, "battle": secret}
    assert (await cato.post(COMPLAINTS, other)).code == "core.no-such-words"
    page = await (await visitor_of(server, anna)).get(f"/complain?kind=post&battle={battle}&item={post}")
    assert (page.status, VILE in page.text) == (404, False)


async def test_reports_are_only_for_administrators_and_from_our_own_pages(server: RunningServer) -> None:
    anna, bob, cato, _, _ = await quarrel(server)
    await cato.post(COMPLAINTS, {"kind": "player", "player": bob.player, "why": "x"})
    (kept,) = complaints.waiting(server.running.store, 9)
    his = await visitor_of(server, bob)
    for method, path in (
        ("GET", "/admin/complaints"),
        ("GET", f"/admin/complaints/{kept.id}"),
        ("POST", f"/admin/complaints/{kept.id}"),
    ):
        form = {"do": "acted"} if method == "POST" else None
        assert (await his.ask(method, path, OWN, form)).status == 404
    alien = {"Sec-Fetch-Site": "cross-site", "Accept": "text/html"}
    form = {"kind": "player", "player": bob.player, "why": "x"}
    assert (await (await visitor_of(server, anna)).ask("POST", "/complain", alien, form)).status == 403
    assert (await (await visitor_of(server, anna)).ask("POST", f"/players/{bob.player}/block", alien, {})).status == 403
    assert (await Visitor(server).get("/complaints")).status == 401


async def test_who_is_removed_is_no_reporter_any_more_and_a_removed_battle_leaves_no_words(
    server: RunningServer,
) -> None:
    anna, _, cato, battle, post = await quarrel(server)
    store = server.running.store
    await cato.post(COMPLAINTS, {"kind": "post", "battle": battle, "item": post, "why": "x"})
    await (await visitor_of(server, anna)).send(f"/admin/battles/{battle}", do="rm", sure="yes")
    assert [one.words for one in complaints.waiting(store, 9)] == [""]
    await store.write(*erased(cato.player))
    assert [one.reporter for one in complaints.waiting(store, 9)] == [""]


async def test_the_pages_are_french(server: RunningServer) -> None:
    anna, bob, cato, _, _ = await quarrel(server)
    await cato.post(COMPLAINTS, {"kind": "player", "player": bob.player, "why": "x"})
    (kept,) = complaints.waiting(server.running.store, 9)
    administrator, hers = await visitor_of(server, anna), await visitor_of(server, cato)
    for visitor, path in (
        (administrator, "/admin/complaints"),
        (administrator, f"/admin/complaints/{kept.id}"),
        (hers, "/complaints"),
        (hers, f"/complain?kind=player&player={bob.player}"),
    ):
        page = await visitor.ask("GET", path, FRENCH)
        assert (page.status, english_in(page.words, {"Anna", "Bob", "Cato"})) == (200, []), path


async def test_the_host_lists_and_settles_them(tmp_path) -> None:
    async with serving(tmp_path) as server:
        _, bob, cato, _, _ = await quarrel(server)
        await cato.post(COMPLAINTS, {"kind": "player", "player": bob.player, "why": "He\ncheats"})
        (kept,) = complaints.waiting(server.running.store, 9)

    def phalera(*words: str):
        return CliRunner().invoke(main, ["complaints", *words, "--data", str(tmp_path)])

    assert kept.id in phalera("list").stdout and "He cheats" in phalera("list").stdout
    assert phalera("settle", kept.id, "dismissed", "--answer", "No.").exit_code == 0
    assert (phalera("list").stdout, "dismissed" in phalera("list", "--settled").stdout) == ("", True)
    assert phalera("settle", kept.id, "acted").exit_code == 1
    assert phalera("settle", "nothing", "acted").stderr == "phalera: There is no complaint nothing.\n"


async def test_reports_are_few_in_a_day(tmp_path) -> None:
    from server.limits import Limits

    async with serving(tmp_path, limits=Limits()) as server:
        _, bob, cato, _, _ = await quarrel(server)
        said = [await cato.post(COMPLAINTS, {"kind": "player", "player": bob.player, "why": "x"}) for _ in range(21)]
        assert [reply.status for reply in said] == [201] * 20 + [429]
        assert (await cato.get(f"{BATTLES}?mine")).status == 200


@pytest.mark.parametrize(
    ("outcome", "lang", "said"), [("acted", "en", "and acted"), ("dismissed", "fr", "rien trouvé")]
)
async def test_the_letter_says_what_came_of_it_and_repeats_nothing(
    server: RunningServer, outcome: str, lang: str, said: str
) -> None:
    _, _, cato, battle, post = await quarrel(server)
    store = server.running.store
    await store.write(correspondents.save(correspondents.find(store, cato.player)._replace(lang=lang)))
    await cato.post(COMPLAINTS, {"kind": "post", "battle": battle, "item": post, "why": "my reason"})
    (kept,) = complaints.waiting(store, 9)
    await store.write(*settled(kept, ComplaintOutcome(outcome), "Our answer", "", kept.at))
    composed = await server.mail.writer.compose(outbox.unsent(store)[-1])
    assert composed is not None
    plain = composed.message.get_body(("plain",))
    assert plain is not None
    text = plain.get_content()
    assert said in " ".join(text.split()) and "Our answer" in text
    assert VILE not in text and "my reason" not in text and "Bob" not in text
