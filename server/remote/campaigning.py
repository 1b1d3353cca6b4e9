"""Take part in a campaign from a terminal: enter it, give lines, give a role, each signed where one has a key in it.

Before anything is signed the log is verified, it has the newest head that was seen from here, and the line that the
server wants signed is the one that was written.
"""

from typing import Any

import msgspec
from msgspec import Struct

from domain.campaign.notation import read_orders, write_order
from domain.events.battle import Seen
from replay.proof.campaign import verdict
from replay.proof.campaign.log import open_campaign
from replay.proof.campaign.verify import verify_campaign
from replay.proof.verify import FAULT, NOT_A_FILE
from replay.writing.entropy import Entropy
from server.entropy import new_secret
from server.remote.connection import ServerConnection
from server.remote.errors import NotDone
from server.remote.once import send_once
from server.remote.signing import PlayerKey, read_key, read_or_make_key
from server.remote.state import ServerFolder, read_kept, write_kept


class AnsweredInCampaign(Struct, frozen=True):
    """What became of a line."""

    line: int
    text: str
    status: str
    detail: str


class _Answers(Struct, frozen=True):
    lines: tuple[AnsweredInCampaign, ...]
    n: int


class _ToSign(Struct, frozen=True):
    seat: str
    signer: str
    serial: int
    text: str
    brings: bool


class _AllToSign(Struct, frozen=True):
    lines: tuple[_ToSign, ...]


class _Entered(Struct, frozen=True):
    entrant: str
    title: str


async def say_in(
    connection: ServerConnection, server: ServerFolder, campaign: str, orders: str, entropy: Entropy
) -> tuple[tuple[AnsweredInCampaign, ...], bool]:
    """Give lines; what became of each, and whether they were signed.

    Raises: Refusal core.parse; Refused, Unanswered (the same again goes on), NotDone
    """
    expected = [write_order(order) for order in read_orders(orders)]
    path, phrase = f"/campaigns/{campaign}", new_secret(entropy)
    asked = await _asked(connection, campaign, {"orders": orders})
    for line, text in zip(asked.lines, expected, strict=True):
        if sorted(line.text.split()) != sorted(text.split()):
            raise NotDone(f"The server wants “{line.text}” signed for “{text}”. Nothing was signed.")
    body: dict[str, Any] = {"orders": orders, "phrase": phrase}
    body |= await _signed(connection, server, campaign, asked.lines, phrase)
    answered = await send_once(connection, server, f"{path}/orders", body, _Answers, entropy, same=[path, orders])
    return answered.lines, bool(body.get("signatures"))


async def enter_in(
    connection: ServerConnection,
    server: ServerFolder,
    campaign: str,
    entrant: str,
    phrase: str,
    entropy: Entropy,
    *,
    signs: bool,
) -> tuple[str, str]:
    """Enter; the entrant that one is, and the key with which one signs from here on, "" for none.

    Raises: Refused, Unanswered, NotDone
    """
    signer = read_or_make_key(server.key_file, entropy).public if signs else ""
    body: dict[str, Any] = {"entrant": entrant, "phrase": phrase or new_secret(entropy), "signer": signer}
    if signs:
        asked = await _asked(connection, campaign, {"enter": body})
        (line,) = asked.lines
        if not line.text.startswith("join "):
            raise NotDone(f"The server wants “{line.text}” signed for entering. Nothing was signed.")
        body |= {"entrant": line.seat, **await _signed(connection, server, campaign, asked.lines, body["phrase"])}
    path = f"/campaigns/{campaign}/entrants"
    entered = await send_once(connection, server, path, body, _Entered, entropy, same=[path, entrant])
    return entered.entrant, signer


async def name_in(
    connection: ServerConnection, server: ServerFolder, campaign: str, role: str, name: str, entropy: Entropy
) -> None:
    """Give a role to somebody.

    Raises: Refused, Unanswered, NotDone
    """
    body: dict[str, Any] = {"role": role, "name": name}
    asked = await _asked(connection, campaign, {"role": body})
    if [line.text for line in asked.lines] != [f"role {role} {name}"]:
        raise NotDone(f"The server wants “{asked.lines[0].text}” signed. Nothing was signed.")
    body |= await _signed(connection, server, campaign, asked.lines, "")
    path = f"/campaigns/{campaign}/roles"
    await send_once(connection, server, path, body, _Entered, entropy, same=[path, role, name])


async def _asked(connection: ServerConnection, campaign: str, wanted: dict[str, Any]) -> _AllToSign:
    return await connection.send(f"/campaigns/{campaign}/lines", msgspec.json.encode(wanted), _AllToSign)


async def _signed(
    connection: ServerConnection, server: ServerFolder, campaign: str, lines: tuple[_ToSign, ...], phrase: str
) -> dict[str, Any]:
    """The members of a request with signed lines; none where nothing is signed.

    Raises: NotDone where the log does not hold, or another key is wanted
    """
    signers = {line.signer for line in lines if line.signer}
    if not signers:
        return {}
    key = read_key(server.key_file)
    if signers != {key.public}:
        raise NotDone(f"{server.key_file} is not the key with which you sign in this campaign.")
    seen = await _checked_head(connection, server, campaign)
    signatures = [_signature(key, campaign, line, seen, phrase) for line in lines if line.signer]
    return {"seen": {"n": seen.n, "hash": seen.hash}, "signatures": signatures}


def _signature(key: PlayerKey, campaign: str, line: _ToSign, seen: Seen, phrase: str) -> dict[str, int | str]:
    giving = phrase.encode() if line.brings else b""
    return key.sign(campaign, line.seat, line.serial, seen, giving, line.text)


async def _checked_head(connection: ServerConnection, server: ServerFolder, campaign: str) -> Seen:
    """The newest head of a campaign whose log holds, and goes on from the one that was seen last.

    Raises: NotDone
    """
    content = (await connection.ask("GET", f"/campaigns/{campaign}/export")).content
    report = verify_campaign(content)
    if report.exit in (FAULT, NOT_A_FILE) or report.campaign != campaign:
        raise NotDone(f"The log of the campaign does not hold. {next(iter(verdict.lines(report)), '')}")
    hashes = open_campaign(content).chained.hashes
    file = server.folder / "campaigns" / f"{campaign}.head"
    kept = read_kept(file, Seen)
    if kept is not None and (kept.n >= len(hashes) or hashes[kept.n].hex() != kept.hash):
        raise NotDone(
            f"The server shows another history of this campaign than before, up to event {kept.n}. Keep {file}, and "
            "compare with the others."
        )
    seen = Seen(hashes[-1].hex(), len(hashes) - 1)
    server.keep_folder()
    file.parent.mkdir(mode=0o700, exist_ok=True)
    write_kept(file, seen)
    return seen
