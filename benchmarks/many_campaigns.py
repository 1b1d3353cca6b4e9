"""What a store with very many campaigns costs: memory and time of a start, and of a list of them.

    python -m benchmarks.many_campaigns [--campaigns 10000]

Stores with a hundredth, a tenth and all of the campaigns, each a cup of four that has begun; the steward has opened its
battles in no store, so that the campaigns alone are measured. A start is `phalera serve`'s own assembly in a process of
its own, up to the first look of the steward; the lists are asked for over HTTP, the median of eleven.
"""

import argparse
import asyncio
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from domain.basics.pace import text_of
from domain.campaign.acts import LineGiver, input_of, opening
from domain.campaign.config import resolved
from domain.campaign.decide import decide
from domain.campaign.events import EntrantJoined
from domain.campaign.judge import Circumstances
from domain.campaign.notation import read_order
from domain.campaign.state import Officer
from domain.events.battle import Fact
from replay.writing.entropy import SeededEntropy, new_id
from server.acts.campaigns.opening import open_campaign
from server.campaigns.live_campaign import LiveCampaign
from server.limits import UNLIMITED
from server.people.players import Player
from server.settings import Settings, make_folder
from server.store import EventStore
from tests.support.clock import ManualClock
from tests.support.serving import serving

ASKED = 11
CUP = """
campaign = "cup"
title = "Cup {number}"
ruleset = "tts"
[cup]
system = "swiss"
rounds = 2
[battle]
scenario = "skirmish"
"""
