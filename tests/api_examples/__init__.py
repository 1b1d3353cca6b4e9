"""The examples of /openapi.json, kept of a session with a server: python -m tests.api_examples make"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "server" / "web" / "api" / "recorded.json"
OPAQUE = re.compile(r"[A-Za-z0-9+/_=]{16,}|\d+\.\d+\.\d+|\bp?[a-z2-7]{8}\b")
"""Hashes, ids, secrets, releases: another log of the same session has others."""
Examples = Mapping[str, Mapping[str, Any]]


def text_of(examples: Examples) -> str:
    """The file of examples: a line for each member, below the maker."""
    made = {"made by": {"python -m tests.api_examples make": "of a session with a server"}, **examples}
    rows = (
        f" {json.dumps(name)}: {{\n"
        + ",\n".join(
            f"  {json.dumps(member)}: {json.dumps(value, ensure_ascii=False)}" for member, value in kept.items()
        )
        + "\n }"
        for name, kept in made.items()
    )
    return "{\n" + ",\n".join(rows) + "\n}\n"


def told(text: str) -> str:
    """The file without what another log of the same session would have otherwise."""
    return OPAQUE.sub("…", text)
