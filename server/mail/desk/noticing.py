"""The letter about what has happened to an account: to the address that it had then."""

from datetime import datetime

from server.mail.blocks import Block, Link, Paragraph
from server.mail.desk.moving import Asking
from server.people.notices import Happened
from server.play.live_battles import LiveBattles
from server.store.tables import accounts, correspondents, notices
from server.store.tables.outbox import Letter
from server.words import say

SETTINGS = "/settings#sessions"


def notice_letter(battles: LiveBattles, row: Letter) -> Asking | None:
    """The letter for a row `notice:ID` of the outbox; None if nothing is left to say or nobody to say it to."""
    _, id_, *spoken = row.kind.split(":")
    notice = notices.find(battles.store, id_)
    account = accounts.by_player(battles.store, row.recipient)
    if notice is None or account is None or not notice.email:
        return None
    lang = spoken[0] if spoken else correspondents.find(battles.store, row.recipient).lang
    at = datetime.fromisoformat(notice.at)
    name = notice.about if notice.what == Happened.REMOVED else account.name
    lead = say(
        lang, f"desk.notice.{notice.what}", about=notice.about, name=name, day=f"{at:%Y-%m-%d}", time=f"{at:%H:%M}"
    )
    blocks: tuple[Block, ...] = (Paragraph(say(lang, "desk.notice.gone")),)
    if notice.what != Happened.REMOVED:
        link = Link(say(lang, "desk.notice.link"), f"{battles.settings.address}{SETTINGS}")
        blocks = (Paragraph(say(lang, "desk.notice.else")), link)
    return Asking(notice.email, "", lang, say(lang, "desk.notice.title"), lead, blocks)
