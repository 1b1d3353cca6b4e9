"""Three accounts play a toy of three seats on a server, over HTTP, to a file that is verified."""

import pytest

from domain.basics import data
from domain.catalogue import RULESETS
from replay.proof.verify import verify
from replay.writing.entropy import SeededEntropy
from server.remote.telling import situation
from server.shown import scenarios
from server.web.pages import new_battle
from server.web.pages.disputes import docket_shown
from tests.server.remote.remote_player import remote_player
from tests.support.serving import BATTLES, PHRASE, serving
from tests.support.three_seats import GAMES, HIDING, THROWING
from tests.toys.lots import SEATS

pytestmark = pytest.mark.filterwarnings("ignore::replay.telling.words.MissingSentence")

HTML = {"Accept": "text/html"}
NAMES = dict(zip(SEATS.names, ("Anna", "Bob", "Cleo"), strict=True))


async def begun(server):
    """A battle of three that has begun: its id, and who plays by seat."""
    server.running.battles.rulesets = GAMES
    players = {seat: await server.player(name) for seat, name in NAMES.items()}
    battle = await players["red"].open("", scenario_toml='ruleset = "lots"')
    for seat, player in players.items():
        assert not (await player.view(battle))["begun"]
        assert (await player.sit(battle, seat, phrase=PHRASE)).status == 201
    return battle, players


async def play(players, battle, lines):
    for line in lines:
        seat, _, text = line.partition(": ")
        played = await players[seat].order(battle, text)
        assert played.status == 200, played.text
        assert played.json["lines"][0]["status"] == "accepted", played.text


async def test_three_join_play_and_finish_and_the_file_holds(tmp_path):
    async with serving(tmp_path / "data", SeededEntropy("lots")) as server:
        battle, players = await begun(server)
        view = await players["green"].view(battle)
        assert view["begun"] and list(view["seats"]) == list(SEATS.names)
        await play(players, battle, HIDING)
        hidden = verify(await players["blue"].export(battle), rulesets=GAMES)
        assert (hidden.fault, hidden.ended, len(hidden.unopened)) == (None, False, 6)
        await play(players, battle, THROWING)
        view = await players["green"].view(battle)
        assert view["winner"] in SEATS
        report = verify(await server.stranger.export(battle), rulesets=GAMES)
        assert (report.exit, report.fault, report.draws, report.checked) == (0, None, 3, 3)
        for player in (*players.values(), server.stranger):
            page = await player.get(f"/battles/{battle}", HTML)
            assert page.status == 200 and "Cleo" in page.text, page.text


async def test_the_page_of_the_battle_and_the_lists_show_all_three(tmp_path):
    async with serving(tmp_path / "data", SeededEntropy("lots")) as server:
        battle, players = await begun(server)
        await play(players, battle, HIDING[:1])
        for player in (*players.values(), server.stranger):
            page = await player.get(f"/battles/{battle}", HTML)
            assert page.status == 200, page.text
            for seat, name in NAMES.items():
                assert f'data-unit="{seat}"' in page.text and name in page.text
        for path in ("/", f"/battles/{battle}/disputes", f"/battles/{battle}/words"):
            shown = await players["green"].get(path, HTML)
            assert shown.status == 200, (path, shown.text)


async def test_a_seat_that_the_game_has_not_cannot_be_taken(tmp_path):
    async with serving(tmp_path / "data", SeededEntropy("lots")) as server:
        server.running.battles.rulesets = GAMES
        anna = await server.player("Anna")
        battle = await anna.open("", scenario_toml='ruleset = "lots"')
        refused = await anna.sit(battle, "south", phrase=PHRASE)
        assert (refused.status, refused.json["code"]) == (404, "core.no-such-side")


