"""`phalera remote …` against a real server: what it prints, where it keeps things, and what it says when it cannot."""

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, cast

import pytest
from typer.testing import CliRunner

from domain.basics.data import scenario_text
from replay.proof import verify
from server.armies import army_toml, new_army
from server.cli import remote as cli_remote
from server.cli.main import main
from server.people.keys import take_name
from server.remote.connection import ServerConnection, Unanswered, visible
from server.remote.errors import NotDone, WrongUse
from server.remote.inviting import AskedRematch, rematch
from server.remote.opening import WantedBattle, open_battle
from server.remote.state import Home, home_folder
from server.settings import Settings
from tests.server.remote.remote_player import remote_player
from tests.support.entropy import entropy_of_test
from tests.support.serving import BATTLES, PHRASE, RunningServer, serving


class Said(NamedTuple):
    """What a command has answered."""

    code: int
    out: str
    err: str


class Terminal:
    """The terminal of a player, with a state folder of its own."""

    def __init__(self, folder: Path, token: str = "") -> None:
        self.environment = {"XDG_STATE_HOME": str(folder), "PHALERA_TOKEN": token or None, "COLUMNS": "120"}

    async def type(self, *arguments: str, typed: str | None = None) -> Said:
        """A command, run beside the server."""
        return await asyncio.to_thread(self._run, arguments, typed)

    def _run(self, arguments: tuple[str, ...], typed: str | None) -> Said:
        result = CliRunner(env=self.environment).invoke(main, ["remote", *arguments], input=typed)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Said(result.exit_code, result.stdout, result.stderr)


@pytest.fixture(autouse=True)
def no_real_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    source = entropy_of_test()
    monkeypatch.setattr(cli_remote, "entropy", lambda: source)


async def token_of(server: RunningServer, name: str) -> str:
    return (await server.player(name)).headers["Authorization"].removeprefix("Bearer ")


def address_of(server: RunningServer) -> str:
    return str(server.client.make_url("")).rstrip("/")


@pytest.mark.slow
async def test_a_battle_from_login_to_the_end(server: RunningServer, tmp_path: Path) -> None:
    address = address_of(server)
    anna, bob = Terminal(tmp_path / "anna"), Terminal(tmp_path / "bob", await token_of(server, "Bob"))
    host = await server.player("Host")
    battle = await host.open()
    assert (await anna.type("battles")).err == "phalera: There is no server yet: phalera remote login URL\n"
    told = await anna.type("login", address, typed=f"{await token_of(server, 'Anna')}\n")
    assert told.code == 0 and "you play 0 battles there" in told.out
    taken = await anna.type("take", f"{address}/battles/{battle}", "south", "--sign")
    assert taken.code == 0 and "Anna (sealed, you)" in taken.out and "It waits for a player." in taken.out
    assert (await bob.type("take", f"{address}/api/v1/battles/{battle}", "north", "--plain")).code == 0

    shown = await anna.type("show", "--log")
    assert shown.code == 0 and "To act: south." in shown.out and "Bob takes" in shown.out, shown
    assert f"Your part of the chance is missing: phalera remote order {battle}" in shown.out
    assert (await anna.type("show", "--log", battle)).out.startswith("Nothing new.")
    found = await anna.type("options", "--unit", "R1")
    assert "R1 ahead" in found.out and "needs" in found.out and "R2 ahead" not in found.out
    assert "There is nothing to order for R99." in (await anna.type("options", "--unit", "R99")).out

    refused = await anna.type("order", battle, "R1 ahead", "X9 ahead")
    assert refused.code == 1 and "X9 ahead                        refused: There is no X9" in refused.out
    given = await anna.type("order", battle, "-", typed="standing evade R6 never\nend turn\n")
    assert given.code == 0 and given.out.splitlines()[0].startswith("standing evade R6 never"), given
    assert "North (The valley) is to move." in given.out
    assert given.out.endswith("To act: north.\n")
    listed = await anna.type("battles")
    assert battle in listed.out and address in listed.out
    book = await anna.type("book")
    assert book.code == 0 and book.out.startswith(f"Seals of south in battle {battle}")
    assert (await bob.type("book", f"{address}/battles/{battle}")).code == 1
    another = await anna.type("book", battle, "--new")
    assert another.code == 0 and another.out.splitlines()[1] != book.out.splitlines()[1]
    assert (await bob.type("order", f"{address}/battles/{battle}", "resign")).code == 0
    assert "south has won" in (await anna.type("show", battle)).out
    copy = next((tmp_path / "anna").rglob(f"{battle}.battle"))
    assert verify.verify(copy.read_bytes()).exit == verify.OK


