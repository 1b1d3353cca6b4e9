"""Commands by mail: move to another address.

Nothing moves before the new address has answered: a letter goes there with a token, and only who has it can let it
happen. The old address is told by the answer to the command. So that nobody is written to whom they do not want to
hear from, a player may ask for few addresses a day, and an address is written to once a day.

A guest costs nothing to make, so for a guest no letter goes out at all: they write first, from the address that they
call theirs. If their mail system vouches for it, that is the proof; if not, the letter answers their mail.
"""

import re

import msgspec
from msgspec import Struct

from domain.decoding import decode
from domain.engine.message import Message
from server.clock import later
from server.mail.address import Addresses
from server.mail.blocks import Block, Link, Paragraph
from server.mail.desk.caller import Caller, Declined
from server.mail.desk.desk import Desk
from server.mail.verdict import MailRequest
from server.play.live_battles import LiveBattles
from server.store import Violated
from server.store.tables import correspondents, mail_tokens, outbox
from server.store.tables.accounts import name_key
from server.store.tables.mail_tokens import MailToken
from server.store.tables.outbox import Letter, LetterKind
from server.words import say

CONFIRM_S = 7 * 24 * 3600
MOST_A_DAY = 3
LONGEST_ADDRESS = 254
KIND = "confirm"
_ADDRESS = re.compile(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}"
)


class AddressMove(Struct, frozen=True):
    """The content of a confirm token while an address waits for its answer."""

    address: str


async def ask(desk: Desk, request: MailRequest, caller: Caller, key: str) -> Message:
    """`address NEW@EXAMPLE`.

    Raises: Declined, as `ask_new_address`
    """
    if not request.args:
        return Message("desk.did.address-is", {"address": caller.account.email})
    address = await ask_new_address(desk, caller, request.args[0])
    return Message("desk.did.address", {"address": address})


async def ask_new_address(desk: Desk, caller: Caller, written: str) -> str:
    """Send a letter to a new address that asks for an answer; returns the address as written there. Repeating it on the
    same day sends no second letter.

    Raises: Declined desk.bad-address, desk.own-address, desk.address-later
    """
    address = address_in(desk, written)
    if not address:
        raise Declined("desk.bad-address", word=written[:80])
    if name_key(address) == name_key(caller.account.email):
        raise Declined("desk.own-address", address=address)
    await _post(desk, caller.account.player, address)
    return address


class AddressClaim(Struct, frozen=True):
    """The content of a confirm token to which a guest writes from the address that they call theirs."""

    claim: str


async def claim_address(desk: Desk, player: str, written: str) -> tuple[str, str]:
    """Let a guest prove an address by writing from it; returns it, and where to write. Nothing is sent.

    Raises: Declined desk.bad-address, desk.address-later
    """
    address = address_in(desk, written)
    if not address:
        raise Declined("desk.bad-address", word=written[:80])
    now = desk.now()
    token = desk.addresses.token(KIND, f"claim.{player}.{name_key(address)}.{now[:10]}")
    if mail_tokens.find(desk.store, token) is None:
        slot = _free_slot(desk, player, now, "claim-slot")
        content, expires = msgspec.json.encode(AddressClaim(address)), later(now, CONFIRM_S)
        await desk.store.write(
            mail_tokens.issue(slot, KIND, player, now, expires=now),
            mail_tokens.issue(token, KIND, player, now, content=content, expires=expires),
        )
    return address, desk.addresses.to(token)


def claim_of(known: MailToken | None) -> str:
    """The address that a guest claims under a confirm token, or ""."""
    try:
        return decode(known.content, AddressClaim).claim if known else ""
    except msgspec.DecodeError:
        return ""


async def write_to_claimed(desk: Desk, player: str, address: str) -> None:
    """Ask at an address from which a mail has come whether it is the player's; once a day.

    Raises: Declined desk.address-later
    """
    await _post(desk, player, address)


def address_in(desk: Desk, written: str) -> str:
    """The one plain address that somebody has written; "" for anything else, and for an address of this server."""
    address = written.strip().strip("<>,;")
    if len(address) > LONGEST_ADDRESS or not _ADDRESS.fullmatch(address) or ".." in address:
        return ""
    return "" if desk.addresses.is_own(address) else address


async def _post(desk: Desk, player: str, address: str) -> None:
    """The letter to the new address, and its placeholder until it is answered."""
    now = desk.now()
    name = _name(address, now)
    known = mail_tokens.find(desk.store, desk.addresses.token(KIND, name))
    if known is not None:
        if known.player != player:
            raise Declined("desk.address-later")
        return
    slot = _free_slot(desk, player, now, "address-slot")
    content, expires = msgspec.json.encode(AddressMove(address)), later(now, CONFIRM_S)
    token = desk.addresses.token(KIND, name)
    taken = mail_tokens.issue(slot, KIND, player, now, content=b"", expires=now)  # counts; opens nothing
    asked = mail_tokens.issue(token, KIND, player, now, content=content, expires=expires)
    try:
        await desk.store.write(taken, asked, outbox.post("", 0, player, f"{LetterKind.CONFIRM}:{name}", now))
    except Violated:  # asked for a moment ago
        return
    desk.ring()


def _name(address: str, now: str) -> str:
    """The name of the token of an address on a day. It is not the address, because names are visible in the outbox."""
    return f"address.{mail_tokens.digest(name_key(address)).hex()[:32]}.{now[:10]}"


def _free_slot(desk: Desk, player: str, now: str, what: str) -> str:
    """A token that counts one address of a day, asked for or claimed.

    Raises: Declined desk.address-later
    """
    for place in range(MOST_A_DAY):
        slot = desk.addresses.token(KIND, f"{what}.{player}.{now[:10]}.{place}")
        if mail_tokens.find(desk.store, slot) is None:
            return slot
    raise Declined("desk.address-later")


class Asking(Struct, frozen=True):
    """The letter to the new address: its recipient, the token of its Reply-To, and its text in `lang`."""

    address: str
    token: str
    lang: str
    title: str
    lead: str
    blocks: tuple[Block, ...]


def asking_letter(battles: LiveBattles, addresses: Addresses, row: Letter) -> Asking | None:
    """The letter for a row `confirm:NAME` of the outbox; None if nothing waits under that name any more."""
    token = addresses.token(KIND, row.kind.partition(":")[2])
    known = mail_tokens.good(battles.store, token, KIND, battles.clock.now())
    address = move_of(known) if known and known.player == row.recipient else ""
    if not address:
        return None
    lang = correspondents.find(battles.store, row.recipient).lang
    said = {"address": address, "reply": addresses.to(token)}  # no name: we carry nobody's words to strangers
    blocks = (
        Link(say(lang, "desk.asking.link"), f"{battles.settings.address}/confirm/{token}"),
        Paragraph(say(lang, "desk.asking.reply", **said)),
        Paragraph(say(lang, "desk.asking.else")),
    )
    return Asking(address, token, lang, say(lang, "desk.asking.title"), say(lang, "desk.asking.lead", **said), blocks)


def move_of(known: MailToken) -> str:
    """The address that a confirm token holds, or ""."""
    try:
        return decode(known.content, AddressMove).address
    except msgspec.DecodeError:
        return ""
