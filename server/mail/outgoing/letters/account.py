"""Letters about an account: a link to log in, the question at a new address, what has happened to the account."""

from datetime import datetime

from msgspec import Struct

from server.acts import address as moving
from server.acts import log_in
from server.mail.blocks import Block, Link, Paragraph
from server.people import players
from server.people.addresses import Addresses
from server.people.notices import AccountEvent
from server.play.live_battles import LiveBattles
from server.store.tables import accounts, correspondents, mail_tokens, notices
from server.store.tables.outbox import Letter
from server.words import say

SETTINGS = "/settings#sessions"


class Asking(Struct, frozen=True):
    """A letter to an address alone: its recipient, the token of its Reply-To ("": none), and its text in `lang`."""

    address: str
    token: str
    lang: str
    title: str
    lead: str
    blocks: tuple[Block, ...]


def asking_letter(battles: LiveBattles, addresses: Addresses, row: Letter) -> Asking | None:
    """The letter for a row `confirm:NAME` of the outbox; None if nothing waits under that name any more."""
    token = addresses.token(moving.KIND, row.kind.partition(":")[2])
    known = mail_tokens.good(battles.store, token, moving.KIND, battles.clock.now())
    address = moving.move_of(known) if known and known.player == row.recipient else ""
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


def login_letter(battles: LiveBattles, addresses: Addresses, row: Letter) -> Asking | None:
    """The letter for a row `login:NAME` of the outbox; None when its link works no more."""
    store, now = battles.store, battles.clock.now()
    token = addresses.token(log_in.KIND, row.kind.partition(":")[2])
    account = accounts.by_player(store, row.recipient)
    if account is None or not account.email or players.of_token(store, token, log_in.KIND, now) is None:
        return None
    lang = correspondents.find(store, row.recipient).lang
    blocks = (
        Link(say(lang, "desk.login.link", name=account.name), players.login_link(battles.settings.address, token)),
        Paragraph(say(lang, "desk.login.else")),
    )
    return Asking(account.email, "", lang, say(lang, "desk.login.title"), say(lang, "desk.login.lead"), blocks)


def notice_letter(battles: LiveBattles, row: Letter) -> Asking | None:
    """The letter for a row `notice:ID` of the outbox; None if nothing is left to say or nobody to say it to."""
    _, id_, *spoken = row.kind.split(":")
    notice = notices.find(battles.store, id_)
    account = accounts.by_player(battles.store, row.recipient)
    if notice is None or account is None or not notice.email:
        return None
    lang = spoken[0] if spoken else correspondents.find(battles.store, row.recipient).lang
    at = datetime.fromisoformat(notice.at)
    name = notice.about if notice.what == AccountEvent.REMOVED else account.name
    lead = say(
        lang, f"desk.notice.{notice.what}", about=notice.about, name=name, day=f"{at:%Y-%m-%d}", time=f"{at:%H:%M}"
    )
    blocks: tuple[Block, ...] = (Paragraph(say(lang, "desk.notice.gone")),)
    if notice.what != AccountEvent.REMOVED:
        link = Link(say(lang, "desk.notice.link"), f"{battles.settings.address}{SETTINGS}")
        blocks = (Paragraph(say(lang, "desk.notice.else")), link)
    return Asking(notice.email, "", lang, say(lang, "desk.notice.title"), lead, blocks)
