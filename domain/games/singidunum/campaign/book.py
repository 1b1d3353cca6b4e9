"""The book of *Singidunum* for campaigns (CAM-INT)."""

from domain.contract.campaign_book import CampaignBook
from domain.games.singidunum.campaign.battle import BOARD, battle
from domain.games.singidunum.campaign.forces import fates, promoted, read, recruit, roster
from domain.games.singidunum.campaign.ground import ground

BOOK = CampaignBook(
    read=read,
    roster=roster,
    promoted=promoted,
    recruit=recruit,
    battle=battle,
    fates=fates,
    honours=("torch", "elite", "slayer", "steadfast"),  # deeds.toml has how each is earned
    ground=ground,
    board=BOARD,
)
