"""What a remote player does beside orders: take a side, give it back, claim, pause, be away (docs/remote.md).

From header version 3 on a seat with a key signs each of these, as it signs orders (docs/record-format.md, PBEM-2.1). A
signed line names the newest head that was checked, and is no older than it.
"""

from typing import Any

import msgspec

from domain.log.record import PBEM_2_1
from domain.run.signed_lines import AGREED, CLAIM, LEAVE, holder, pause_line, vacation_line
from replay.proof.chain import Log
from server.remote.connection import BattleNow, Refused, ServerConnection
from server.remote.errors import NotDone
from server.remote.history import SeatInLog, follow, head_of, seat_in
from server.remote.own_acts import SentAct, act_answered, keep_act
from server.remote.signing import PlayerKey, read_key
from server.remote.state import BattleFiles

JOIN = "join "


def own_key(place: BattleFiles, seat: SeatInLog) -> PlayerKey:
    """The key in the player's file.

    Raises: NotDone if the seat was taken with another one
    """
    key = read_key(place.key if place.key.exists() else place.server.key_file)
    if key.public != seat.signer:
        raise NotDone(f"{place.server.key_file} is not the key with which this seat was taken.")
    return key


async def take_signed(
    connection: ServerConnection, place: BattleFiles, side: str, key: PlayerKey, body: dict[str, Any]
) -> None:
    """Take a side with a key; from PBEM-2.1 on that is signed, under the name that the server shows for the account.

    Raises: Refused, Unanswered, OtherHistory, NotDone
    """
    path = f"/battles/{place.battle}/sides/{side}"
    try:
        _, log = await follow(connection, place)
    except Refused:  # only its players may read it: what is signed is known to the server alone
        log = None
    if log is None or log.header.version < PBEM_2_1 or seat_in(log, side).signer == key.public:
        await connection.send(path, msgspec.json.encode(body), BattleNow)
        return
    serial = seat_in(log, side).serials.get(holder(side, key.public), 0) + 1
    try:
        await _send_word(connection, path, place, side, key, serial, log, JOIN, body)
    except Refused as refused:
        if refused.code != "core.bad-signature" or not refused.text.startswith(JOIN):
            raise
        await _send_word(connection, path, place, side, key, serial, log, refused.text, body)


async def act(
    connection: ServerConnection, place: BattleFiles, do: str, days: int = 0, begins: str = "", ends: str = ""
) -> BattleNow:
    """Do something about a seat or its clock: `leave`, `claim`, `pause` (of some days where the seat signs), `resume`,
    or a `vacation` that is planned.

    Raises: Refused, Unanswered, OtherHistory, NotDone
    """
    side = place.require_kept().side
    _, log = await follow(connection, place)
    seat = seat_in(log, side)
    path = f"/battles/{place.battle}/" + (f"sides/{side}/leave" if do == LEAVE else "clock")
    body: dict[str, Any] = {} if do == LEAVE else {"do": do, "side": side}
    body |= {name: value for name, value in (("begins", begins), ("ends", ends)) if value}
    signs = bool(seat.signer) and log.header.version >= PBEM_2_1
    line = {LEAVE: LEAVE, "claim": CLAIM, "vacation": vacation_line(begins, ends)}.get(do, "")
    if do == "pause" and signs:
        line = AGREED if _is_asked(log, side) else pause_line(days or 7)
        body |= {} if line == AGREED else {"days": days or 7}
    if not (signs and line):
        return await connection.send(path, msgspec.json.encode(body), BattleNow)
    now = await _send_word(connection, path, place, side, own_key(place, seat), seat.serial + 1, log, line, body)
    try:
        return (await follow(connection, place))[0]
    except Refused:  # who has left a battle that only its players may read
        return now


async def _send_word(
    connection: ServerConnection,
    path: str,
    place: BattleFiles,
    side: str,
    key: PlayerKey,
    serial: int,
    log: Log,
    line: str,
    body: dict[str, Any],
) -> BattleNow:
    seen = head_of(log)
    signed = key.sign(place.battle, side, serial, seen, text=line)
    more = {"seen": {"n": seen.n, "hash": seen.hash}, "signature": signed}
    signer = str(body.get("signer", ""))
    act = SentAct(side, seen, line, serial, str(signed["signature"]), signer)
    is_guess = line == JOIN  # the server answers with the line that it takes
    if not is_guess:
        keep_act(place, act)
    try:
        now = await connection.send(path, msgspec.json.encode({**body, **more}), BattleNow)
    except Refused:
        act_answered(place, act, taken=False)
        raise
    if not is_guess:
        act_answered(place, act, taken=True)
    return now


def _is_asked(log: Log, side: str) -> bool:
    """Whether another side has asked for a pause, as the newest clock event of the log says."""
    for line in reversed(log.lines):
        event = msgspec.json.decode(line)
        if event["type"] == "ClockFired" and event["data"]["what"] in ("pause-asked", "pause", "pause-over"):
            return bool(event["data"]["what"] == "pause-asked" and event["data"]["side"] != side)
    return False
