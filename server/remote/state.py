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

from domain.decoding import decode
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


class Kept(Struct, frozen=True):
    """What is kept of a seat. `told` is the last event told as news; `phrase` is that of player-turn `phrase_t`, the
    same until it is accepted."""

    side: str
    told: int = 0
    phrase: str = ""
    phrase_t: int = -1
    pending: Pending | None = None


class Server:
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

    def login(self) -> Login | None:
        """The login, None before there is one."""
        return _read(self.folder / "login.json", Login)

    def keep_folder(self) -> None:
        """Make the folder."""
        for folder in (self.folder, self.battles):
            make_private_folder(folder)

    def keep_login(self, token: str) -> None:
        """Keep a token."""
        self.keep_folder()
        _write(self.folder / "login.json", Login(self.address, token))

    def take_over(self, former: "Server", token: str) -> None:
        """Have what was kept under a former address of this server, battles, books and keys, and the login.

        Raises: NotDone where nothing was kept there, or something is here already
        """
        if self.folder.exists():
            raise NotDone(f"{self.folder} is there already: nothing was moved.")
        if not former.folder.is_dir():
            raise NotDone(f"Nothing is kept of {former.address}.")
        os.rename(former.folder, self.folder)
        self.keep_login(token)

    def place(self, battle: str) -> "Place":
        """Where a battle of this server is kept."""
        return Place(self, battle)

    def places(self) -> Iterator["Place"]:
        """The battles that are kept, by id."""
        return (Place(self, path.stem) for path in sorted(self.battles.glob("*.json")))


class Place:
    """The files of one battle."""

    def __init__(self, server: Server, battle: str) -> None:
        self.server = server
        self.battle = battle
        self.log = server.battles / f"{battle}.battle"
        self.other_log = server.battles / f"{battle}.other.battle"
        self.book = server.battles / f"{battle}.book"
        self.next_book = server.battles / f"{battle}.next.book"
        self._seat = server.battles / f"{battle}.json"

    def kept(self) -> Kept | None:
        """What is kept of the seat, None if there is none."""
        return _read(self._seat, Kept)

    def require_kept(self) -> Kept:
        """What is kept of the seat.

        Raises: NotDone
        """
        kept = self.kept()
        if kept is None:
            raise NotDone(f"No side of battle {self.battle} was taken from here: phalera remote take ADDRESS SIDE")
        return kept

    def keep(self, kept: Kept) -> None:
        """Keep what has changed."""
        self.server.keep_folder()
        _write(self._seat, kept)

    def forget(self) -> None:
        """Forget a seat that was not taken; the book stays, for the side may be free again."""
        self._seat.unlink(missing_ok=True)


class Home:
    """All servers of a player."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def server(self, address: str) -> Server:
        """The folder of a server by its address.

        Raises: WrongUse for what is not an address
        """
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise WrongUse(f"“{address}” is not the address of a server: it begins with https:// or http://.")
        return Server(self.root, address.rstrip("/"))

    def servers(self) -> tuple[Server, ...]:
        """The servers with a login."""
        found = (_read(path, Login) for path in sorted(self.root.glob("*/login.json")))
        return tuple(Server(self.root, login.address) for login in found if login)

    def place(self, battle: str) -> Place:
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


def _write(path: Path, value: Struct) -> None:
    write_private(path, msgspec.json.format(msgspec.json.encode(value)) + b"\n")


def _read(path: Path, kind: type[T]) -> T | None:
    try:
        return decode(path.read_bytes(), kind)
    except FileNotFoundError:
        return None
    except msgspec.DecodeError as reason:
        raise NotDone(f"{path} is damaged ({reason}).") from None
