"""Do battles of chance come to their end through every phase, whatever the options?

The properties are those of `benchmarks.random_play`: somebody to act has something to order, all that is listed is
taken, secrets change nothing of it, medals are conserved, a deck deals each card once an epoch.
"""

import random

import pytest

from benchmarks import random_play
from benchmarks.random_play import Dealt, Fault, Ledger, battle_of, points, watch
from domain.bots import BOTS
from domain.events import CardDrawn, Fact
from domain.game import SIDES
from domain.ruleset import decide, to_act
from domain.rulesets.to_the_strongest.phases import CorpsDeployed, SideDone  # type: ignore[attr-defined]
from domain.rulesets.to_the_strongest.stratagems import StratagemPlayed
from tests.domain.playing import TTS, fold, opened

