"""The library: battles in memory, files, boards, games; loaded only as far as they are asked for."""

import subprocess
import sys
from pathlib import Path

import pytest

import phalera
from domain.catalogue import RULESETS
from domain.log.record import PBEM_2_1
from replay.telling.why import to_text
from tests.support.looping import some

ROOT = Path(__file__).parents[2]
BOTS = {"south": "sensible", "north": "sensible"}


@pytest.fixture(scope="module")
def fought() -> phalera.Battle:
    """A battle that bots have fought to its end."""
    battle = phalera.Battle("tts", "skirmish", seed=5, bots=BOTS)
    battle.play_out()
    return battle


def loaded(code: str, *modules: str) -> list[str]:
    """The modules, of those named, that a process has loaded after some code."""
    asked = f"import sys\n{code}\nprint(*(name for name in {modules} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", asked], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_an_import_loads_nothing_else() -> None:
    assert loaded("import phalera", "domain", "replay", "server", "msgspec", "projections") == []


@pytest.mark.slow
def test_no_part_of_the_library_loads_a_server() -> None:
    code = "import phalera\nfor name in phalera.__all__: getattr(phalera, name)\n"
    code += "phalera.Battle('tts', 'skirmish', bots={'south': 'easy', 'north': 'easy'}).play_out()"
    assert loaded(code, "aiohttp", "eventsourcing", "server") == []
    assert loaded(code, "phalera.memory") == ["phalera.memory"]


def test_each_public_name_is_there_and_listed() -> None:
    for name in some(phalera.__all__):
        assert getattr(phalera, name) is not None
        assert name in dir(phalera)
    with pytest.raises(AttributeError, match="nothing_such"):
        getattr(phalera, "nothing_such")  # noqa: B009  # tools see that it is not there


def test_a_battle_of_bots_saves_a_file_that_verifies(fought: phalera.Battle, tmp_path: Path) -> None:
    path = tmp_path / "fought.battle"
    fought.save(path)
    report = phalera.verify(path)
    assert (report.exit, report.fault, report.ended) == (0, None, True)
    assert report.bots is None
    bots = phalera.verify(path, bots=True).bots
    why = "" if report.version >= PBEM_2_1 else "header"  # a file that is older than that is left out
    assert bots is not None and {(one.side, one.left_out) for one in bots} == {("south", why), ("north", why)}
    assert phalera.open_file(path).timeline.now.game.winner == fought.winner
    assert fought.to_act == ()


def test_a_file_that_was_changed_has_a_fault(fought: phalera.Battle) -> None:
    content = fought.file()
    changed = content.replace(b'"by":"south"', b'"by":"north"', 1)
    assert changed != content
    assert phalera.verify(changed).fault is not None
    with pytest.raises(phalera.UnreadableFile):
        phalera.open_file(changed)


def test_the_same_seed_makes_the_same_bytes(fought: phalera.Battle) -> None:
    again = phalera.Battle("tts", "skirmish", seed=5, bots=BOTS)
    again.play_out()
    other = phalera.Battle("tts", "skirmish", seed=6, bots=BOTS)
    assert again.file() == fought.file()
    assert other.file() != fought.file()


@pytest.mark.parametrize("game", RULESETS)
def test_a_person_plays_any_game_by_its_options(game: str) -> None:
    battle = phalera.Battle(game, seed=3, bots={"north": "random"}, names={"south": "Anna"})
    for _ in range(12):
        battle.play_out()
        if battle.ended:
            break
        (side,) = battle.to_act
        assert battle.order(side, battle.options(side)[0].order)
    assert phalera.verify(battle.file()).fault is None


def test_a_refused_order_changes_nothing_and_is_a_sentence() -> None:
    battle = phalera.Battle("tts", "skirmish")
    before = battle.file()
    with pytest.raises(phalera.Refusal) as caught:
        battle.order(battle.to_act[0], "march to the sea")
    assert battle.file() == before
    assert phalera.sentence(caught.value) != phalera.sentence(caught.value, lang="fr")


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        ("core.unknown-ruleset", {"game": "chess"}),
        ("core.unknown-scenario", {"game": "tts", "scenario": "nowhere"}),
        ("core.unknown-bot", {"game": "tts", "bots": {"south": "genius"}}),
        ("core.no-such-side", {"game": "tts", "bots": {"east": "easy"}}),
        ("core.no-such-side", {"game": "tts", "names": {"east": "Anna"}}),
    ],
)
def test_a_battle_that_cannot_be_is_refused(code: str, arguments: dict[str, object]) -> None:
    with pytest.raises(phalera.Refusal) as caught:
        phalera.Battle(**arguments)  # type: ignore[arg-type]
    assert caught.value.code == code
    assert phalera.sentence(caught.value, lang="fr")


def test_a_side_that_is_none_is_refused_everywhere() -> None:
    battle = phalera.Battle("tts", "skirmish")
    for act in some([battle.options, battle.known, lambda side: battle.order(side, "end turn")]):
        with pytest.raises(phalera.Refusal) as caught:
            act("east")
        assert caught.value.code == "core.no-such-side"


def test_options_are_of_who_must_act() -> None:
    battle = phalera.Battle("tts", "skirmish", seed=5)
    (side,) = battle.to_act
    (other,) = {"south", "north"} - {side}
    assert battle.options(side)
    assert not battle.options(other)
    assert battle.decide() == ()


def test_a_board_is_text_and_picture(fought: phalera.Battle) -> None:
    battle = phalera.open_file(fought.file())
    shown = phalera.board(fought)
    assert shown._repr_svg_().startswith("<svg")
    assert shown.scene == phalera.board(battle).scene
    assert str(shown) == str(phalera.board(battle, battle.last))
    assert str(phalera.board(battle, 8)) != str(shown)
    assert str(phalera.board(battle, lang="fr")) != str(shown)


@pytest.mark.slow
def test_a_side_sees_its_own_secrets_on_the_board_and_nobody_else_does() -> None:
    battle = phalera.Battle("singidunum", "muster", seed=1, bots={"south": "random", "north": "random"})
    seen: set[tuple[bool, bool]] = set()
    for _ in range(60):
        battle.decide()
        stranger, south, north = (str(phalera.board(battle, side=side)) for side in ("", "south", "north"))
        assert stranger == str(phalera.board(phalera.open_file(battle.file())))
        seen.add((south != stranger, north != stranger))
    assert {(True, False), (False, True)} & seen and (True, True) in seen


def test_a_board_that_cannot_be_shown_is_an_error() -> None:
    battle = phalera.Battle("tts", "skirmish", seed=5)
    with pytest.raises(ValueError, match="stranger"):
        phalera.board(phalera.open_file(battle.file()), side="south")
    with pytest.raises(ValueError, match="open its file"):
        phalera.board(battle, 3)


def test_an_event_is_explained_as_by_the_command(fought: phalera.Battle) -> None:
    battle = phalera.open_file(fought.file())
    drawn = next(event.n for event in battle.events if event.type == "CardDrawn")
    found = phalera.explain(battle, drawn)
    assert (found.n, found.type) == (drawn, "CardDrawn")
    assert found.rule.id in to_text(found)
    with pytest.raises(phalera.UnreadableFile):
        phalera.explain(battle, battle.last + 1)


def test_the_games_are_those_installed() -> None:
    found = phalera.games()
    assert list(found) == list(RULESETS)
    assert "skirmish" in found["tts"].scenarios
    assert found["tts"].bots[-1] == "random"