@pytest.mark.slow
async def test_a_seat_goes_on_when_the_server_has_another_name_and_address(tmp_path: Path) -> None:
    folder, anna = tmp_path / "data", Terminal(tmp_path / "anna")
    async with serving(folder, host="trial.example") as server:
        before = address_of(server)
        host = await server.player("Host")
        battle = await host.open()
        await anna.type("login", before, typed=f"{await token_of(server, 'Anna')}\n")
        assert (await anna.type("take", f"{before}/battles/{battle}", "south", "--sign")).code == 0
        assert (await host.sit(battle, "north", phrase=PHRASE)).status == 201
    take_name(Settings.at(folder, {}), "games.example", entropy_of_test())
    async with serving(folder, host="games.example") as server:
        now = address_of(server).replace("127.0.0.1", "localhost")  # another name even at the same port
        stranger = Terminal(tmp_path / "anna", await token_of(server, "Bob"))
        nothing = await stranger.type("login", now, "--formerly", "https://never.example")
        assert (nothing.code, nothing.err) == (1, "phalera: Nothing is kept of https://never.example.\n")
        moved = await anna.type("login", now, "--formerly", before)
        assert moved.code == 0 and "you play 1 battles there" in moved.out, moved
        assert "is there already" in (await anna.type("login", now, "--formerly", now)).err
        given = await anna.type("order", battle, "end turn")
        assert given.code == 0 and given.out.endswith("To act: north.\n"), given
        copy = next((tmp_path / "anna").rglob(f"{battle}.battle"))
        report = verify.verify(copy.read_bytes(), server.running.keys.former[0].key)
        assert (report.fault, report.host, report.trusted) == (None, "trial.example", True)


