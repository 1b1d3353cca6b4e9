"""Move to another address.

Nothing moves before the new address has answered: a letter goes there with a token, and only who has it can let it
happen. The old address is told by the answer to the command. So that nobody is written to whom they do not want to
hear from, a player may ask for few addresses a day, and an address is written to once a day.

A guest costs nothing to make, so for a guest no letter goes out at all: they write first, from the address that they
call theirs. If their mail system vouches for it, that is the proof; if not, the letter answers their mail.

No key is needed: the same address on the same day is one request.
"""

import msgspec
from msgspec import Struct

from domain.basics.decoding import decode
from domain.basics.errors import Refusal
from replay.writing.clock import later
from server.acts.services import Services
from server.people import notices
from server.people.notices import AccountEvent
from server.people.players import Player
from server.store import Violated
from server.store.tables import accounts, correspondents, mail_tokens, outbox
from server.store.tables.accounts import name_key
from server.store.tables.mail_tokens import MailToken
from server.store.tables.outbox import LetterKind

RULE = "CORE-ADDRESS"
CONFIRM_S = 7 * 24 * 3600
MOST_A_DAY = 3
KIND = "confirm"


class AddressMove(Struct, frozen=True):
    """The content of a confirm token while an address waits for its answer."""

    address: str


class AddressClaim(Struct, frozen=True):
    """The content of a confirm token to which a guest writes from the address that they call theirs."""

    claim: str


class AskedAddress(Struct, frozen=True):
    """An address that waits for its proof. `reply`: where a guest has to write from it; "" where a letter has gone to
    it."""

    address: str
    reply: str = ""


async def ask_to_move(services: Services, player: Player, written: str) -> AskedAddress:
    """Ask at a new address whether it is the player's; a guest is told where to write from it. The same again on the
    same day changes nothing more.

    Raises: Refusal core.no-mail, core.bad-address, core.same-address, core.too-many-addresses
    """
    if not services.battles.settings.mail:
        raise Refusal("core.no-mail", RULE)
    address = services.addresses.elsewhere(written)
    if not address:
        raise Refusal("core.bad-address", RULE, word=written[:80])
    account = services.account(player.id)  # and not what a session remembers of them
    if account is None or not account.email:
        return await _claim(services, player.id, address)
    if name_key(address) == name_key(account.email):
        raise Refusal("core.same-address", RULE, address=address)
    await write_there(services, player.id, address)
    return AskedAddress(address)


async def _claim(services: Services, player: str, address: str) -> AskedAddress:
    """Let a guest prove an address by writing from it. Nothing is sent.

    Raises: Refusal core.too-many-addresses
    """
    now = services.now()
    token = services.addresses.token(KIND, f"claim.{player}.{name_key(address)}.{now[:10]}")
    if mail_tokens.find(services.store, token) is None:
        slot = _free_slot(services, player, now, "claim-slot")
        content, expires = msgspec.json.encode(AddressClaim(address)), later(now, CONFIRM_S)
        await services.store.write(
            mail_tokens.issue(slot, KIND, player, now, expires=now),
            mail_tokens.issue(token, KIND, player, now, content=content, expires=expires),
        )
    return AskedAddress(address, services.addresses.to(token))


async def write_there(services: Services, player: str, address: str) -> None:
    """Post the letter that asks at an address whether it is the player's; once a day.

    Raises: Refusal core.too-many-addresses
    """
    now = services.now()
    name = _name(address, now)
    known = mail_tokens.find(services.store, services.addresses.token(KIND, name))
    if known is not None:
        if known.player != player:
            raise Refusal("core.too-many-addresses", RULE, most=MOST_A_DAY)
        return
    slot = _free_slot(services, player, now, "address-slot")
    content, expires = msgspec.json.encode(AddressMove(address)), later(now, CONFIRM_S)
    token = services.addresses.token(KIND, name)
    taken = mail_tokens.issue(slot, KIND, player, now, content=b"", expires=now)  # counts; opens nothing
    asked = mail_tokens.issue(token, KIND, player, now, content=content, expires=expires)
    try:
        await services.store.write(taken, asked, outbox.post("", 0, player, f"{LetterKind.CONFIRM}:{name}", now))
    except Violated:  # asked for a moment ago
        return
    services.ring()


def _name(address: str, now: str) -> str:
    """The name of the token of an address on a day. It is not the address, because names are visible in the outbox."""
    return f"address.{mail_tokens.digest(name_key(address)).hex()[:32]}.{now[:10]}"


def _free_slot(services: Services, player: str, now: str, what: str) -> str:
    """A token that counts one address of a day, asked for or claimed.

    Raises: Refusal core.too-many-addresses
    """
    for place in range(MOST_A_DAY):
        slot = services.addresses.token(KIND, f"{what}.{player}.{now[:10]}.{place}")
        if mail_tokens.find(services.store, slot) is None:
            return slot
    raise Refusal("core.too-many-addresses", RULE, most=MOST_A_DAY)


async def move(services: Services, known: MailToken, token: str, address: str) -> None:
    """Make an address the player's whose token it is, and tell the old one; findings about that are discarded.

    Raises: Unmatched for a token that is spent
    """
    kept, account = services.wishes(known.player), services.account(known.player)
    fresh = kept._replace(signed="", bounces=0, stopped="" if kept.stopped == "bounced" else kept.stopped)
    clock, entropy = services.battles.clock, services.battles.entropy
    told = notices.notice_to(clock, entropy, account, AccountEvent.ADDRESS) if account is not None else ()
    await services.store.write(
        mail_tokens.use(token, KIND, services.now()),
        accounts.move(known.player, address),
        correspondents.save(fresh),
        *told,
    )
    services.ring()


def move_of(known: MailToken) -> str:
    """The address that a confirm token holds, or ""."""
    try:
        return decode(known.content, AddressMove).address
    except msgspec.DecodeError:
        return ""


def claim_of(known: MailToken | None) -> str:
    """The address that a guest claims under a confirm token, or ""."""
    try:
        return decode(known.content, AddressClaim).claim if known else ""
    except msgspec.DecodeError:
        return ""
