"""The book of *To the Strongest!* for campaigns (CAM-INT, CAM-TTS)."""

from domain.contract.campaign_book import CampaignBook
from domain.games.to_the_strongest.armies.points_battle import COLUMNS, ROWS
from domain.games.to_the_strongest.campaign.battle import battle
from domain.games.to_the_strongest.campaign.forces import fates, promoted, read, recruit, roster, stand_in
from domain.games.to_the_strongest.campaign.ground import ground

BOOK = CampaignBook(
    read=read,
    roster=roster,
    promoted=promoted,
    stand_in=stand_in,
    recruit=recruit,
    battle=battle,
    fates=fates,
    honours=("vallaris", "spolia", "phalera", "graminea"),  # CAM-TTS-03; deeds.toml has how each is earned
    broken=frozenset({"medals"}),
    ground=ground,
    board=(COLUMNS, ROWS),
)