@pytest.mark.slow
async def test_somebody_is_invited_and_a_battle_played_again(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", mail=True) as server:
        address = address_of(server)
        anna = Terminal(tmp_path / "anna", await token_of(server, "Anna"))
        bob = Terminal(tmp_path / "bob", await token_of(server, "Bob"))
        host = await server.player("Host")
        first, second = await host.open(), await host.open()
        await anna.type("login", address)
        await anna.type("take", f"{address}/battles/{first}", "south", "--plain")
        invited = await anna.type("invite", first, "friend@other.test", "-m", "Time for revenge.")
        assert invited.code == 0 and "friend@other.test is invited to play north, until " in invited.out, invited
        again = await anna.type("invite", first, "third@other.test")
        assert again.code == 1 and "core.side-reserved" in again.err

        place = f"{address}/battles/{second}"
        for terminal, side in ((anna, "south"), (bob, "north")):
            assert (await terminal.type("take", place, side, "--plain")).code == 0
        assert "core.not-ended" in (await anna.type("rematch", second)).err
        assert (await anna.type("order", second, "resign")).code == 0
        asked = await anna.type("rematch", second)
        assert asked.out.startswith("You play north. Your opponent is asked by letter.\n"), asked
        accepted = await bob.type("rematch", place)
        assert accepted.out.startswith("You play south. You have accepted what your opponent had asked for.\n")
        new = accepted.out.splitlines()[1]
        assert new == asked.out.splitlines()[1] and "To act: " in (await bob.type("show", new)).out
        assert (await bob.type("order", new, "end turn")).code == 0


@pytest.mark.slow
async def test_another_army_is_brought_and_accepted(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", mail=True) as server:
        address = address_of(server)
        anna = Terminal(tmp_path / "anna", await token_of(server, "Anna"))
        bob = Terminal(tmp_path / "bob", await token_of(server, "Bob"))
        host = await server.player("Host")
        armies = {"south": "carthaginian", "north": "gallic", "seed": 7}
        made = await host.post("/api/v1/armies/battle", armies)
        battle = (await host.post(BATTLES, {"scenario_toml": made.json["scenario_toml"]})).json["battle"]
        await anna.type("login", address)
        place = f"{address}/battles/{battle}"
        assert (await anna.type("take", place, "south", "--plain")).code == 0
        shown = await bob.type("armies", place)
        assert "South: Carthaginian, 130 points" in shown.out and "light chariots" in shown.out, shown
        assert "phalera remote bring" in shown.out
        own = tmp_path / "own.toml"
        own.write_text(army_toml(new_army("tts", "seleucid", 130, 7)))
        first = await bob.type("bring", place, "gallic", "--seed", "3")
        assert first.out.startswith("You play north with your army. Anna is asked to accept it.\n"), first
        came = await bob.type("bring", place, str(own))
        new = came.out.splitlines()[1]
        assert new.rpartition("/")[2] in (await anna.type("armies", battle)).out
        assert "Seleucid" in (await anna.type("armies", new)).out
        assert (await anna.type("take", new, "south", "--plain")).code == 0
        assert "It waits for a player" not in (await bob.type("show", new)).out
        assert "core.begun" in (await bob.type("bring", new, "gallic")).err


@pytest.mark.parametrize(("battle", "side"), [("../../x", "south"), ("k3f9a2bc", "../x")])
async def test_what_a_server_says_names_no_file_elsewhere(tmp_path: Path, battle: str, side: str) -> None:
    class Liar:
        async def send(self, path: str, body: bytes, kind: type[AskedRematch], key: str = "") -> AskedRematch:
            return AskedRematch(battle, side, "asked")

    place = Home(tmp_path).place("http://127.0.0.1:1/battles/k3f9a2bc")
    with pytest.raises(NotDone, match="names no battle"):
        await rematch(cast(ServerConnection, Liar()), place, False, entropy_of_test())
    assert list(tmp_path.rglob("*.json")) == []


@pytest.mark.slow
async def test_without_a_token_nothing_is_asked(server: RunningServer, tmp_path: Path) -> None:
    address = address_of(server)
    battle = await (await server.player("Host")).open()
    state = tmp_path / "state"
    said = await Terminal(state).type("take", f"{address}/battles/{battle}", "south")
    assert said == (1, "", f"phalera: There is no token for {address}: phalera remote login {address}\n")
    assert not state.exists()
    wrong = await Terminal(state, "nonsense").type("login", address)
    assert wrong.code == 1 and "core.bad-token" in wrong.err and not state.exists()
    assert (await Terminal(state, "no\ttoken").type("login", address)).code == 2


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("login", "example.org"), 2, "is not the address of a server"),
        (("login", "ftp://example.org"), 2, "is not the address of a server"),
        (("login", "http://127.0.0.1:1"), 1, "does not answer"),
        (("show",), 1, "There is no battle here."),
        (("show", "k3f9a2bc"), 1, "is not known here: give its address"),
        (("show", "no battle"), 2, "cannot be a battle"),
        (("take", "http://127.0.0.1:1/battles/../x", "south"), 2, "cannot be a battle"),
        (("take", "http://127.0.0.1:1/battles/k3f9a2bc", "North"), 2, "“North” cannot be a side"),
        (("take", "http://127.0.0.1:1/battles/k3f9a2bc", "south"), 1, "does not answer"),
        (("order", "http://127.0.0.1:1/battles/k3f9a2bc", "end turn"), 1, "No side of battle k3f9a2bc was taken"),
    ],
)
async def test_wrong_use_and_silence_are_said_in_a_sentence(
    tmp_path: Path, arguments: tuple[str, ...], code: int, said: str
) -> None:
    answer = await Terminal(tmp_path, "token").type(*arguments)
    assert (answer.code, answer.out, answer.err.count("\n")) == (code, "", 1), answer
    assert said in answer.err


async def test_the_server_says_why_it_refuses(server: RunningServer, tmp_path: Path) -> None:
    address = address_of(server)
    token = await token_of(server, "Anna")
    said = await Terminal(tmp_path, token).type("take", f"{address}/battles/aaaaaaaa", "south")
    assert (said.code, said.out) == (1, "")
    assert "core.unknown-battle" in said.err


def test_nothing_of_a_server_steers_the_terminal() -> None:
    assert visible("a\x1b[2Jb\r\u202ec\u00a0d\n") == "a?[2Jb??c\u00a0d\n"


