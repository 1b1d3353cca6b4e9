"""The bot that docs/bots.md shows is the example, which `tests/server/people/test_bot_accounts.py` lets play."""

import re
from pathlib import Path

DOCS = Path(__file__).parents[4] / "docs"


def test_the_bot_of_the_page_is_the_example() -> None:
    (shown,) = re.findall(r"```python\n(.*?)```", (DOCS / "bots.md").read_text(encoding="utf-8"), re.S)
    assert shown == (DOCS / "examples" / "bot.py").read_text(encoding="utf-8")
