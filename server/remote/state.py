"""What a player's machine remembers of servers and battles (docs/remote.md, "What is kept").

One folder for each server, readable by its owner alone: the token, the player's key, and for each battle what follows
from nothing else. Where the server knows better (the turn, the seals given so far), nothing is kept.
"""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from domain.basics.decoding import decode
from domain.log.limits import is_battle
from server.remote.errors import NotDone, WrongUse
from server.remote.files import make_private_folder, write_private

T = TypeVar("T", bound=Struct)

STATE_HOME = "XDG_STATE_HOME"
_BATTLE_ADDRESS = re.compile(r"(?P<server>.*?)/(?:api/v1/)?battles/(?P<battle>[^/?#]+)[^/]*")


class Login(Struct, frozen=True):
    """A server by its address (no slash at the end), and the player's API token there."""

    address: str
    token: str


class Pending(Struct, frozen=True):
    """A request that was sent and has no answer yet: what was typed, its key, and its body byte for byte."""

    typed: str
    key: str
    body: str


class KeptSeat(Struct, frozen=True):
    """What is kept of a seat. `told` is the last event told as news; `phrase` is that of player-turn `phrase_t`, the
    same until it is accepted."""

    side: str
    told: int = 0
    phrase: str = ""
    phrase_t: int = -1
    pending: Pending | None = None


class ServerFolder:
    """The folder of one server."""

    def __init__(self, root: Path, address: str) -> None:
        self.address = address
        parts = urlsplit(address)
        name = re.sub(r"[^a-z0-9.-]+", "_", (parts.netloc.rpartition("@")[2] + parts.path).casefold())
        self.folder = root / (name.lstrip(".") or "_")
        self.battles = self.folder / "battles"

    @property
    def key_file(self) -> Path:
        """The player's own key on this server."""
        return self.folder / "player.key"

    @property
    def locker_key(self) -> Path:
        """The key of the player's lockers on this server."""
        return self.folder / "locker.key"

    @property
    def asked(self) -> Path:
        """A request for a battle that has had no answer yet."""
        return self.folder / "opening.asked"

    @property
    def umpire_locker(self) -> Path:
        """The newest version that was seen of the locker with which the player judges."""
        return self.folder / "umpire.locker"

    @property
    def pins(self) -> Path:
        """The keys of hosts and players that were seen so far, on all servers."""
        return self.folder.parent / "pins"

    def login(self) -> Login | None:
        """The login, None before there is one."""
        return read_kept(self.folder / "login.json", Login)

    def keep_folder(self) -> None:
        """Make the folder."""
        for folder in (self.folder, self.battles):
            make_private_folder(folder)

    def keep_login(self, token: str) -> None:
        """Keep a token."""
        self.keep_folder()
        write_kept(self.folder / "login.json", Login(self.address, token))

    def take_over(self, former: "ServerFolder", token: str) -> None:
        """Have what was kept under a former address of this server, battles, books and keys, and the login.

        Raises: NotDone where nothing was kept there, or something is here already
        """
        if self.folder.exists():
            raise NotDone(f"{self.folder} is there already: nothing was moved.")
        if not former.folder.is_dir():
            raise NotDone(f"Nothing is kept of {former.address}.")
        os.rename(former.folder, self.folder)
        self.keep_login(token)

    def place(self, battle: str) -> "BattleFiles":
        """Where a battle of this server is kept."""
        return BattleFiles(self, battle)

    def places(self) -> Iterator["BattleFiles"]:
        """The battles that are kept, by id."""
        return (BattleFiles(self, path.stem) for path in sorted(self.battles.glob("*.json")))


