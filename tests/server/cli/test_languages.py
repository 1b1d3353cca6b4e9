"""Commands, routes and pages speak the reader's language."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from server.cli.main import main
from tests.support.cases import case_path
from tests.support.french import english_in, speaks_french
from tests.support.serving import BATTLES, RunningServer
from tests.support.tiny import ended_file

NAMES = ("Anna", "Bob", "Two units", "South", "North")


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "tiny.battle"
    path.write_bytes(ended_file())
    return str(path)


def phalera(*arguments: str, lang: str | None = None):
    done = CliRunner(env={"PHALERA_LANG": lang, "COLUMNS": "120"}).invoke(main, list(arguments))
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


# --- commands


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments", [("replay", "--plain"), ("why", "9"), ("verify",), ("board",), ("board", "--to", "svg")], ids=" ".join
)
def test_a_reading_command_speaks_french(file, arguments):
    command, *rest = arguments
    told = phalera(command, file, *rest, "--lang", "fr").stdout
    words = re.sub(r"<[^>]*>", " ", told)  # of a picture
    assert english_in(words, NAMES) == []
    assert told == phalera(command, file, *rest, lang="fr_FR.UTF-8").stdout
    assert told != phalera(command, file, *rest).stdout


def test_a_case_is_told_in_french():
    case = str(case_path(12))
    told = phalera("lab", case, "--lang", "fr")
    refused = [line for line in told.stdout.splitlines() if "est refusé" in line]
    assert refused
    assert speaks_french(" ".join(line.partition("est refusé")[2] for line in refused))


def test_what_is_wrong_is_said_in_the_language_too(file):
    assert "Il n’y a pas d’événement 999" in phalera("why", file, "999", "--lang", "fr").stderr
    Path(file).write_bytes(Path(file).read_bytes().replace(b'"turn":1', b'"turn":2', 1))
    assert "L’empreinte ne découle pas" in phalera("verify", file, "--lang", "fr").stdout
    assert "L’empreinte ne découle pas" in phalera("replay", file, "--lang", "fr").stderr


def test_a_language_without_a_catalogue_is_refused(file):
    done = phalera("why", file, "3", "--lang", "tlh")
    assert done.exit_code == 2
    assert "en, fr" in done.stderr


# --- routes


@pytest.mark.parametrize(
    ("query", "accepted", "told"),
    [
        ("", "", "en"),
        ("", "fr-CH, en;q=0.8", "fr"),
        ("", "de, en, fr", "en"),
        ("?lang=fr", "en", "fr"),
        ("?lang=tlh", "fr", "fr"),
    ],
)
async def test_a_board_speaks_the_language_of_its_reader(
    server: RunningServer, query: str, accepted: str, told: str
) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    board = await anna.get(f"{BATTLES}/{battle}/board{query}", {"Accept": "text/plain", "Accept-Language": accepted})
    assert ("orientation" in board.text, "facing" in board.text) == (told == "fr", told == "en")
    assert board.headers["Content-Language"] == told


async def test_the_view_and_a_refusal_speak_the_language_of_their_reader(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    french, english = [
        (await anna.get(f"{BATTLES}/{battle}", {"Accept-Language": lang})).json["board"] for lang in ("fr", "en")
    ]
    assert french["tokens"][0]["title"] != english["tokens"][0]["title"]
    assert "de jouer" in french["captions"][0][1] and "to move" in english["captions"][0][1]
    assert "told" not in french
    refused = await anna.post(
        f"{BATTLES}/{battle}/orders?lang=fr", {"orders": "R1 flies", "seen": await anna.head(battle)}
    )
    assert "ne peut pas être lu" in refused.json["lines"][0]["sentence"]
    assert refused.json["detail"].startswith("Rien n’a été joué")


# --- pages


async def test_log_question_and_why_of_a_page_are_in_the_readers_language(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    await anna.order(battle, "R1 ahead")
    n = (await anna.view(battle))["n"]
    page = (await anna.get(f"/battles/{battle}", {"Accept": "text/html", "Accept-Language": "fr"})).text
    assert '<html lang="fr">' in page and '<div id="story" data-keyed>' in page
    assert "R1 avance" in page and "pioche un" in page
    why = (await anna.get(f"/battles/{battle}/why/{n}?lang=fr", {"Accept": "text/html"})).text
    assert '<ul class="why-lines">' in why
    assert "Règle " in why
    assert "Rule " in (await anna.get(f"/battles/{battle}/why/{n}", {"Accept": "text/html"})).text


async def test_the_button_that_ends_the_turn_is_labelled_in_french_and_sends_the_order(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    page = (await anna.get(f"/battles/{battle}", {"Accept": "text/html", "Accept-Language": "fr"})).text
    assert '<button form="order-form" name="end" value="end turn" class="primary">Fin du tour</button>' in page


@pytest.mark.slow
def test_the_board_names_its_battle_in_the_readers_language():
    golden = str(Path(__file__).parents[2] / "golden" / "medals.battle")
    for form in ("txt", "svg"):
        told = phalera("board", golden, "--to", form, "--lang", "fr").stdout
        assert "Escarmouche aux deux bois" in told
        assert "Skirmish" not in told