async def test_three_players_settle_a_dispute_and_each_has_the_buttons_for_it(tmp_path):
    async with serving(tmp_path / "data", SeededEntropy("lots")) as server:
        battle, players = await begun(server)
        await play(players, battle, [HIDING[0], "green: dispute 1 rules so it was not", "green: offer d1 award blue"])
        live = await server.running.battles.get(battle)
        docket = live.recording.battle.disputes.dockets[0]
        wanted = {
            "red": ["agree d1", "decline d1"],
            "green": ["withdraw d1", "halt d1"],
            "blue": ["agree d1", "decline d1"],
        }
        for seat, lines in wanted.items():
            page = await players[seat].get(f"/battles/{battle}/disputes", HTML)
            assert page.status == 200 and f"/battles/{battle}/disputes/d1" in page.text, page.text
            assert [line for line, _ in docket_shown(live, docket, seat, "en").buttons] == lines
        await play(players, battle, ["red: agree d1"])
        assert (await players["blue"].view(battle))["winner"] is None
        await play(players, battle, ["blue: agree d1"])
        view = await players["blue"].view(battle)
        assert (view["winner"], view["how"]) == ("blue", "agreement")
        assert verify(await players["red"].export(battle), rulesets=GAMES).fault is None


async def test_words_of_one_player_reach_both_others(tmp_path):
    async with serving(tmp_path / "data", SeededEntropy("lots")) as server:
        battle, players = await begun(server)
        said = await players["green"].post(f"/api/v1/battles/{battle}/words", {"text": "Good luck to you both."})
        assert said.status in (200, 201), said.text
        assert said.json["to"] == "Anna, Cleo"
        for seat in ("red", "blue"):
            page = await players[seat].get(f"/battles/{battle}/words", HTML)
            assert "Good luck to you both." in page.text


async def test_clocks_of_three_run_and_pause_when_both_others_agree(tmp_path):
    async with serving(tmp_path / "data", SeededEntropy("lots")) as server:
        server.running.battles.rulesets = GAMES
        players = {seat: await server.player(name) for seat, name in NAMES.items()}
        battle = await players["red"].open("", scenario_toml='ruleset = "lots"', pace="1d+1d")
        for seat, player in players.items():
            assert (await player.sit(battle, seat, phrase=PHRASE)).status == 201
        assert set((await players["red"].view(battle))["clocks"]) == set(SEATS.names)
        for seat, paused in (("red", False), ("green", False), ("blue", True)):
            done = await players[seat].post(f"/api/v1/battles/{battle}/clock", {"do": "pause"})
            assert done.status == 200, done.text
            clocks = (await players[seat].view(battle))["clocks"]
            assert {clock["paused"] for clock in clocks.values()} == {paused}
            page = await players["green"].get(f"/battles/{battle}", HTML)
            assert page.status == 200, page.text


async def test_an_umpire_and_a_substitute_are_named_over_http_for_any_seat(tmp_path):
    async with serving(tmp_path / "data", SeededEntropy("lots")) as server:
        server.running.battles.rulesets = GAMES
        players = {seat: await server.player(name) for seat, name in NAMES.items()}
        judge, dora = await server.player("Judge"), await server.player("Dora")
        terms = {"pace": "1d+1d", "umpire": "Judge"}
        battle = await players["red"].open("", scenario_toml='ruleset = "lots"', **terms)
        for seat, player in players.items():
            assert (await player.sit(battle, seat, phrase=PHRASE)).status == 201
        disputes = f"{BATTLES}/{battle}/disputes"
        flag = {"flag": "blue", "effect": "more", "seen": await judge.head(battle)}
        refused = await judge.post(f"{disputes}/flags", flag)
        assert (refused.status, refused.json["code"]) == (422, "core.docket-no-flag"), refused.text
        dora_for_blue = {"seat": "blue", "player": "Dora"}
        for seat in ("red", "green", "blue"):
            named = await players[seat].post(
                f"{disputes}/substitutes", {**dora_for_blue, "seen": await judge.head(battle)}
            )
            assert named.status == 200, named.text
        assert (await dora.sit(battle, "blue", phrase=PHRASE)).status == 201
        assert (await players["red"].view(battle))["seats"]["blue"]["name"] == "Dora"
        for wrong in ("south", "Blue", "blue lost\nresign"):
            refused = await judge.post(f"{disputes}/flags", {**flag, "flag": wrong})
            assert refused.status in (400, 422), refused.text


