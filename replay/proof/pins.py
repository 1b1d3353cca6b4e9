"""Remember the keys of hosts and players, and stop where another one shows, as ssh does with its known hosts.

The file has a line for each key: `HOST KEY` with the verifier key of a host (`NAME+ID+BASE64`), `HOST PLAYER KEY` with
a player's id and the base64 of their key. A name may have several keys. Whoever is not known yet is taken at first
sight; a further key is taken by itself only if the log shows that the former one has signed for it.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import msgspec

from domain.log.limits import is_player
from domain.log.points import KEY_BYTES, is_strong_key, key_id
from replay.proof.blocks import ProtocolFault
from replay.proof.chain import Log
from replay.proof.notes import BadNote, Verifier
from replay.proof.own_words import signature_bytes
from replay.proof.stored import lines_ending

KEYED = (b'"type":"SideJoined"}', b'"type":"UmpireNamed"}')
"""The events by which a player brings a key."""


class BadPins(ValueError):
    """A line that is no pin; `line` counts from 1."""

    def __init__(self, line: int) -> None:
        super().__init__(f"line {line} is no pin: HOST KEY or HOST PLAYER KEY")
        self.line = line


class Pin(NamedTuple):
    """A key of a host (`player` ""), or of a player at a host."""

    host: str
    player: str
    key: str

    def line(self) -> str:
        """The pin as the file has it."""
        return " ".join(part for part in self if part)

    @property
    def kid(self) -> str:
        """The key as people compare it."""
        return kid_of(self.key) if self.player else Verifier(self.key).kid


class KeyInLog(NamedTuple):
    """A key that a log brings with event `n`, 0 for the header; `name` is that of its player as shown there."""

    n: int
    pin: Pin
    name: str = ""
    side: str = ""


def read_pins(text: str) -> tuple[Pin, ...]:
    """The pins of a file; empty lines and those that begin with # count for nothing.

    Raises:  BadPins
    """
    return tuple(
        _pin(line.split(), number)
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and not line.startswith("#")
    )


def written(pins: Iterable[Pin]) -> str:
    """A file of pins."""
    return "".join(f"{pin.line()}\n" for pin in pins)


def new_pins(log: Log, pins: Iterable[Pin]) -> tuple[Pin, ...]:
    """The keys of a log that are seen for the first time, or follow from a known one.

    Raises:  ProtocolFault `host-key-unknown`, `player-key-unknown` where a name that is known has another key
    """
    known: dict[tuple[str, str], list[str]] = {}
    for pin in pins:
        known.setdefault((pin.host, pin.player), []).append(pin.key)
    found: list[Pin] = []
    signed_for = {key.key for _, key in log.keys}
    for one in keys_of(log):
        keys = known.setdefault((one.pin.host, one.pin.player), [])
        if one.pin.key in keys:
            continue
        if keys and not (not one.pin.player and signed_for.intersection(keys)):
            kids = [Pin(one.pin.host, one.pin.player, key).kid for key in keys]
            what = "player-key-unknown" if one.pin.player else "host-key-unknown"
            who = {"player": one.name or one.pin.player} if one.pin.player else {}
            raise ProtocolFault(one.n, what, host=one.pin.host, kid=one.pin.kid, known=kids, line=one.pin.line(), **who)
        keys.append(one.pin.key)
        found.append(one.pin)
    return tuple(found)


def require_player_keys(log: Log, expected: Mapping[str, str]) -> None:
    """Compare the keys of seats with those that a reader has got elsewhere: by side, player's id or shown name; each a
    key in base64 or its `kid`.

    Raises:  ProtocolFault `player-key-differs`, `player-key-missing`
    """
    found = keys_of(log)
    for who, key in expected.items():
        own = [one for one in found if one.pin.player and who in (one.pin.player, one.name, one.side)]
        if not own:
            raise ProtocolFault(0, "player-key-missing", player=who)
        for one in own:
            if key.replace(" ", "") not in (one.pin.key, one.pin.kid.replace(" ", "")):
                raise ProtocolFault(one.n, "player-key-differs", player=who, kid=one.pin.kid, expected=key)


def keys_of(log: Log) -> tuple[KeyInLog, ...]:
    """The keys of a log, its host's and those that players have brought."""
    return (*(KeyInLog(n, Pin(log.header.host, "", key.key)) for n, key in log.keys), *_of_players(log))


def kid_of(key: str) -> str:
    """The `kid` of a player's key in base64, "" if it is none."""
    public = signature_bytes(key, KEY_BYTES)
    return "" if public is None else key_id(public)


def _of_players(log: Log) -> Iterator[KeyInLog]:
    for line in lines_ending(log.lines, KEYED):
        event = msgspec.json.decode(line)
        data = event["data"]
        signer, player = data.get("signer"), data.get("player")
        if isinstance(player, str) and is_player(player) and isinstance(signer, str) and kid_of(signer):
            pin = Pin(log.header.host, player, signer)
            yield KeyInLog(event["n"], pin, str(data.get("name", "")), str(data.get("side", "")))


def _pin(parts: list[str], number: int) -> Pin:
    if len(parts) == 2:
        try:
            if Verifier(parts[1]).name == parts[0]:
                return Pin(parts[0], "", parts[1])
        except BadNote:
            pass
    elif len(parts) == 3 and is_player(parts[1]):
        public = signature_bytes(parts[2], KEY_BYTES)
        if public is not None and is_strong_key(public):
            return Pin(*parts)
    raise BadPins(number)
