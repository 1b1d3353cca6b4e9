"""The bot of docs/bots.md plays a battle to its end."""

import asyncio
import re
import sys
from pathlib import Path

import pytest

from tests.support.serving import BATTLES, RunningServer
from tests.support.waiting import LIMIT_S

PAGE = Path(__file__).parents[2] / "docs" / "bots.md"


@pytest.mark.slow
async def test_the_bot_of_the_page_plays_a_battle_to_its_end(server: RunningServer, tmp_path: Path) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    path = tmp_path / "bot.py"
    path.write_text(program)
    bot = await server.player("Bot")
    token = bot.headers["Authorization"].removeprefix("Bearer ")
    command = (sys.executable, str(path), str(server.client.make_url("/")).rstrip("/"), token)
    process = await asyncio.create_subprocess_exec(*command, stdout=-1, stderr=-1)
    async with asyncio.timeout(LIMIT_S):
        out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    assert re.fullmatch(r"(south|north|Nobody) has won\.\n", out.decode())
    (battle,) = (await bot.get(f"{BATTLES}?mine")).json["battles"]
    assert battle["status"] == "ended" and battle["winner"] in ("south", "north", "")
