"""The commands that a player can give by mail: one row each, with its words, what it does and what its answer shows.

The rows are in `server.mail.desk.rows`. `server.mail.desk.reading` finds the commands of a mail,
`server.mail.desk.doing` does them.
"""

from collections.abc import Mapping

from server.mail.blocks import Block
from server.mail.desk import handbook
from server.mail.desk.caller import Caller
from server.mail.desk.campaign_lines import CAMPAIGN, is_final
from server.mail.desk.command import ALWAYS, NOTHING, WITH_LINES, WITH_WORDS, DeskCommand
from server.mail.desk.desk import Desk
from server.mail.desk.rows.beginning import BEGINNING
from server.mail.desk.rows.gathering import GATHERING
from server.mail.desk.rows.playing import PLAYING
from server.mail.desk.rows.wishing import WISHING
from server.mail.desk.vocabulary import is_standing
from server.mail.verdict import MailRequest
from server.spelling.words import folded


def command_of(word: str) -> str:
    """The name of the command that a word names, or ""."""
    return _NAMES.get(folded(word), "")


def usages(lang: str) -> dict[str, tuple[str, ...]]:
    """Examples of each command in a language, in the order of the help."""
    return {name: command.usage[lang] for name, command in COMMANDS.items() if command.usage}


def changes(request: MailRequest) -> bool:
    """Whether a command changes something, so that the sender's word must be taken."""
    when = COMMANDS.get(request.name, NOTHING).changes
    if when == WITH_LINES:
        return bool(request.args and request.args[-1])
    return when == ALWAYS or (when == WITH_WORDS and bool(request.args))


def must_confirm(request: MailRequest) -> bool:
    """Whether it is always confirmed: another address, resigning, draws; of orders a standing one is not, of lines of a
    campaign only those that nobody can take back."""
    confirmed = COMMANDS.get(request.name, NOTHING).confirmed
    if request.name == CAMPAIGN:
        return bool(request.args[0]) and is_final(request.args[-1])
    return confirmed and changes(request) and not is_standing(request)


async def _help(desk: Desk, request: MailRequest, caller: Caller) -> list[Block]:
    return await handbook.show_help(usages, desk, request, caller)


def stranger_help(lang: str, url: str = "") -> list[Block]:
    """The help for somebody without an account; `url` where one is to be had."""
    return handbook.stranger_help(usages, lang, url)


def first_steps(lang: str) -> list[Block]:
    """From nothing to the first answer."""
    return handbook.first_steps(usages, lang)


COMMANDS: Mapping[str, DeskCommand] = {
    "help": DeskCommand(
        words=("help", "aide", "info", "?"),
        usage={"en": ("help", "help orders"), "fr": ("aide", "aide ordres")},
        show=_help,
    ),
    **BEGINNING,
    **PLAYING,
    **GATHERING,
    **WISHING,
}
"""Every command by its name, in the order of the help."""
_NAMES: Mapping[str, str] = {word: name for name, command in COMMANDS.items() for word in command.words}
