"""Looks for examples, and keeps them: python -m tests.api_examples [make]"""

import asyncio
import sys

from server.web.openapi import document
from server.web.routes import API
from tests.api_examples import PAGE, text_of
from tests.api_examples.session import recorded

if __name__ == "__main__":
    examples = asyncio.run(recorded())
    if sys.argv[1:] == ["make"]:
        PAGE.write_text(text_of(examples), encoding="utf-8")
    for name, schema in document(API)["components"]["schemas"].items():
        for member in schema.get("properties", {}):
            found = examples.get(name, {}).get(member)
            if found in (None, "", [], {}):
                print(f"{name}.{member}: {found!r}")
