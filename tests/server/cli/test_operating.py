"""The unit and the container of docs/operating start the server with options that it has."""

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from typer.main import get_command
from typer.testing import CliRunner

from server.cli.main import main
from tests.support.serving import serving

FOLDER = Path(__file__).parents[3] / "docs" / "operating"
UNIT = (FOLDER / "phalera.service").read_text()
CONTAINER = (FOLDER / "Containerfile").read_text()
PAGE = (FOLDER.parent / "operating.md").read_text()


def started_by(words: list[str]) -> None:
    """Require that `serve` takes the options of a command line; the last one is wrong, so it stops there."""
    program, command, *options = words
    assert program.endswith("phalera")
    result = CliRunner(env={"PHALERA_DATA": "nowhere"}).invoke(main, [command, *options, "--port", "no-number"])
    assert "Invalid value for '--port'" in result.stderr


def variables_of_serve() -> set[str]:
    """The variables of the environment that `phalera serve` reads."""
    serve = get_command(main).commands["serve"]  # type: ignore[attr-defined]
    return {str(option.envvar) for option in serve.params if option.envvar}


def test_the_unit_starts_the_server() -> None:
    settings = re.findall(r"^(\w+)=(.*)$", UNIT, re.M)
    (start,) = [value for name, value in settings if name == "ExecStart"]
    started_by(shlex.split(start))
    states = next(value for name, value in settings if name == "StateDirectory").split()
    for folder in (re.search(r"--backup-to (\S+)", start), re.search(r"PHALERA_DATA=(\S+)", UNIT)):
        assert folder is not None
        assert folder[1].removeprefix("/var/lib/") in states
    names = [name for name, _ in settings]
    assert {name for name in names if names.count(name) > 1} <= {"SystemCallFilter"}


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not installed")
def test_the_units_are_understood_by_systemd(tmp_path: Path) -> None:
    program = re.findall(r"^ExecStart=(\S+)", UNIT, re.M)[0]
    units = [tmp_path / name for name in ("phalera.service", "phalera.socket")]
    for unit in units:  # the program is checked, too, and is not installed here
        unit.write_text((FOLDER / unit.name).read_text().replace(program, "/bin/true"))
    command = ["systemd-analyze", "verify", *map(str, units)]
    checked = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (checked.returncode, checked.stderr) == (0, "")


def test_the_container_starts_the_server() -> None:
    lists = {name: json.loads(value) for name, value in re.findall(r"^(ENTRYPOINT|CMD) (\[.*\])$", CONTAINER, re.M)}
    started_by([*lists["ENTRYPOINT"], *lists["CMD"]])
    volumes = json.loads(re.findall(r"^VOLUME (.*)$", CONTAINER, re.M)[0])
    assert set(volumes) == {"/data", "/backups"}


def test_the_composed_containers_are_those_of_the_recipes_and_find_each_other() -> None:
    composed = yaml.safe_load((FOLDER / "compose.yaml").read_text())
    server, caddy = composed["services"]["phalera"], composed["services"]["caddy"]
    assert (FOLDER / server["build"]["context"]).resolve() == FOLDER.parents[1]
    assert FOLDER.parents[1] / server["build"]["dockerfile"] == FOLDER / "Containerfile"
    assert set(server["environment"]) <= variables_of_serve()
    volumes = json.loads(re.findall(r"^VOLUME (.*)$", CONTAINER, re.M)[0])
    assert [volume.partition(":")[2] for volume in server["volumes"]] == volumes
    named = [volume.partition(":")[0] for one in (server, caddy) for volume in one["volumes"]]
    assert {name for name in named if not name.startswith("./")} == composed["volumes"].keys()
    mounted = [name for name in named if name.startswith("./")]
    assert mounted and all((FOLDER / name).is_file() for name in mounted)
    upstream, port = re.findall(r"reverse_proxy (\w+):(\d+)", (FOLDER / "Caddyfile").read_text())[0]
    assert upstream in composed["services"] and f"EXPOSE {port}" in CONTAINER
    assert set(re.findall(r"\{\$(\w+)\}", (FOLDER / "Caddyfile").read_text())) == caddy["environment"].keys()
    assert server["networks"] == caddy["networks"] == [*composed["networks"]]


@pytest.mark.parametrize("line", re.findall(r"^(phalera serve .*)$", PAGE, re.M))
def test_the_page_starts_the_server(line: str) -> None:
    started_by(shlex.split(line))


async def test_the_figures_of_the_page_are_there(tmp_path: Path) -> None:
    told = set(re.findall(r"`((?:phalera|process)_\w+)`", PAGE))
    async with serving(tmp_path / "data", backup_to=str(tmp_path / "backups")) as server:
        await server.stranger.get("/api/v1/battles")
        text = (await server.stranger.get("/metrics")).text
    assert told
    assert {name for name in told if f"# TYPE {name} " not in text} == set()


@pytest.mark.parametrize("name", ["grafana.json", "alerts.yml"])
async def test_dashboard_and_alerts_ask_for_figures_that_are_there(tmp_path: Path, name: str) -> None:
    text = (FOLDER / name).read_text()
    asked = set(re.findall(r"\b(?:phalera|process)_[a-z_]+", text))
    async with serving(tmp_path / "data", backup_to=str(tmp_path / "backups")) as server:
        await server.stranger.get("/api/v1/battles")
        await server.stranger.get("/nowhere")
        told = (await server.stranger.get("/metrics")).text
    there = set(re.findall(r"^([a-z_]+)[{ ]", told, re.M)) | set(re.findall(r"^# TYPE ([a-z_]+) histogram", told, re.M))
    histograms = set(re.findall(r"^# TYPE ([a-z_]+) histogram", told, re.M))
    there |= {f"{histogram}_{part}" for histogram in histograms for part in ("bucket", "count", "sum")}
    assert len(asked) >= 10
    assert asked - there == set()


def test_the_panels_of_the_dashboard_do_not_cover_each_other() -> None:
    panels = json.loads((FOLDER / "grafana.json").read_text())["panels"]
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels]
    assert len(set(places)) == len(places) > 10
    assert all(panel["targets"] and panel["title"] for panel in panels)
