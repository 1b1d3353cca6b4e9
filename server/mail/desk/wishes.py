"""Commands by mail: language, quiet hours, frequency, pictures."""

from collections.abc import Sequence

from domain.basics.message import Message
from replay.telling.words.sentences import fragment
from server.acts.wishes import WISHES, keep_wishes, params_of
from server.mail.blocks import Block, HeadingLine, Listing, Paragraph
from server.mail.desk.caller import Caller
from server.mail.desk.desk import Desk
from server.mail.verdict import MailRequest
from server.store.tables.correspondents import Correspondent
from server.words import say


async def change(desk: Desk, request: MailRequest, caller: Caller, key: str, wish: str) -> Message | None:
    """Change one preference; without an argument it is only shown.

    Raises: Refusal of the preference
    """
    if not request.args and wish not in ("stop", "start"):
        return None
    kept = desk.wishes(caller.account.player)
    wanted = WISHES[wish](kept, " ".join(request.args))
    await keep_wishes(desk, wanted)
    return Message(f"desk.did.{wish}", params_of(wanted))


def lines_of(kept: Correspondent, lang: str) -> Sequence[str]:
    """A player's preferences, each as the command that sets it and its meaning."""
    return [
        fragment(f"desk.setting.{name}", params_of(kept), lang)
        for name in ("letters", "length", "quiet", "language", "zone", "picture")
    ]


def banner_of(kept: Correspondent, lang: str) -> str:
    """Why no letters go out, "" if they do."""
    return say(lang, f"desk.stopped.{kept.stopped}", bounces=kept.bounces) if kept.stopped else ""


async def show_settings(desk: Desk, request: MailRequest, caller: Caller) -> list[Block]:
    """The caller's settings for letters."""
    kept = desk.wishes(caller.account.player)
    found: list[Block] = [
        HeadingLine(say(caller.lang, "desk.settings.title")),
        Listing(tuple(lines_of(kept, caller.lang))),
    ]
    if banner := banner_of(kept, caller.lang):
        found.append(Paragraph(banner))
    return found