def test_servers_do_not_share_a_folder_nor_leave_theirs(tmp_path: Path) -> None:
    home = Home(tmp_path)
    folders = {home.server(url).folder for url in ("https://a.example", "https://a.example:81", "https://a.example/x")}
    assert len(folders) == 3 and all(folder.parent == tmp_path for folder in folders)
    for strange in ("https://../..", "https://..", "https://_/../../x"):
        assert home.server(strange).folder.parent == tmp_path and home.server(strange).folder.name != ".."
    with pytest.raises(WrongUse):
        home.server("https://")
    assert home_folder({"XDG_STATE_HOME": "/s"}) == Path("/s/phalera/remote")
    assert home_folder({"XDG_STATE_HOME": "relative"}).is_absolute()


async def test_a_damaged_file_of_the_state_is_named(tmp_path: Path) -> None:
    server = Home(tmp_path / "phalera" / "remote").server("http://127.0.0.1:1")
    server.keep_login("token")
    (server.battles / "k3f9a2bc.json").write_text("{")
    said = await Terminal(tmp_path).type("order", "k3f9a2bc", "end turn")
    assert said.code == 1 and "k3f9a2bc.json is damaged" in said.err


@pytest.mark.slow
async def test_the_list_counts_open_dockets_also_for_the_umpire(server: RunningServer, tmp_path: Path) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    judge = Terminal(tmp_path / "judge")
    await judge.type("login", address_of(server), typed=f"{await token_of(server, 'Judge')}\n")
    battle = await server.battle(anna, bob, umpire="Judge")
    listed = (await judge.type("battles")).out
    assert battle in listed
    assert listed.strip().endswith(", you are the umpire")
    await anna.order(battle, "dispute 1 x")
    assert (await judge.type("battles")).out.strip().endswith(", 1 open docket, you are the umpire")
    await bob.order(battle, "dispute 1 x")
    assert (await judge.type("battles")).out.strip().endswith(", 2 open dockets, you are the umpire")


async def test_a_battle_is_opened_with_tags_and_its_side_taken(server: RunningServer, tmp_path: Path) -> None:
    address, anna = address_of(server), Terminal(tmp_path / "anna", await token_of(server, "Anna"))
    tags = ("--tag", "Spring", "--tag", "league-2")
    told = await anna.type("open", address, "skirmish", "--readers", "link", "--pace", "3d+7d", *tags)
    assert told.code == 0, told
    battle = told.out.split()[0]
    assert f"phalera remote take {battle} SIDE" in told.out
    now = (await (await server.player("Bob")).get(f"{BATTLES}/{battle.rpartition('/')[2]}")).json
    assert (now["tags"], now["readers"], now["pace"]) == (["league-2", "spring"], "link", "3d+7d")
    assert (await anna.type("take", battle, "south", "--plain")).code == 0
    await anna.type("login", address)
    assert "[league-2 spring]" in (await anna.type("battles")).out


async def test_a_battle_of_ones_own_scenario_is_opened_or_refused(server: RunningServer, tmp_path: Path) -> None:
    address, anna = address_of(server), Terminal(tmp_path / "anna", await token_of(server, "Anna"))
    own = tmp_path / "own.toml"
    own.write_text(scenario_text("tts", "skirmish"), encoding="utf-8")
    assert (await anna.type("open", address, str(own), "--game", "tts")).code == 0
    assert "cannot be read" in (await anna.type("open", address, str(tmp_path / "none.toml"))).err
    refused = await anna.type("open", address, "skirmish", "--tag", "l'été")
    assert refused.code == 1 and refused.err.startswith("phalera: Tags are words")


async def test_a_battle_whose_opening_was_not_answered_is_opened_once(server: RunningServer, tmp_path: Path) -> None:
    anna = await remote_player(server, "Anna", tmp_path)
    folder = anna.home.server(anna.address)
    opened = []
    for lost in (1, 0):
        anna.wire.lost = {"battles": lost}
        async with anna.wire as wire:
            with suppress(Unanswered):
                opened.append(await open_battle(wire, folder, WantedBattle(scenario="skirmish"), anna.entropy))
    (place,) = opened
    assert not folder.asked.exists()
    assert [one["battle"] for one in (await (await server.player("Bob")).get(BATTLES)).json["battles"]] == [
        place.battle
    ]
