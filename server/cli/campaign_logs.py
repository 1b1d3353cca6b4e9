"""Read the log of a campaign that a command names."""

from typing import TYPE_CHECKING

from server.cli.console import Failed

if TYPE_CHECKING:
    from replay.campaign_file import CampaignFile


def campaign_log(file: str, lang: str) -> "CampaignFile":
    """The campaign in a log.

    Raises: Failed
    """
    from domain.log.record import FileFault
    from replay.battle_file import read_bytes
    from replay.campaign_file import read_campaign
    from replay.proof.faults import line_sentence

    try:
        return read_campaign(read_bytes(file))
    except FileFault as fault:
        raise Failed(line_sentence(fault.line, fault.what, fault.details, lang)) from None
