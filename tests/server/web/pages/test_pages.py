"""The pages say what is true, to whom they may, and nothing that somebody else put into them."""

import asyncio
import re
from importlib.resources import files

import pytest
import pytest_asyncio

from domain.catalogue import RULESETS
from domain.contract.ruleset import Ruleset
from domain.run.bots import BOTS
from replay.drawing.palette import contrast
from replay.telling.words import LANGUAGES
from server.play.seating import BOT_NAMES
from server.shown.notation import order_help
from server.web.auth import COOKIE
from server.web.pages.static_files import SCRIPTS, static_link
from tests.server.web.pages.visiting import OWN, Page, Visitor, visitor_of
from tests.support.serving import PHRASE, RunningServer

ANGRY = "<b onclick=x>\"A'&"
SECRET = "standing evade R3 never"


@pytest_asyncio.fixture(loop_scope="session")
async def battle(server: RunningServer) -> tuple[Visitor, Visitor, str]:
    """Anna (south, to move) and Bob, each with a browser, and their battle."""
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    return await visitor_of(server, anna), await visitor_of(server, bob), battle


def has_form(page: Page) -> bool:
    return 'id="order-form"' in page.text


# --- getting in


async def test_one_click_opens_a_battle_against_the_bot(server: RunningServer) -> None:
    guest = Visitor(server)
    page = await guest.send("/battles", scenario="tts/skirmish", phrase=PHRASE)
    assert page.status == 200
    assert "It is your turn" in page.words
    assert "The server plays this side." in page.words
    assert COOKIE in guest.cookies
    assert "your turn" in (await guest.get("/")).words


@pytest.mark.parametrize("bot", list(BOTS))
async def test_every_bot_can_be_chosen_as_opponent(server: RunningServer, bot: str) -> None:
    guest = Visitor(server)
    assert f'<option value="{bot}"' in (await guest.get("/new")).text
    page = await guest.send("/battles", scenario="tts/skirmish", opponent=bot, phrase=PHRASE)
    assert BOT_NAMES[bot] in page.words


async def test_a_bot_that_does_not_exist_is_refused_in_words(server: RunningServer) -> None:
    page = await Visitor(server).send("/battles", scenario="tts/skirmish", opponent="clever", phrase=PHRASE)
    assert page.status == 422
    assert "There is no bot clever; there are: easy, sensible, strong and random." in page.words


async def test_an_empty_lobby_says_so(server: RunningServer) -> None:
    page = await Visitor(server).get("/")
    assert "You play in no battle yet." in page.words
    assert "No public battle needs a player at the moment." in page.words
    assert "No public battle is like this." in (await Visitor(server).get("/watch")).words
    assert "Cannae" in (await Visitor(server).get("/new")).words


@pytest.mark.slow
async def test_public_battles_are_listed_and_linked_ones_are_not(server: RunningServer) -> None:
    guest = Visitor(server)
    shown = await guest.send("/battles", scenario="tts/cannae", readers="public", name="Cato", phrase=PHRASE)
    hidden = await guest.send("/battles", scenario="tts/zama", readers="link", phrase=PHRASE)
    lobby = await Visitor(server).get("/watch")
    assert shown.path in lobby.text
    assert "Cato (south)" in lobby.words
    assert hidden.path not in lobby.text


async def test_a_friend_takes_the_free_side_by_the_link(server: RunningServer) -> None:
    opener, friend = Visitor(server), Visitor(server)
    opened = await opener.send("/battles", scenario="tts/skirmish", opponent="person", name="Anna", phrase=PHRASE)
    assert f"{server.running.settings.address}{opened.path}" in opened.text
    invited = await friend.get(opened.path)
    assert "Take north" in invited.words
    seen = await friend.seen(opened.path.removeprefix("/battles/"))
    joined = await friend.send(f"{opened.path}/sides/north", name="Bob", phrase=PHRASE, seen=seen)
    assert "The valley (north): Bob (you)" in joined.words
    assert "It is your turn" in (await opener.get(opened.path)).words


async def test_the_bot_may_take_the_free_side_later(server: RunningServer) -> None:
    opener = Visitor(server)
    opened = await opener.send("/battles", scenario="tts/skirmish", opponent="person", phrase=PHRASE)
    assert all(f'<option value="{bot}"' in opened.text for bot in BOTS)
    eve = await Visitor(server).send(f"{opened.path}/sides/north", bot="sensible")
    assert eve.status == 403
    assert "The server plays this side." in (await opener.send(f"{opened.path}/sides/north", bot="sensible")).words