async def test_a_seat_of_three_is_played_from_a_terminal(tmp_path):
    async with serving(tmp_path / "data", SeededEntropy("lots")) as server:
        server.running.battles.rulesets = GAMES
        anna, bob = await server.player("Anna"), await server.player("Bob")
        cleo = await remote_player(server, "Cleo", tmp_path)
        battle = await anna.open("", scenario_toml='ruleset = "lots"')
        for seat, player in (("red", anna), ("green", bob)):
            assert (await player.sit(battle, seat, phrase=PHRASE)).status == 201
        now = await cleo.take(battle, "blue")
        shown = "\n".join(situation(now, cleo.place(battle).kept()))
        assert "red    Anna" in shown and "green  Bob" in shown and "blue   Cleo (sealed, you)" in shown
        await play({"red": anna, "green": bob}, battle, HIDING[:2])
        assert (await cleo.order(battle, "hide 1")).lines
        assert (await cleo.look(battle)).to_act == ("red",)


@pytest.mark.parametrize("same", [False, True])
async def test_a_rematch_of_three_asks_both_others_and_each_moves_on_by_a_seat(tmp_path, same):
    async with serving(tmp_path / "data", SeededEntropy("lots")) as server:
        battle, players = await begun(server)
        path, body = f"{BATTLES}/{battle}/rematch", {"same_sides": same}
        early = await players["red"].post(path, body)
        assert (early.status, early.json["code"]) == (409, "core.not-ended"), early.text
        await play(players, battle, HIDING + THROWING)
        moved = dict(zip(SEATS.names, SEATS.names if same else ("green", "blue", "red"), strict=True))
        asked = await players["red"].post(path, body)
        assert asked.json["what"] == "asked" and asked.json["side"] == moved["red"], asked.text
        new = asked.json["battle"]
        waiting = await players["red"].post(path, body)
        assert (waiting.json["what"], waiting.json["battle"]) == ("waiting", new), waiting.text
        for seat in ("blue", "green"):
            accepted = await players[seat].post(path, body)
            assert (accepted.json["what"], accepted.json["battle"]) == ("accepted", new), accepted.text
            assert accepted.json["side"] == moved[seat]
        view = await players["red"].view(new)
        assert view["begun"] and {side: seat["name"] for side, seat in view["seats"].items()} == {
            moved[seat]: name for seat, name in NAMES.items()
        }
        begun_now = await players["green"].post(path, body)
        assert (begun_now.json["what"], begun_now.json["battle"]) == ("begun", new)


async def test_the_form_of_a_new_battle_offers_the_seats_of_each_game(tmp_path, monkeypatch):
    folder = tmp_path / "lots"
    (folder / "scenarios").mkdir(parents=True)
    (folder / "game.toml").write_text('first = "three"\n')
    (folder / "scenarios" / "three.toml").write_text('ruleset = "lots"\ntitle = "Three lots"\n')
    folders = {**data._folders(), "lots": folder}
    monkeypatch.setattr(data, "_folders", lambda: folders)
    for module in (new_battle, scenarios):
        monkeypatch.setattr(module, "RULESETS", {**RULESETS, **GAMES})
    async with serving(tmp_path / "data", SeededEntropy("lots")) as server:
        server.running.battles.rulesets = {**RULESETS, **GAMES}
        anna = await server.player("Anna")
        shown = (await anna.get("/new", HTML)).text
        assert 'value="lots/three"' in shown
        games = " ".join(code for code in RULESETS)
        for side in ("south", "north"):
            assert f'<option value="{side}" data-games="{games}">' in shown
        for side in SEATS.names:
            assert f'<option value="{side}" data-games="lots">{side}</option>' in shown