class BattleFiles:
    """The files of one battle."""

    def __init__(self, server: ServerFolder, battle: str) -> None:
        self.server = server
        self.battle = battle
        self.log = server.battles / f"{battle}.battle"
        self.other_log = server.battles / f"{battle}.other.battle"
        self.book = server.battles / f"{battle}.book"
        self.next_book = server.battles / f"{battle}.next.book"
        self.fault = server.battles / f"{battle}.fault"
        self.faulty_log = server.battles / f"{battle}.fault.battle"
        self.checked = server.battles / f"{battle}.checked"
        self.key = server.battles / f"{battle}.key"
        self.locker_seen = server.battles / f"{battle}.locker"
        self.acts = server.battles / f"{battle}.acts"
        self.sent = server.battles / f"{battle}.sent"
        self.asked = server.battles / f"{battle}.asked"
        self._seat = server.battles / f"{battle}.json"

    def kept(self) -> KeptSeat | None:
        """What is kept of the seat, None if there is none."""
        return read_kept(self._seat, KeptSeat)

    def require_kept(self) -> KeptSeat:
        """What is kept of the seat.

        Raises: NotDone
        """
        kept = self.kept()
        if kept is None:
            raise NotDone(f"No side of battle {self.battle} was taken from here: phalera remote take ADDRESS SIDE")
        return kept

    def keep(self, kept: KeptSeat) -> None:
        """Keep what has changed."""
        self.server.keep_folder()
        write_kept(self._seat, kept)

    def forget(self) -> None:
        """Forget a seat that was not taken; the book stays, for the side may be free again."""
        self._seat.unlink(missing_ok=True)


class Home:
    """All servers of a player."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def server(self, address: str) -> ServerFolder:
        """The folder of a server by its address.

        Raises: WrongUse for what is not an address
        """
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise WrongUse(f"“{address}” is not the address of a server: it begins with https:// or http://.")
        return ServerFolder(self.root, address.rstrip("/"))

    def servers(self) -> tuple[ServerFolder, ...]:
        """The servers with a login."""
        found = (read_kept(path, Login) for path in sorted(self.root.glob("*/login.json")))
        return tuple(ServerFolder(self.root, login.address) for login in found if login)

    def place(self, battle: str) -> BattleFiles:
        """A battle by its address or its id; "" for the only one.

        Raises: WrongUse, NotDone
        """
        if found := _BATTLE_ADDRESS.fullmatch(battle):
            return self.server(found["server"]).place(_require_battle(found["battle"]))
        if battle:
            _require_battle(battle)
        places = [p for server in self.servers() for p in server.places() if p.battle == battle or not battle]
        if len(places) == 1:
            return places[0]
        if len(places) > 1:
            known = ", ".join(f"{p.server.address}/battles/{p.battle}" for p in places)
            raise NotDone(f"Name the battle: {known}.")
        servers = self.servers()
        if battle and len(servers) == 1:
            return servers[0].place(battle)
        raise NotDone(f"Battle {battle} is not known here: give its address." if battle else "There is no battle here.")


def home_folder(environment: Mapping[str, str]) -> Path:
    """Where it is all kept: `$XDG_STATE_HOME/phalera/remote`, by default below `~/.local/state`."""
    given = environment.get(STATE_HOME, "")
    base = Path(given) if given.startswith("/") else Path.home() / ".local" / "state"
    return base / "phalera" / "remote"


def _require_battle(battle: str) -> str:
    if not is_battle(battle):
        raise WrongUse(f"“{battle}” cannot be a battle: give its id or its address.")
    return battle


def write_kept(path: Path, value: Struct) -> None:
    """Keep a value in a file."""
    write_private(path, msgspec.json.format(msgspec.json.encode(value)) + b"\n")


def write_compact(path: Path, value: Struct) -> None:
    """Keep a value that nobody reads but the program."""
    write_private(path, msgspec.json.encode(value))


def read_kept(path: Path, kind: type[T]) -> T | None:
    """The value in a file, None if there is none.

    Raises: NotDone
    """
    try:
        return decode(path.read_bytes(), kind)
    except FileNotFoundError:
        return None
    except msgspec.DecodeError as reason:
        raise NotDone(f"{path} is damaged ({reason}).") from None