async def test_a_name_that_is_taken_is_refused_in_words(server: RunningServer) -> None:
    await Visitor(server).send("/battles", scenario="tts/skirmish", name="Cato")
    page = await Visitor(server).send("/battles", scenario="tts/skirmish", name="cato")
    assert page.status == 422
    assert "The name cato is taken" in page.words


# --- ordering


async def test_orders_from_the_box_are_played_and_told(battle: tuple[Visitor, Visitor, str]) -> None:
    anna, _, id_ = battle
    page = await anna.order(id_, "R1 ahead\nend turn")
    assert page.status == 200
    assert "South: R1 ahead" in page.words
    assert "Turn 1: North (The valley) is to move." in page.words


async def test_a_refusal_stands_beside_its_line_with_the_rule(battle: tuple[Visitor, Visitor, str]) -> None:
    anna, _, id_ = battle
    page = await anna.order(id_, "R1 charge C6\nend turn")
    assert page.status == 422
    assert re.search(r"R1 charge C6</code> <b>refused</b><span>[^<]+\[TTS-[A-Z]+-\d+\]", page.text)
    assert "R1 charge C6\nend turn" in page.text  # still in the box
    assert "Nothing was played." in page.words


async def test_what_was_played_before_a_refusal_leaves_the_box(battle: tuple[Visitor, Visitor, str]) -> None:
    anna, _, id_ = battle
    page = await anna.order(id_, "corps I\nN1 ahead")
    assert "1 of 2 lines played" in page.words
    assert "<textarea" in page.text and ">N1 ahead\n</textarea>" in page.text


async def test_a_line_that_cannot_be_read_stops_everything(battle: tuple[Visitor, Visitor, str]) -> None:
    anna, _, id_ = battle
    page = await anna.order(id_, "R1 ahead\nR1 dance")
    assert page.status == 422
    assert "R1 ahead not played" in page.words
    assert "[CORE-PARSE]" in page.words
    assert "South: R1 ahead" not in page.words


async def test_a_form_sent_twice_is_played_once(battle: tuple[Visitor, Visitor, str], server: RunningServer) -> None:
    anna, _, id_ = battle
    page = await anna.get(f"/battles/{id_}")
    fields = {name: page.field(name) for name in ("key", "expect", "side", "seen")}
    for _ in range(2):
        await anna.send(f"/battles/{id_}/orders", orders="R1 ahead", phrase=PHRASE, do="send", **fields)
    live = await server.running.battles.get(id_)
    accepted = [recorded for recorded in live.recording.timeline.events if recorded.type == "OrderAccepted"]
    assert [order.event.channel for order in accepted] == ["page"]  # type: ignore[attr-defined]


@pytest.mark.slow
async def test_orders_for_a_board_that_has_changed_are_not_played(battle: tuple[Visitor, Visitor, str]) -> None:
    anna, _, id_ = battle
    old = (await anna.get(f"/battles/{id_}")).field("expect")
    await anna.order(id_, "corps I")
    page = await anna.order(id_, "R1 ahead", expect=old)
    assert page.status == 409
    assert "Look at what has happened since" in page.words
    assert "R1 ahead\n" in page.text or "R1 ahead</textarea>" in page.text


async def test_a_side_is_taken_later_if_the_browser_has_a_book_to_make(server: RunningServer) -> None:
    guest = Visitor(server)
    page = await guest.send(
        "/battles", scenario="tts/skirmish", opponent="person", side="north", later="yes", name="Anna", phrase=PHRASE
    )
    path, _, query = page.path.partition("?")
    assert query == "take=north"
    live = await server.running.battles.get(path.rsplit("/", 1)[1])
    assert not live.recording.battle.seats
    await guest.send(f"{path}/sides/north", anchor="a" * 32, phrase=PHRASE)
    seat = live.recording.battle.seats["north"]
    assert (seat.name, seat.mode, seat.anchor) == ("Anna", "sealed", "a" * 32)


