"""Make the report of a campaign from the bytes of its file and of its battles, in the form asked for."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from domain.basics.decoding import decode
from domain.campaign.events import ResultCounted
from domain.log.record import FileFault
from replay.battle_file import UnreadableFile, parse
from replay.campaign_file import CampaignFile, read_campaign
from replay.proof.campaign.folder import Find
from replay.proof.campaign.verify import verify_campaign
from replay.proof.faults import line_sentence
from replay.reports.account.short import BattleInShort, in_short
from replay.reports.campaign import markdown, page, pdf
from replay.reports.campaign.contents import CampaignContents, campaign_contents

CAMPAIGN_FORMS: Mapping[str, Callable[[CampaignContents], bytes]] = MappingProxyType(
    {
        "md": lambda report: markdown.document(report).encode(),
        "html": lambda report: page.document(report).encode(),
        "pdf": pdf.document,
    }
)
"""The forms there are."""


def campaign_written(content: bytes, find: Find | None, to: str, lang: str, base: str = "") -> bytes:
    """The report of the campaign in a file.

    Shape: `find` gives the files of its battles, None if there are none; `to` is one of CAMPAIGN_FORMS; `base` the
           address of the server that has the battles, "" where nothing is linked
    Raises: UnreadableFile; KeyError for another form; ModuleNotFoundError for PDF without its extra
    """
    file = _read(content, lang)
    shorts = {battle: in_short(parse(found, battle, lang=lang), lang) for battle, found in _battles(file, find)}
    proof = verify_campaign(content, find=find, lang=lang)
    return CAMPAIGN_FORMS[to](campaign_contents(file, shorts, proof, lang, base))


def campaign_told(content: bytes, shorts: Mapping[str, bytes], to: str, lang: str, base: str) -> bytes:
    """The same with battles that were told before (`short_written`), which are not compared with the log again."""
    told = {battle: decode(short, BattleInShort) for battle, short in shorts.items()}
    return CAMPAIGN_FORMS[to](
        campaign_contents(_read(content, lang), told, verify_campaign(content, lang=lang), lang, base)
    )


def _read(content: bytes, lang: str) -> CampaignFile:
    try:
        return read_campaign(content)
    except FileFault as fault:
        raise UnreadableFile(line_sentence(fault.line, fault.what, fault.details, lang)) from None


def _battles(file: CampaignFile, find: Find | None) -> list[tuple[str, bytes]]:
    """The files of the battles that count, as far as they are there."""
    if find is None:
        return []
    counted = [entry.event.battle for entry in file.events if isinstance(entry.event, ResultCounted)]
    return [(battle, found) for battle in dict.fromkeys(counted) if (found := find(battle)) is not None]
