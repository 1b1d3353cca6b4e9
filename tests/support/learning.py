"""Find the types that msgspec learns elsewhere than under the lock of `domain.basics.decoding`.

msgspec calls Python functions of its own for that, from C. They get another code here, which looks first whether the
lock is held: so each test that reads something is a test of this, too.
"""

import sys
from pathlib import Path
from typing import Any

from msgspec import _utils

from domain.basics import decoding

OURS = {"domain", "projections", "replay", "server"}
HOME = Path(_utils.__file__).parent
MAKES_A_DECODER = "run"  # of `msgspec.inspect`
WATCHED = ("get_class_annotations", "get_dataclass_info", "get_typeddict_info")


def is_locked() -> bool:
    """Whether this thread holds the lock: that of the module, or of a copy that a test of planted faults has loaded."""
    held: Any = (decoding._LOCK, sys.modules["domain.basics.decoding"]._LOCK)
    return any(lock._is_owned() for lock in held)


def require_lock(shape: Any) -> None:
    """Refuse that a type of ours is learnt without the lock.

    Raises: AssertionError
    """
    caller = sys._getframe(2).f_code
    if Path(caller.co_filename).parent == HOME and caller.co_name != MAKES_A_DECODER:
        return  # it tells the parts of a type in Python, and keeps nothing
    kind = getattr(shape, "__origin__", shape)
    package = getattr(kind, "__module__", "").partition(".")[0]
    assert package not in OURS or is_locked(), (
        f"{kind.__module__}.{kind.__qualname__} is learnt without the lock: read it with domain.basics.decoding"
    )


def watch_learning() -> None:
    """Have `require_lock` asked whenever msgspec learns a type, in this process, from now on."""
    names: dict[str, Any] = vars(_utils)
    if "require_lock" in names:
        return
    names["require_lock"] = require_lock
    for name in WATCHED:
        function = names[name]
        copy = type(function)(function.__code__, names, name)
        names[f"learn_by_{name}"] = copy
        made: dict[str, Any] = {}
        exec(f"def {name}(shape):\n    require_lock(shape)\n    return learn_by_{name}(shape)", names, made)
        function.__code__ = made[name].__code__
