"""How a command answers: sentences, JSON, exit code.

Nothing heavy is imported here before it is needed: `phalera --help` must be there at once. What a
user can get wrong becomes one sentence on standard error, never a traceback.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import Any, NoReturn, ParamSpec, TypeVar

import typer

FAILED, UNUSABLE = 1, 2
"""Exit codes: it did not go well; it could not be tried (as with a wrong option)."""

P = ParamSpec("P")
T = TypeVar("T")


class Failed(Exception):
    """The command cannot do it; the text is a sentence for its user."""

    def __init__(self, sentence: str, code: int = FAILED) -> None:
        super().__init__(sentence)
        self.code = code


def in_sentences(command: Callable[P, T]) -> Callable[P, T]:
    """A command whose user's errors become one sentence."""

    @wraps(command)
    def run(*arguments: P.args, **options: P.kwargs) -> T:
        try:
            return command(*arguments, **options)
        except (typer.Exit, typer.Abort, BrokenPipeError, KeyboardInterrupt):
            raise
        except Exception as reason:
            known = _sentence(reason, str(options.get("lang", "en")))
            if known is None:
                raise
            fail(*known)

    return run


def fail(sentence: str, code: int = FAILED) -> NoReturn:
    """Say what is wrong and exit."""
    typer.echo(f"phalera: {sentence}", err=True)
    raise typer.Exit(code)


def tell(reason: Exception, lang: str) -> int:
    """Say an error that users can cause, where the others of many things go on; returns its exit code.

    Raises: the error itself, if it is none of these
    """
    known = _sentence(reason, lang)
    if known is None:
        raise reason
    typer.echo(f"phalera: {known[0]}", err=True)
    return known[1]


def _sentence(reason: Exception, lang: str) -> tuple[str, int] | None:
    """What to say of an error, if it is one that users can cause."""
    from domain.basics.errors import Refusal
    from replay.battle_file import NotThere, UnreadableFile
    from replay.proof.notes import BadNote

    if isinstance(reason, Failed):
        return str(reason), reason.code
    if isinstance(reason, UnreadableFile):
        return str(reason), UNUSABLE if isinstance(reason, NotThere) else FAILED
    if isinstance(reason, Refusal):
        from replay.telling.words import refusal

        return refusal(reason.code, reason.rule, reason.params, lang), FAILED
    if isinstance(reason, BadNote):
        from replay.proof.faults import fault_sentence

        return fault_sentence(reason.what, {}, lang), FAILED
    if isinstance(reason, OSError):
        name = f"{reason.filename}: " if reason.filename else ""
        return f"{name}{(reason.strerror or str(reason)).lower()}.", FAILED
    if "server.remote.errors" in sys.modules:
        from server.remote.errors import NotDone, WrongUse

        if isinstance(reason, NotDone):
            return str(reason), UNUSABLE if isinstance(reason, WrongUse) else FAILED
    if "server.settings" in sys.modules:
        from server.settings import BadSetting, Unusable

        if isinstance(reason, Unusable):
            return str(reason), UNUSABLE if isinstance(reason, BadSetting) else FAILED
    if "server.store" in sys.modules:
        from server.store import StoreError, WrongDatabase

        if isinstance(reason, (StoreError, WrongDatabase)):
            return f"{reason}.", FAILED
    if "sqlite3" in sys.modules:
        import sqlite3

        if isinstance(reason, sqlite3.Error):
            return f"The store cannot be used: {reason}. `phalera doctor` looks closer.", FAILED
    return None


def say(text: str = "") -> None:
    """A line, or a block of lines, on standard output."""
    typer.echo(text)


def is_on_terminal() -> bool:
    """Whether what is printed is read on a screen; a dumb terminal is like a pipe."""
    return os.environ.get("TERM") != "dumb" and sys.stdout.isatty()


def has_colours() -> bool:
    """Whether what is printed may have colours (https://no-color.org)."""
    return is_on_terminal() and not os.environ.get("NO_COLOR")


def say_long(text: str) -> None:
    """Print a text; what is longer than the screen goes through the pager (PAGER, else less)."""
    import pydoc
    import shutil

    if not is_on_terminal() or not sys.stdin.isatty() or text.count("\n") < shutil.get_terminal_size().lines:
        say(text)
        return
    os.environ.setdefault("LESS", "FRX")  # with colours, and what was read stays on the screen
    pydoc.pager(f"{text}\n")


def typed(prompt: str) -> str | None:
    """What somebody types at a prompt; None at the end of input."""
    try:
        return input(prompt)
    except (EOFError, KeyboardInterrupt):
        say()
        return None


def say_json(value: Any) -> None:
    """A value as JSON that people can read, too."""
    import msgspec

    typer.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def say_json_object(members: Iterable[tuple[str, bytes]]) -> None:
    """An object as JSON that people can read, its members (name, JSON) printed as they come."""
    import msgspec

    before = "{\n"
    for name, content in members:
        document = msgspec.json.format(b"{%b:%b}" % (msgspec.json.encode(name), content), indent=2).decode()
        typer.echo(before + document.removeprefix("{\n").removesuffix("\n}"), nl=False)
        before = ",\n"
    typer.echo("{}" if before == "{\n" else "\n}")


def watched(done: Iterable[T], count: int) -> Iterator[T]:
    """Long work as it is done, piece by piece, with a progress bar on a terminal."""
    if not sys.stderr.isatty():
        yield from done
        return
    with typer.progressbar(done, length=count, file=sys.stderr) as bar:
        yield from bar


def write_file(name: str, content: bytes, overwrite: bool = False) -> str:
    """Write a file, or standard output for `-`; gives the sentence that says so. A file that is there
    with other bytes is kept.

    Raises:  Failed; OSError
    """
    from pathlib import Path

    if name == "-":
        sys.stdout.buffer.write(content)
        sys.stdout.flush()
        return ""
    path = Path(name)
    if path.exists() and not overwrite:
        if path.is_file() and path.read_bytes() == content:
            return f"{name} is there already, with the same {len(content):,} bytes."
        raise Failed(f"{name} exists and has other content; --force writes over it.")
    path.write_bytes(content)
    return f"{name} written: {len(content):,} bytes."
