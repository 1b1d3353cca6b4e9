"""A book of seals gives each seal once, in order, and is kept from everybody but its owner."""

import stat
from pathlib import Path

import pytest
from typer.testing import CliRunner

from domain.log import fairness
from server.cli import seal as cli_seal
from server.cli.main import main
from server.remote.book import make_book, read_book, take_next, write_book
from server.remote.errors import NotDone, WrongUse
from tests.support.entropy import entropy_of_test

BATTLE = "k3f9a2bc"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "seals.book"
    write_book(path, make_book(BATTLE, "south", entropy_of_test(), 5), is_new=True)
    return path


def test_each_seal_hashes_to_the_one_before_it(path: Path) -> None:
    book = read_book(path)
    assert book.anchor == fairness.seal_chain(BATTLE, "south", bytes.fromhex(book.secret), 5)[0].hex()
    for number in range(1, 6):
        before = fairness.seal_before(BATTLE, "south", fairness.seal_from_text(book.seal(number)))
        assert book.number_of(before.hex()) == number - 1
    assert book.number_of("00" * 16) is None


def test_seals_are_given_once_each_until_the_book_is_used_up(path: Path) -> None:
    given = [take_next(path) for _ in range(5)]
    assert given == [(number, read_book(path).seal(number)) for number in range(1, 6)]
    with pytest.raises(NotDone, match="All 5 seals"):
        take_next(path)


def test_a_book_is_readable_by_its_owner_alone_and_never_written_over(path: Path) -> None:
    take_next(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    kept = path.read_bytes()
    with pytest.raises(NotDone, match="there already"):
        write_book(path, make_book(BATTLE, "north", entropy_of_test()), is_new=True)
    assert (path.read_bytes(), [each.name for each in path.parent.iterdir()]) == (kept, ["seals.book"])


def test_the_printed_book_has_every_seal_with_its_number(path: Path) -> None:
    book = read_book(path)
    words = book.printed().split()
    assert words[words.index("anchor") + 1] == book.anchor
    for number in range(1, 6):
        assert words[words.index(str(number)) + 1] == book.seal(number)


@pytest.mark.parametrize(
    "wrong",
    [
        b"",
        b"null",
        b"\xff",
        b'{"battle":"a","side":"south","secret":"00","count":5}',
        b'{"battle":"a","side":"south","secret":"zz","count":5}',
        b'{"battle":"a","side":"south","secret":"%b","count":0}' % (b"00" * 32),
        b'{"battle":"a","side":"south","secret":"%b","count":5,"used":6}' % (b"00" * 32),
        b'{"battle":"a","side":"south","secret":"%b","count":5,"more":6}' % (b"00" * 32),
        b'{"battle":"a","side":"south","secret":"%b","count":99999999999}' % (b"00" * 32),
    ],
)
def test_what_is_not_a_book_is_not_read_as_one(tmp_path: Path, wrong: bytes) -> None:
    path = tmp_path / "wrong.book"
    path.write_bytes(wrong)
    with pytest.raises(WrongUse, match="is not a book of seals"):
        read_book(path)


# --- the commands


def phalera(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> tuple[int, str, str]:
    monkeypatch.setattr(cli_seal, "entropy", entropy_of_test)
    result = CliRunner().invoke(main, ["seal", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stdout, result.stderr


def test_the_commands_make_a_book_and_give_its_seals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code, told, _ = phalera(monkeypatch, "new", BATTLE, "south", "--count", "3")
    book = read_book(tmp_path / f"{BATTLE}-south.book")
    assert (code, told.splitlines()[-1]) == (0, f"join {BATTLE} south sealed {book.anchor}")
    file = f"{BATTLE}-south.book"
    assert phalera(monkeypatch, "next", file)[:2] == (0, f"seal {book.seal(1)}\n")
    assert phalera(monkeypatch, "next", file, "--show", "3")[:2] == (0, f"seal {book.seal(3)}\n")
    assert phalera(monkeypatch, "next", file)[:2] == (0, f"seal {book.seal(2)}\n")
    assert phalera(monkeypatch, "book", file)[:2] == (0, book.printed() + "\n")
    code, printed, _ = phalera(monkeypatch, "new", BATTLE, "north", "--print")
    assert (code, printed) == (0, read_book(tmp_path / f"{BATTLE}-north.book").printed() + "\n")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("new", BATTLE, "umpire"), 2, "“umpire” cannot be a side"),
        (("new", "no battle", "south"), 2, "cannot be the id of a battle"),
        (("new", BATTLE, "south", "--count", "0"), 2, "1 to 65535 seals, not 0"),
        (("new", BATTLE, "south", "--out", "seals.book"), 1, "is there already"),
        (("new", BATTLE, "south", "--out", "nowhere/a.book"), 1, "no such file"),
        (("next", "seals.book", "--show", "6"), 2, "there is no seal 6"),
        (("next", "seals.book", "--show", "0"), 2, "there is no seal 0"),
        (("next", "missing.book"), 1, "no such file"),
        (("book", "."), 1, "is a directory"),
    ],
)
def test_wrong_use_is_said_in_a_sentence(
    path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], code: int, said: str
) -> None:
    monkeypatch.chdir(path.parent)
    exit_code, _, err = phalera(monkeypatch, *arguments)
    assert (exit_code, err.count("\n")) == (code, 1)
    assert said in err
