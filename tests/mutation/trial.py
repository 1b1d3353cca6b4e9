"""Find the cases that fail when a fault is planted.

The rules are loaded once. Each mutant lives in a process forked for it: a fault inside a function exchanges the code of
that function, one in a table or class loads the rules anew with the changed module. First one run without a fault tells
which case runs through which function, so that only cases that can notice are played.
"""

import gc
import importlib
import importlib.abc
import importlib.util
import os
import pickle
import signal
import sys
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any, NamedTuple

from tests.mutation.mutants import Mutant, mutants
from tests.support.cases import case_files
from tests.support.refusal_rules import wrong_rules

ROOT = Path(__file__).parents[2]
LIMIT_S, CASE_LIMIT_S = 20, 4
"""After so many seconds of computing, in a test or in a case, a mutant counts as noticed: it runs round and round. What
else the machine does is not counted, so that a busy one notices no more."""
OURS = ("domain", "replay", "projections", "server")


class Outcome(NamedTuple):
    """The case or test that failed first, "" if none did; what was played until then."""

    noticed_by: str
    played: int


class Bench:
    """The cases, and what each of them runs through."""

    def __init__(self, paths: Sequence[Path] | None = None) -> None:
        self.cases = {path.stem: tomllib.loads(path.read_text()) for path in (case_files() if paths is None else paths)}
        self.covering: dict[CodeKey, list[str]] = {}
        self._sound: dict[str, bool] = {}
        from replay.lab.lab import run_case  # loaded here, so that forks share it

        self.faulty = [name for name, case in self.cases.items() if not self._covered(run_case, name, case)]
        gc.freeze()

    def _covered(self, run_case: Callable[..., Any], name: str, case: dict[str, Any]) -> bool:
        """Play a case and note every function of the domain that it calls; False if it fails by itself."""
        called: set[CodeKey] = set()

        def note(frame: FrameType, event: str, argument: object) -> None:
            if event == "call" and f"{os.sep}domain{os.sep}" in frame.f_code.co_filename:
                called.add((Path(frame.f_code.co_filename).stem, frame.f_code.co_qualname))

        sys.setprofile(note)
        try:
            result = run_case(case)
        finally:
            sys.setprofile(None)
        for key in called:
            self.covering.setdefault(key, []).append(name)
        return bool(result.ok)

    def candidates(self, mutant: Mutant, first: Sequence[str] = ()) -> list[str]:
        """The cases that can notice a mutant, those named first before the others."""
        if mutant.in_function:
            stem = mutant.module.rpartition(".")[2]
            names = [
                name
                for key, cases in self.covering.items()
                if key[0] == stem and (key[1] == mutant.owner or key[1].startswith(f"{mutant.owner}."))
                for name in cases
            ]
        else:
            names = list(self.cases)
        wanted = [*(name for name in first if name in names), *names]
        return [name for name in dict.fromkeys(wanted) if name not in self.faulty]

    def try_out(self, mutant: Mutant, names: Sequence[str], tests: Sequence[str] = ()) -> Outcome:
        """Plant a mutant in a fork, play cases until one fails, then tests (`file::name`)."""
        return forked(lambda: self._play(mutant, names, tests))

    def sound(self, test: str) -> bool:
        """Whether a test passes where no fault is planted; only then does its failing mean anything."""
        if test not in self._sound:
            self._sound[test] = forked(lambda: Outcome("" if _passes(test) else test, 1)).noticed_by == ""
        return self._sound[test]

    def _play(self, mutant: Mutant, names: Sequence[str], tests: Sequence[str]) -> Outcome:
        try:
            plant(mutant)
            run_case = importlib.import_module("replay.lab.lab").run_case
        except Exception as error:
            return Outcome(f"loading: {type(error).__name__}", 0)
        for at, name in enumerate(names, start=1):
            signal.setitimer(signal.ITIMER_PROF, CASE_LIMIT_S)
            try:
                result = run_case(self.cases[name])
                if not result.ok or any(wrong_rules(result.rejections)):
                    return Outcome(name, at)
            except Exception as error:
                return Outcome(f"{name}: {type(error).__name__}", at)
        for test in tests:
            signal.setitimer(signal.ITIMER_PROF, LIMIT_S)
            if not _passes(test):
                return Outcome(test, len(names) + 1)
        return Outcome("", len(names))


CodeKey = tuple[str, str]
"""Module and qualified name of a function."""


def _passes(test: str) -> bool:
    import pytest

    options = ["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", f"--rootdir={ROOT}"]
    return pytest.main([*options, str(ROOT / test)]) == pytest.ExitCode.OK


def forked(work: Callable[[], Outcome]) -> Outcome:
    """Do some work in a process of its own; a crash or a timeout is an outcome too."""

    def limited() -> tuple[object, ...]:
        signal.setitimer(signal.ITIMER_PROF, LIMIT_S)
        return tuple(work())

    answer = in_fork(limited)
    return Outcome(*answer) if answer else Outcome("a crash, or no end", 0)


def in_fork(work: Callable[[], Any]) -> Any:
    """What some work comes to in a silent process of its own; None if it crashed or was stopped."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        try:
            answer = pickle.dumps(work())
            with os.fdopen(writing, "wb") as pipe:
                pipe.write(answer)
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        content = pipe.read()
    os.waitpid(child, 0)
    return pickle.loads(content) if content else None


# --- planting


def plant(mutant: Mutant) -> None:
    """Change the rules of this process."""
    code = compile(mutant.tree(), str(source_of(mutant.module)), "exec")
    if mutant.in_function:
        _exchange(importlib.import_module(mutant.module), mutant.owner, code)
    else:
        _load_anew(mutant.module, code)


def _exchange(module: ModuleType, name: str, code: CodeType) -> None:
    """Give a function the code it has in a changed module; forget everything remembered of the old one."""
    target: Any = module
    for part in name.split("."):
        target = target.__dict__[part]
    function = getattr(target, "fget", None) or getattr(target, "__wrapped__", target)
    function.__code__ = _code_of(code, name)
    for loaded in [m for key, m in sys.modules.items() if key.partition(".")[0] in OURS]:
        for value in vars(loaded).values():
            if hasattr(value, "cache_clear"):
                value.cache_clear()


def _code_of(code: CodeType, name: str) -> CodeType:
    for part in name.split("."):
        code = next(c for c in code.co_consts if isinstance(c, CodeType) and c.co_name == part)
    return code


class _Loader(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives a changed module when it is imported."""

    def __init__(self, module: str, code: CodeType) -> None:
        self.module, self.code = module, code

    def find_spec(self, name: str, path: object, target: object = None) -> Any:
        if name != self.module:
            return None
        source = source_of(name)
        spec = importlib.util.spec_from_loader(name, self, origin=str(source), is_package=source.stem == "__init__")
        if spec and spec.submodule_search_locations is not None:
            spec.submodule_search_locations.append(str(source.parent))
        return spec

    def exec_module(self, module: ModuleType) -> None:
        exec(self.code, module.__dict__)


def _load_anew(module: str, code: CodeType) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] in OURS]:
        del sys.modules[name]
    sys.meta_path.insert(0, _Loader(module, code))
    importlib.import_module(module)


def source_of(module: str) -> Path:
    """The file of a module of the domain."""
    path = ROOT / module.replace(".", "/")
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def mutants_of(module: str) -> list[Mutant]:
    """All mutants of a module of the domain."""
    return list(mutants(module, source_of(module).read_text()))
