"""A proxy in front: whose request it is, and how a host learns that its proxy hides all players."""

import json
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from server.cli.main import main
from server.limits import Limits, Reads
from server.settings import Settings
from server.upkeep.doctor import examine
from server.upkeep.proxy_note import FILE, hidden_behind
from server.web.networks import ENOUGH, HiddenClients, is_private, is_within
from tests.support.serving import RunningServer, serving
from tests.support.waiting import eventually

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "operating.md").read_text()
RECIPES = DOCS / "operating"
CLIENT = {"X-Forwarded-For": "203.0.113.7"}
NOW = "2026-11-24T12:00:00.000Z"
HERE = "127.0.0.1"


# --- what is taken for a proxy that hides everybody


def watch(*seen: str) -> list[str]:
    """What is told when these addresses have said whom they ask for; "" for a request that says nothing of the kind."""
    told: list[str] = []
    clients = HiddenClients(told.append)
    for address in seen:
        clients.saw(address)
    return told


def test_requests_in_a_row_from_one_private_address_are_those_of_a_proxy() -> None:
    for address in (HERE, "10.88.0.1", "172.17.0.1", "192.168.1.2", "fd00::1", "::ffff:10.0.0.1"):
        assert watch(*[address] * ENOUGH) == [address]
        assert watch(*[address] * (3 * ENOUGH)) == [address]  # told once
        assert watch(*[address] * (ENOUGH - 1)) == []


def test_nobody_else_is_taken_for_one() -> None:
    almost = ["10.0.0.1"] * (ENOUGH - 1)
    assert watch(*almost, "", *almost) == []  # somebody comes without it
    assert watch(*almost, "10.0.0.2", *almost) == []  # two of them
    assert watch(*["203.0.113.7"] * (3 * ENOUGH)) == []  # a client who writes it by hand
    assert watch(*[""] * (3 * ENOUGH)) == []


def test_private_addresses_are_those_of_no_client_in_the_internet() -> None:
    assert [is_private(address) for address in ("10.1.2.3", "::1", "8.8.8.8", "2001:4860::1", "", "no address")] == [
        *[True] * 2,
        *[False] * 4,
    ]


# --- a server behind one


def faults(server: RunningServer) -> list[tuple[str, str]]:
    """What the doctor finds besides what every test folder has."""
    return [(one.what, one.advice) for one in examine(server.running.settings, NOW) if one.what == "proxy"]


async def figure(server: RunningServer) -> str:
    text = (await server.stranger.get("/metrics")).text
    (found,) = re.findall(r"^phalera_clients_hidden (\S+)$", text, re.M)
    return str(found)


async def come(server: RunningServer, headers: dict[str, str], count: int = ENOUGH) -> None:
    for _ in range(count):
        await server.stranger.get("/api/v1/scenarios", headers)


@pytest.mark.parametrize("name", ["X-Forwarded-For", "Forwarded", "X-Real-IP"])
async def test_a_proxy_that_is_not_trusted_is_told_in_log_metric_and_doctor(tmp_path, caplog, name: str) -> None:
    async with serving(tmp_path / "data") as server:
        await come(server, {name: "203.0.113.7"}, ENOUGH - 1)
        assert (await figure(server), faults(server)) == ("0.0", [])
        await server.stranger.get("/healthz", CLIENT)  # a probe does not count
        assert await figure(server) == "0.0"
        await come(server, {name: "203.0.113.7"}, 2)
        await eventually("the note", lambda: faults(server))
        assert await figure(server) == "1.0"
        ((_, advice),) = faults(server)
        assert f"--trusted-proxy {HERE} (PHALERA_TRUSTED_PROXY)" in advice
        said = [record.getMessage() for record in caplog.records if "not trusted" in record.getMessage()]
        assert len(said) == 1 and f"--trusted-proxy {HERE}" in said[0] and "203.0.113" not in said[0]
    async with serving(tmp_path / "data", trusted_proxies=(HERE,)) as server:
        assert faults(server) == []  # the note is of an earlier server
        await come(server, CLIENT, 2 * ENOUGH)
        assert (await figure(server), faults(server)) == ("0.0", [])


