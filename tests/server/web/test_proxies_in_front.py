"""The proxies of docs/operating.md, as the page has them, in front of a server: real nginx, real Caddy."""

import asyncio
import os
import re
import shutil
import socket
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from server.limits import Limits, Reads
from tests.support.serving import BATTLES, RunningServer, serving
from tests.support.waiting import LIMIT_S, eventually

PAGE = (Path(__file__).parents[3] / "docs" / "operating.md").read_text()
HERE, CLIENT, OTHER = "127.0.0.1", "127.0.0.2", "127.0.0.3"
"""The proxy, and people at other addresses of this machine."""
ALLOWED = 25
"""How much each of them may read."""
NGINX = """daemon off; master_process off; pid {folder}/pid; error_log stderr;
events {{ }}
http {{
access_log off; client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f;
uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
{server}
}}
"""


def found(name: str) -> str:
    """The path of a program; "" where it is not installed."""
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin") or ""


def param(name: str) -> object:
    """The test with that proxy."""
    return pytest.param(name, marks=pytest.mark.skipif(not found(name), reason=f"{name} is not installed"))


proxies = pytest.mark.parametrize("name", [param("nginx"), param("caddy")])


def recipe(begin: str) -> str:
    """The block of the page that begins so."""
    (block,) = re.findall(rf"^```\n({begin}.*?)^```$", PAGE, re.S | re.M)
    return str(block)


def command_of(name: str, folder: Path, port: int, server: int) -> list[str]:
    """What starts a proxy at a port, in front of a server at another, with the recipe of the page but for TLS."""
    if name == "caddy":
        text = recipe(r"games\.example \{").replace("games.example {", f"http://{HERE}:{port} {{")
        made = "{\n    admin off\n    auto_https off\n}\n" + text
    else:
        text = re.sub(r"^    (listen|ssl_certificate).*\n", "", recipe(r"server \{"), flags=re.M)
        text = text.replace("server {", f"server {{ listen {HERE}:{port};", 1)
        made = NGINX.format(folder=folder, server=text)
    assert f"{HERE}:8080" in made
    path = folder / f"{name}.conf"
    path.write_text(made.replace(f"{HERE}:8080", f"{HERE}:{server}"))
    if name == "caddy":
        return [found(name), "run", "--adapter", "caddyfile", "--config", str(path)]
    return [found(name), "-e", "stderr", "-p", str(folder), "-c", str(path)]


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as taken:
        taken.bind((HERE, 0))
        return int(taken.getsockname()[1])


@asynccontextmanager
async def behind(name: str, folder: Path, server: RunningServer) -> AsyncIterator[str]:
    """The address of a proxy in front of a server, as long as it runs."""
    port = free_port()
    folder.mkdir()
    environment = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    assert server.client.port is not None
    command = command_of(name, folder, port, server.client.port)
    with (folder / "log").open("wb") as log:
        running = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:

        def listens() -> bool:
            assert running.poll() is None, (folder / "log").read_text()
            with socket.socket() as asking:
                return asking.connect_ex((HERE, port)) == 0

        await eventually(f"{name} listens", listens)
        yield f"http://{HERE}:{port}"
    finally:
        running.terminate()
        await asyncio.to_thread(running.wait, LIMIT_S)


def from_address(address: str) -> aiohttp.ClientSession:
    """Somebody who asks from there."""
    return aiohttp.ClientSession(connector=aiohttp.TCPConnector(local_addr=(address, 0)))


@pytest.mark.slow
@proxies
async def test_each_client_behind_it_has_limits_of_their_own_whatever_they_claim(tmp_path: Path, name: str) -> None:
    limits = Limits(reads=Reads(0.001, ALLOWED))
    async with (
        serving(tmp_path / "data", limits=limits, trusted_proxies=(HERE,)) as server,
        behind(name, tmp_path / "proxy", server) as address,
        from_address(CLIENT) as client,
        from_address(OTHER) as other,
    ):
        answers = []
        for n in range(40):
            claim = {"X-Forwarded-For": f"203.0.113.{n}", "Forwarded": f"for=203.0.113.{n}"}
            async with client.get(f"{address}/api/v1/scenarios", headers=claim) as answer:
                answers.append(answer.status)
        assert answers.count(429) >= 10 and answers[0] == 200, answers
        async with other.get(f"{address}/learn", headers={"Accept-Encoding": "gzip"}) as page:
            assert (page.status, page.headers["Strict-Transport-Security"]) == (200, "max-age=31536000")
            assert page.headers["Content-Encoding"] == "gzip" and "<h1" in await page.text()
        async with other.get(f"{address}/metrics") as figures:
            assert figures.status in (403, 404), await figures.text()


@pytest.mark.slow
@proxies
async def test_a_stream_comes_through_it_line_by_line(tmp_path: Path, name: str) -> None:
    async with (
        serving(tmp_path / "data", trusted_proxies=(HERE,)) as server,
        behind(name, tmp_path / "proxy", server) as address,
        from_address(CLIENT) as client,
    ):
        anna, bob = await server.player("Anna"), await server.player("Bob")
        battle = await server.battle(anna, bob)
        async with client.get(f"{address}{BATTLES}/{battle}/stream") as stream:
            assert (await asyncio.wait_for(stream.content.readline(), LIMIT_S)).startswith(b": after")
            assert (await anna.order(battle, "R1 ahead")).status == 200
            while not (await asyncio.wait_for(stream.content.readline(), LIMIT_S)).startswith(b"data:"):
                assert not stream.content.at_eof()
