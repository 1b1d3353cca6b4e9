"""msgspec learns types of ours under one lock: while it does, other threads wait."""

import ast
from pathlib import Path
from threading import Barrier, Thread

import msgspec
import pytest
from msgspec import Struct, inspect

from domain.basics import decoding
from tests.architecture.test_modules import PACKAGES, modules
from tests.support.looping import some

READERS = {"convert", "Decoder", "schema", "schema_components", "type_info", "multi_type_info"}


class Ours(Struct):
    """Stands for a type of the program."""

    number: int


class Another(Struct):
    """A type that holds the other."""

    within: tuple[Ours, ...]


class Asked(Struct):
    """A type whose parts somebody asks for."""

    number: int


Ours.__module__ = Asked.__module__ = Another.__module__ = "domain.sample"


def learns(node: ast.AST) -> bool:
    """Whether a part of a module may make msgspec learn a type: `convert`, a `Decoder`, `decode` with a type, and what
    asks for the parts of one."""
    if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] == "msgspec":
        return any(alias.name in READERS or alias.name == "decode" for alias in node.names)
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    spelled = ast.unparse(node.func)
    if not spelled.startswith(("msgspec.", "inspect.")):
        return False
    return node.func.attr in READERS or (node.func.attr == "decode" and bool(node.keywords or node.args[1:]))


@pytest.mark.slow
def test_only_one_module_lets_msgspec_learn_types() -> None:
    ours = {name: path for name, path in modules().items() if name.partition(".")[0] in set(PACKAGES) - {"benchmarks"}}
    learning = {
        name
        for name, path in some(ours.items())
        for node in ast.walk(ast.parse(Path(path).read_text(encoding="utf-8")))
        if learns(node)
    }
    assert learning == {"domain.basics.decoding"}


def test_a_type_that_is_learnt_without_the_lock_fails_the_test_that_does_it() -> None:
    with pytest.raises(AssertionError, match=r"domain\.sample\.Ours is learnt without the lock"):
        msgspec.json.decode(b'{"number":1}', type=Ours)


def test_who_asks_for_the_parts_of_a_type_needs_the_lock_as_well() -> None:
    with pytest.raises(AssertionError, match=r"domain\.sample\.Asked is learnt without the lock"):
        inspect.type_info(Asked)
    assert isinstance(decoding.described(Asked), inspect.StructType)


def test_with_the_lock_it_is_read() -> None:
    assert decoding.decode(b'{"within":[{"number":1}]}', Another).within[0].number == 1
    assert decoding.convert({"number": 2}, Ours).number == 2
    assert decoding.decoder(tuple[Ours, ...]).decode(b'[{"number":3}]')[0].number == 3
    assert decoding.packed_decoder(Ours).decode(msgspec.msgpack.encode(Ours(4))).number == 4


def test_a_thread_waits_while_another_learns() -> None:
    class Late(Struct):
        number: int

    begun, read = Barrier(2), []

    def reading() -> None:
        begun.wait()
        read.append(decoding.decode(b'{"number":1}', Late))

    thread = Thread(target=reading)
    with decoding._LOCK:
        thread.start()
        begun.wait()
        assert Late not in decoding._LEARNT
        assert read == []
    thread.join()
    assert read == [Late(1)]