async def test_a_second_proxy_that_is_not_trusted_hides_everybody_too(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", trusted_proxies=(HERE,)) as server:
        await come(server, {"X-Forwarded-For": "10.0.0.5"}, 2 * ENOUGH)  # somebody in a network at home
        await come(server, {"X-Forwarded-For": HERE}, 2 * ENOUGH)  # a browser on the machine of the proxy
        assert await figure(server) == "0.0"
        await come(server, {"X-Forwarded-For": "203.0.113.7, 10.0.0.5"})
        await eventually("the note", lambda: faults(server))
        assert "--trusted-proxy 10.0.0.5" in faults(server)[0][1]


async def test_a_note_that_is_being_written_is_none_yet(tmp_path: Path) -> None:
    async with serving(tmp_path / "data") as server:
        settings = server.running.settings
        settings.read_models.mkdir(parents=True, exist_ok=True)
        (settings.read_models / FILE).write_text("")
        assert list(hidden_behind(settings)) == []


async def test_an_administrator_sees_it(tmp_path: Path) -> None:
    async with serving(tmp_path / "data") as server:
        chief = await server.administrator("Chief")
        before = await chief.ask("GET", "/admin", {"Accept": "text/html"})
        assert (before.status, "--trusted-proxy" in before.text) == (200, False)
        await come(server, CLIENT)
        await eventually("the note", lambda: faults(server))
        page = await chief.ask("GET", "/admin", {"Accept": "text/html"})
        assert '<li class="ill"><span>Players known behind the proxy (--trusted-proxy)' in page.text


async def test_behind_a_trusted_proxy_each_client_has_limits_of_their_own(tmp_path: Path) -> None:
    limits = Limits(reads=Reads(0.001, 25))
    for trusted, least in (((), 1), ((HERE,), 0)):
        async with serving(tmp_path / f"data{least}", limits=limits, trusted_proxies=trusted) as server:
            answers = [
                (await server.stranger.get("/api/v1/scenarios", {"X-Forwarded-For": f"203.0.113.{client}"})).status
                for client in range(40)
            ]
        assert (answers.count(200) < 40) == bool(least), answers


# --- the recipes


def environment_of(text: str) -> list[str]:
    """The networks that a recipe trusts."""
    return next(iter(re.findall(r"PHALERA_TRUSTED_PROXY[=:] *\"?([^\"\n]+)\"?", text))).split()


def test_the_network_of_the_container_recipe_is_the_one_that_its_image_trusts() -> None:
    trusted = environment_of((RECIPES / "Containerfile").read_text())
    subnets = re.findall(r"--subnet (\S+)", PAGE) + re.findall(r"subnet: (\S+)", (RECIPES / "compose.yaml").read_text())
    assert len(subnets) == 2 and len(set(subnets)) == 1
    assert subnets[0] in trusted
    gateway = re.sub(r"\.0/24$", ".1", subnets[0])
    assert is_within(gateway, trusted) and is_within(HERE, trusted) and is_within("::1", trusted)
    assert not is_within("203.0.113.7", trusted) and not is_within("10.88.0.1", trusted)
    for block in re.findall(r"podman run -d .*?\n```", PAGE, re.S):
        assert "--network phalera" in block and "-p 127.0.0.1:8080:8080" in block


def test_a_variable_names_several_proxies(monkeypatch, tmp_path: Path) -> None:
    trusted = environment_of((RECIPES / "Containerfile").read_text())
    found: list[Settings] = []
    monkeypatch.setattr("server.assembly.run", found.append)
    monkeypatch.setattr("server.logs.configure", lambda *_: None)
    monkeypatch.setattr("os.umask", lambda _: 0)
    environment = {"PHALERA_TRUSTED_PROXY": " ".join(trusted), "PHALERA_HOST": None}
    result = CliRunner(env=environment).invoke(main, ["serve", "--data", str(tmp_path)])
    assert result.exit_code == 0, result.stderr
    assert [network.removesuffix("/32").removesuffix("/128") for network in found[0].trusted_proxies] == trusted


def test_every_recipe_names_its_proxy() -> None:
    unit = (RECIPES / "phalera.service").read_text()
    (start,) = re.findall(r"^ExecStart=(.*)$", unit, re.M)
    words = shlex.split(start)
    named = [words[at + 1] for at, word in enumerate(words) if word == "--trusted-proxy"]
    assert [is_within(address, named) for address in (HERE, "::1")] == [True, True]
    started = [shlex.split(line) for line in re.findall(r"^phalera serve --trusted-proxy .*$", PAGE, re.M)]
    assert [words[3] for words in started] == [HERE]
    assert "header_up X-Forwarded-For" not in PAGE  # Caddy sets it by itself
    caddy = (RECIPES / "Caddyfile").read_text()
    assert "reverse_proxy phalera:8080" in caddy
    assert json.loads(re.findall(r"^EXPOSE (.*)$", (RECIPES / "Containerfile").read_text(), re.M)[0]) == 8080
