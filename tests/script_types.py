"""The types of what a page has for its scripts, made from the structs of the server: `python -m tests.script_types`.

`tests/scripts/island.d.ts` is what `tsc` reads of them. A member with a default may be missing: msgspec leaves it out.
"""

from pathlib import Path
from typing import Any

from domain.basics.decoding import schemas_of
from domain.contract.option import OrderTarget
from server.shown.free_ends import FreeEndsShown
from server.shown.targets import TargetShown

TYPES = Path(__file__).parent / "scripts" / "island.d.ts"
SHOWN = (FreeEndsShown, OrderTarget, TargetShown)
FIRST = "// Made by `python -m tests.script_types` from the structs of these names (decision 44)."
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def made() -> str:
    """The declarations of all structs that pages have for scripts."""
    _, structs = schemas_of(SHOWN, "{name}")
    parts = [_interface(name, structs[name]) for name in sorted(structs)]
    return "\n\n".join((FIRST, *parts)) + "\n"


def _interface(title: str, struct: dict[str, Any]) -> str:
    required = struct.get("required", ())
    members = [
        f"  {member}{'' if member in required else '?'}: {_type(kind)};"
        for member, kind in struct["properties"].items()
    ]
    return "\n".join((f"interface {title} {{", *members, "}"))


def _type(kind: dict[str, Any]) -> str:
    """A type in TypeScript; `Any` of Python stays unknown."""
    if "$ref" in kind:
        return str(kind["$ref"])
    if "enum" in kind:
        return " | ".join(f'"{value}"' for value in kind["enum"])
    if "anyOf" in kind:
        return " | ".join(_type(one) for one in kind["anyOf"])
    if "prefixItems" in kind:
        return f"[{', '.join(_type(one) for one in kind['prefixItems'])}]"
    if kind.get("type") == "array":
        item = _type(kind["items"])
        return f"({item})[]" if "|" in item else f"{item}[]"
    return PLAIN.get(kind.get("type", ""), "unknown")


if __name__ == "__main__":
    TYPES.write_text(made())
