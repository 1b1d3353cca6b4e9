"""Remember the keys of hosts and players, and stop where another one shows, as ssh does with its known hosts.

The file has a line for each key: `HOST KEY` with the verifier key of a host (`NAME+ID+BASE64`), `HOST BATTLE PLAYER
KEY` with a player's id and the base64 of the key of their seat, `HOST PLAYER KEY` with that of their account, by which
they judge, or one that is known to be theirs in all battles. A browser makes a key for each battle, so a seat is known
within its battle: who has other keys elsewhere is told of (`known_otherwise`). A name may have several keys. Whoever is
not known yet is taken at first sight; a further key is taken by itself only if the log shows that the former one has
signed for it.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import msgspec

from domain.log.limits import is_battle, is_player
from domain.log.points import KEY_BYTES, is_strong_key, key_id
from replay.proof.blocks import ProtocolFault
from replay.proof.chain import Log
from replay.proof.faults import ENGLISH, quoted
from replay.proof.notes import BadNote, Verifier
from replay.proof.own_words import signature_bytes
from replay.proof.stored import lines_ending
from replay.telling import words

KEYED = (b'"type":"SideJoined"}', b'"type":"UmpireNamed"}')
"""The events by which a player brings a key."""


class BadPins(ValueError):
    """A line that is no pin; `line` counts from 1."""

    def __init__(self, line: int) -> None:
        super().__init__(f"line {line} is no pin: HOST KEY, HOST PLAYER KEY or HOST BATTLE PLAYER KEY")
        self.line = line


class Pin(NamedTuple):
    """A key of a host (`player` ""), or of a player at a host: in one battle, or in all (`battle` "")."""

    host: str
    player: str
    key: str
    battle: str = ""

    def line(self) -> str:
        """The pin as the file has it."""
        return " ".join(part for part in (self.host, self.battle, self.player, self.key) if part)

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
    """The keys of a log that are seen for the first time, or follow from a known one. Of a battle that is seen for the
    first time all keys of seats are taken: who gives a seat back before it begins and takes it again has two.

    Raises:  ProtocolFault `host-key-unknown`, `player-key-unknown` where a name that is known has another key
    """
    known = _by_name(pins)
    battles = {battle for (_, _, battle), keys in known.items() if battle and keys}
    found: list[Pin] = []
    signed_for = {key.key for _, key in log.keys}
    for one in keys_of(log):
        pin = one.pin
        keys = known.setdefault((pin.host, pin.player, pin.battle), [])
        if pin.key in keys:
            continue
        follows = not pin.player and bool(signed_for.intersection(keys))
        is_taken = pin.battle and (pin.battle not in battles or pin.key in known.get((pin.host, pin.player, ""), ()))
        if keys and not follows and not is_taken:
            raise _unknown(one, keys)
        keys.append(pin.key)
        found.append(pin)
    return tuple(found)


def known_otherwise(log: Log, new: Iterable[Pin], pins: Iterable[Pin], lang: str = ENGLISH) -> tuple[str, ...]:
    """A sentence for each of the `new` keys of seats whose player is known by other keys alone. That is no fault."""
    known: dict[tuple[str, str], dict[str, None]] = {}
    for pin in pins:
        known.setdefault((pin.host, pin.player), {})[pin.key] = None
    fresh = {pin for pin in new if pin.battle}
    met = ((one, known.get((one.pin.host, one.pin.player), {})) for one in keys_of(log) if one.pin in fresh)
    return tuple(_otherwise(one, keys, lang) for one, keys in met if keys and one.pin.key not in keys)


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


def _by_name(pins: Iterable[Pin]) -> dict[tuple[str, str, str], list[str]]:
    """Keys by host, player and battle."""
    known: dict[tuple[str, str, str], list[str]] = {}
    for pin in pins:
        known.setdefault((pin.host, pin.player, pin.battle), []).append(pin.key)
    return known


def _unknown(one: KeyInLog, keys: Iterable[str]) -> ProtocolFault:
    """What to say of a key of a name that is known by other `keys`."""
    pin = one.pin
    kids = [pin._replace(key=key).kid for key in keys]
    what = "player-key-unknown" if pin.player else "host-key-unknown"
    who = {"player": one.name or pin.player} if pin.player else {}
    return ProtocolFault(one.n, what, host=pin.host, kid=pin.kid, known=kids, line=pin.line(), **who)


def _otherwise(one: KeyInLog, keys: Iterable[str], lang: str) -> str:
    details = {"player": one.name or one.pin.player, "battle": one.pin.battle, "kid": one.pin.kid}
    return words.phrase("verdict.key-elsewhere", quoted(details | {"known": list(map(kid_of, keys))}), lang)


def _of_players(log: Log) -> Iterator[KeyInLog]:
    for line in lines_ending(log.lines, KEYED):
        event = msgspec.json.decode(line)
        data = event["data"]
        signer, player = data.get("signer"), data.get("player")
        if isinstance(player, str) and is_player(player) and isinstance(signer, str) and kid_of(signer):
            is_seat = event["type"] == "SideJoined"
            pin = Pin(log.header.host, player, signer, log.header.battle if is_seat else "")
            yield KeyInLog(event["n"], pin, str(data.get("name", "")), str(data.get("side", "")))


def _pin(parts: list[str], number: int) -> Pin:
    if len(parts) == 2:
        try:
            if Verifier(parts[1]).name == parts[0]:
                return Pin(parts[0], "", parts[1])
        except BadNote:
            pass
    elif len(parts) in (3, 4) and is_player(parts[-2]):
        public = signature_bytes(parts[-1], KEY_BYTES)
        battle = parts[1] if len(parts) == 4 else ""
        if public is not None and is_strong_key(public) and (not battle or is_battle(battle)):
            return Pin(parts[0], parts[-2], parts[-1], battle)
    raise BadPins(number)