async def test_another_book_is_begun_by_its_own_player_alone(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await anna.open()
    await anna.sit(battle, "south", mode="sealed", anchor="a" * 32)
    await bob.sit(battle, "north", phrase=PHRASE)
    page, path = await visitor_of(server, anna), f"/battles/{battle}/book"
    fields = {"side": "south", "anchor": "b" * 32, "seen": await page.seen(battle)}
    assert (await page.send(path, {"Sec-Fetch-Site": "cross-site"}, **fields)).status == 403
    assert (await Visitor(server).send(path, **fields)).status == 401
    assert (await (await visitor_of(server, bob)).send(path, **fields)).status == 403
    assert (await page.send(path, **{**fields, "seen": ""})).status == 422
    assert (await page.send(path, **{**fields, "anchor": "b"})).status == 422
    seats = (await server.running.battles.get(battle)).recording.battle.seats
    assert seats["south"].anchor == "a" * 32
    assert (await page.send(path, **fields)).status == 200
    seats = (await server.running.battles.get(battle)).recording.battle.seats
    assert seats["south"].anchor == "b" * 32 and seats["south"].new_book


async def test_a_player_whose_turn_it_is_reads_whose_share_is_missing(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await anna.open()
    await anna.sit(battle, "south", phrase=PHRASE)
    await bob.sit(battle, "north", mode="sealed", anchor="a" * 32)
    page = await (await visitor_of(server, anna)).get(f"/battles/{battle}")
    assert "It is your turn" in page.words
    assert "Bob has yet to give a share of the chance; nothing can be drawn before." in page.words


async def test_the_server_makes_up_no_phrase(battle: tuple[Visitor, Visitor, str]) -> None:
    anna, _, id_ = battle
    page = await anna.order(id_, "R1 ahead", phrase="")
    assert page.status == 422
    assert "South: R1 ahead" not in page.words
    assert 'id="order-phrase"' in page.text  # now it is asked for in sight


@pytest.mark.slow
async def test_a_preview_stores_nothing(battle: tuple[Visitor, Visitor, str], server: RunningServer) -> None:
    anna, _, id_ = battle
    before = (await server.running.battles.get(id_)).n
    page = await anna.order(id_, "R1 ahead", do="preview")
    assert "The first card: 72 of the 80 left are 2 or more, 90%." in page.words
    assert ">R1 ahead\n</textarea>" in page.text or ">R1 ahead</textarea>" in page.text
    assert (await server.running.battles.get(id_)).n == before


async def test_a_pick_goes_into_the_box_without_a_script(battle: tuple[Visitor, Visitor, str]) -> None:
    anna, _, id_ = battle
    page = await anna.order(id_, "R1 ahead", pick="R2 ahead")
    assert ">R1 ahead\nR2 ahead\n</textarea>" in page.text


async def test_who_is_not_to_move_sees_no_options_but_may_resign(battle: tuple[Visitor, Visitor, str]) -> None:
    _, bob, id_ = battle
    page = await bob.get(f"/battles/{id_}")
    assert 'name="pick"' not in page.text
    ended = await bob.send(f"/battles/{id_}/orders", orders="resign", key="r1", side="north", seen=await bob.seen(id_))
    assert "The battle is over." in ended.words
    assert not has_form(ended)


async def test_a_missing_contribution_is_asked_for_and_given_once(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    id_ = await anna.open()
    await anna.sit(id_, "south", phrase=PHRASE)
    await bob.sit(id_, "north")
    visitor = await visitor_of(server, bob)
    page = await visitor.get(f"/battles/{id_}")
    fields = {name: page.field(name, "contribution") for name in ("key", "side", "seen")}
    short = await visitor.send(f"/battles/{id_}/contribution", phrase="short", **fields)
    assert short.status == 422
    for key in ("one", "two"):
        given = await visitor.send(f"/battles/{id_}/contribution", **{**fields, "key": key}, phrase=PHRASE)
        assert given.status == 200
        assert 'id="contribution"' not in given.text


# --- who sees what


async def test_a_spectator_sees_board_and_log_but_gives_no_orders(
    battle: tuple[Visitor, Visitor, str], server: RunningServer
) -> None:
    anna, _, id_ = battle
    await anna.order(id_, "R1 ahead")
    page = await Visitor(server).get(f"/battles/{id_}")
    assert "You watch." in page.words
    assert "South: R1 ahead" in page.words
    assert not has_form(page)
    assert 'name="pick"' not in page.text


@pytest.mark.slow
async def test_a_standing_order_is_seen_by_its_side_alone(
    battle: tuple[Visitor, Visitor, str], server: RunningServer
) -> None:
    anna, bob, id_ = battle
    mine = await anna.order(id_, SECRET)
    assert SECRET in mine.text
    live = await server.running.battles.get(id_)
    paths = [f"/battles/{id_}", *(f"/battles/{id_}?n={n}" for n in range(10, live.n + 1))]
    paths += [f"/battles/{id_}/why/{n}" for n in range(10, live.n + 1)]
    for looker in (bob, Visitor(server)):
        for path in paths:
            page = await looker.get(path)
            assert page.status == 200
            assert "evade R3" not in page.text and "R3 never" not in page.text, path


async def test_a_private_battle_is_not_there_for_strangers(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    id_ = await server.battle(anna, bob, readers="players")
    assert (await (await visitor_of(server, bob)).get(f"/battles/{id_}")).status == 200
    for path in (f"/battles/{id_}", f"/battles/{id_}?n=3", f"/battles/{id_}/why/3"):
        assert (await Visitor(server).get(path)).status == 404


async def test_the_replay_steps_by_links(battle: tuple[Visitor, Visitor, str]) -> None:
    anna, bob, id_ = battle
    await anna.order(id_, "R1 ahead\nend turn")
    page = await bob.get(f"/battles/{id_}?n=8")
    assert "You look at event 8 of" in page.words
    assert "R1 ahead" not in page.words
    assert not has_form(page)
    assert f'href="/battles/{id_}?n=9"' in page.text
    assert (await bob.get(f"/battles/{id_}?n=9999")).status == 404
    assert (await bob.get(f"/battles/{id_}?n=x")).status == 400


async def test_the_board_turns_and_stays_turned_after_orders(battle: tuple[Visitor, Visitor, str]) -> None:
    anna, _, id_ = battle
    assert "data-turned" not in (await anna.get(f"/battles/{id_}")).text
    page = await anna.get(f"/battles/{id_}?turned=yes")
    assert "data-turned" in page.text
    fields = {name: page.field(name) for name in ("key", "expect", "side", "seen")}
    told = {"orders": "corps I", "do": "send", "phrase": PHRASE, **fields}
    sent = await anna.ask("POST", f"/battles/{id_}/orders", OWN, told)
    assert "data-turned" in (await anna.get(sent.headers["Location"])).text
    assert "data-turned" in (await anna.get(f"/battles/{id_}/moment?n=9")).text
    await anna.get(f"/battles/{id_}?turned=no")
    assert "data-turned" not in (await anna.get(f"/battles/{id_}?n=9")).text


async def test_each_side_has_its_own_edge_below(battle: tuple[Visitor, Visitor, str]) -> None:
    anna, bob, id_ = battle
    for visitor, is_turned in ((anna, False), (bob, True), (anna, False)):
        for path in ("", "?n=9", "/moment?n=9"):
            assert ("data-turned" in (await visitor.get(f"/battles/{id_}{path}")).text) == is_turned
    await bob.get(f"/battles/{id_}?turned=no")
    assert "data-turned" not in (await bob.get(f"/battles/{id_}")).text


async def test_why_names_rule_and_odds(battle: tuple[Visitor, Visitor, str], server: RunningServer) -> None:
    anna, _, id_ = battle
    await anna.order(id_, "R1 ahead")
    events = (await server.running.battles.get(id_)).recording.timeline.events
    drawn = next(recorded.n for recorded in events if recorded.type.startswith("Activation"))
    page = await Visitor(server).get(f"/battles/{id_}/why/{drawn}")
    assert "TTS-ACT-01" in page.words
    assert "72 in 80" in page.words


# --- what others wrote


async def test_what_a_player_wrote_is_shown_as_text(server: RunningServer) -> None:
    guest = Visitor(server)
    page = await guest.send("/battles", scenario="tts/skirmish", readers="public", name=ANGRY, phrase=PHRASE)
    told = await guest.order(page.path.rpartition("/")[2], f"# {ANGRY}\n</textarea>{ANGRY}")
    others = [await Visitor(server).get(path) for path in ("/", page.path, f"{page.path}/why/5")]
    for shown in (page, told, *others):
        assert "<b onclick" not in shown.text
    assert ANGRY in others[1].words
    assert "&lt;/textarea&gt;" in told.text


async def test_no_page_runs_what_is_not_ours(battle: tuple[Visitor, Visitor, str]) -> None:
    anna, _, id_ = battle
    for path in ("/", f"/battles/{id_}", f"/battles/{id_}/why/3", "/notation/tts", "/nowhere"):
        page = await anna.get(path)
        policy = page.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy
        assert page.headers["X-Content-Type-Options"] == "nosniff"
        assert "no-cache" in page.headers["Cache-Control"]
        assert not re.search(
            r"<script(?![^>]* src=| type=.application/json. )|\sstyle=|\son\w+=|javascript:", page.text
        ), path
        assert page.text.count("<h1") == 1


async def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(server: RunningServer) -> None:
    sent = await Visitor(server).ask("POST", "/battles", OWN, {"scenario": "tts/skirmish", "phrase": PHRASE})
    cookie = sent.headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Lax" in cookie


@pytest.mark.parametrize("headers", [{"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}, {}])
async def test_a_form_of_another_site_does_nothing(
    battle: tuple[Visitor, Visitor, str], server: RunningServer, headers: dict[str, str]
) -> None:
    anna, _, id_ = battle
    for path in ("/battles", f"/battles/{id_}/orders", f"/battles/{id_}/contribution", f"/battles/{id_}/sides/north"):
        page = await anna.send(path, headers, orders="resign", do="send", key="k", side="south")
        assert page.status == 403, path
    assert not (await server.running.battles.get(id_)).recording.battle.ended


# --- the rest


async def test_a_problem_is_a_page_for_people_and_a_document_for_programs(server: RunningServer) -> None:
    guest = Visitor(server)
    for path in ("/nowhere", "/battles/nonesuch"):
        page = await guest.get(path)
        assert (page.status, page.headers["Content-Type"]) == (404, "text/html; charset=utf-8")
        document = await guest.get(path, "application/json")
        assert (document.status, document.headers["Content-Type"]) == (404, "application/problem+json")
    assert (await guest.get("/api/v1/battles/nonesuch")).headers["Content-Type"] == "application/problem+json"


async def test_files_of_the_pages_may_be_kept(server: RunningServer) -> None:
    for name, kind in (("page.css", "text/css"), ("page.js", "text/javascript"), ("icon.svg", "image/svg+xml")):
        page = await Visitor(server).get(static_link(name))
        assert page.status == 200
        assert page.headers["Content-Type"].startswith(kind)
        assert "immutable" in page.headers["Cache-Control"]
    assert (await Visitor(server).get("/static/paper.py")).status == 404


async def test_a_script_imports_the_others_as_they_are_now(server: RunningServer) -> None:
    script = (await Visitor(server).get(static_link("page.js"))).text
    imported = re.findall(r'^import .* from "(.*)";$', script, re.M)
    assert imported and set(imported) <= {static_link(name).replace("/static", ".") for name in SCRIPTS}


async def test_a_page_names_all_scripts_so_that_they_come_at_once(server: RunningServer) -> None:
    page = (await Visitor(server).get("/")).text
    named = set(re.findall(r'<link rel="modulepreload" href="([^"]+)">', page))
    fetched: set[str] = set()
    left = [static_link("page.js")]
    while left:
        script = (await Visitor(server).get(left.pop())).text
        new = {
            found.replace("./", "/static/") for found in re.findall(r'^import .* from "(.*)";$', script, re.M)
        } - fetched
        fetched |= new
        left += new
    assert named == fetched


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
def test_every_example_of_the_help_can_be_read_in_every_language(ruleset: Ruleset) -> None:
    helps = {lang: order_help(ruleset, lang) for lang in LANGUAGES}
    forms = {lang: [form for chapter in chapters for form in chapter.forms] for lang, chapters in helps.items()}
    assert forms["en"]
    for lang in LANGUAGES:
        for english, form in zip(forms["en"], forms[lang], strict=True):
            assert ruleset.orders.parse(form.example) == ruleset.orders.parse(english.example)
            assert lang == "en" or form.says != english.says


@pytest.mark.slow
async def test_a_fresh_server_shows_its_lobby_to_many_at_once(server: RunningServer) -> None:
    pages = await asyncio.gather(*(Visitor(server).get("/") for _ in range(8)))
    assert {page.status for page in pages} == {200}


TEXT = [("ink", "soft", "link", "good", "bad"), ("ground", "raised")]
GRAPHICS = [("edge", "focus", "south", "north"), ("ground", "raised")]


def test_colours_have_contrast_by_day_and_by_night() -> None:
    style = files("server.web.pages").joinpath("static", "page.css").read_text()
    schemes = [
        dict(re.findall(r"--([\w-]+): (#\w{6})", block)) for block in re.findall(r":root \{(.*?)\}", style, re.S)
    ]
    assert len(schemes) == 2
    for colours in schemes:
        for least, (inks, papers) in ((4.5, TEXT), (3.0, GRAPHICS)):
            pairs = [(ink, paper) for ink in inks for paper in papers]
            assert [pair for pair in pairs if contrast(*(colours[name] for name in pair)) < least] == []
        assert contrast(colours["on-main"], colours["main"]) >= 4.5
        assert contrast(colours["on-notice"], colours["notice"]) >= 4.5
        for word in ("on-frame", "frame-soft"):
            assert contrast(colours[word], colours["frame"]) >= 4.5
        assert contrast(colours["gold"], colours["frame"]) >= 3
