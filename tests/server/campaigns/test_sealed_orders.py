"""What is ordered in secret is in the log as a commitment until the orders are closed (CAM-LOG-04)."""

import json
from functools import partial

import pytest
from msgspec.structs import replace

from domain.campaign.acts import opening
from domain.campaign.config import resolved
from domain.campaign.events import CampaignEnded, EntrantJoined
from domain.campaign.header import FORMAT, RULES, VERSION, CampaignHeader
from domain.campaign.state import Officer
from domain.campaign.theatre.order_events import ForceOrdered, OrdersClosed
from domain.events.battle import Fact, OrderAccepted
from domain.log import fairness
from domain.log.canonical import canonical
from replay.proof.notes import Signer
from replay.writing.entropy import SeededEntropy
from server.campaigns.recording import CampaignRecording

NOW = "2026-01-02T00:00:00.000Z"
CUP = {"campaign": "cup", "title": "C", "ruleset": "tts", "cup": {"system": "knock-out"}, "battle": {"scenario": "x"}}
ORDER = OrderAccepted(
    "rome", 0, 1, "anna", "page", "", text="hold F1", command={"type": "campaign", "verb": "hold", "force": "F1"}
)


def fact(by, event):
    return Fact(by, event.RULE, event)


@pytest.fixture
def recording():
    entropy, signer = SeededEntropy("sealed"), Signer("a.example", bytes(32))
    header = CampaignHeader("abcdefghijklmnop", NOW, FORMAT, "a.example", signer.key, RULES, VERSION)
    made = CampaignRecording(header, entropy.bytes(32), partial(entropy.bytes, 32))
    first = opening(resolved(CUP), Officer("olga", "Olga"))
    joined = fact("rome", EntrantJoined("rome", "anna", "Anna"))
    made.adopt(made.prepare([replace(first, event=replace(first.event, **made.bound())), joined], NOW))
    return made


def rows(batch):
    return [json.loads(line) for _, line, _ in batch.rows]


@pytest.mark.rule("CAM-LOG-04")
def test_an_order_and_what_it_says_of_a_force_are_sealed(recording):
    batch = recording.prepare([fact("rome", ORDER), fact("rome", ForceOrdered(do="hold"))], NOW)
    order, ordered = (row["data"] for row in rows(batch))
    assert "hold" not in "".join(line.decode() for _, line, _ in batch.rows)
    assert {"side", "t", "line", "player", "channel", "key", "sealed"} == {*order}
    assert {*ordered} == {"sealed"}
    part = batch.secrets[3]
    assert (part.seat, json.loads(part.content)["text"]) == ("rome", "hold F1")
    assert order["sealed"] == fairness.sealed_commitment(part.salt, recording.id, 0, "rome", part.content).hex()


@pytest.mark.rule("CAM-LOG-04")
def test_an_order_to_nobody_s_force_is_open(recording):
    open_order = replace(ORDER, text="ready", command={"type": "campaign", "verb": "ready"})
    batch = recording.prepare([fact("rome", open_order)], NOW)
    assert rows(batch)[0]["data"]["text"] == "ready"
    assert not batch.secrets


@pytest.mark.rule("CAM-LOG-04", "CAM-ORD-02")
def test_closed_orders_are_opened_behind_them(recording):
    recording.adopt(recording.prepare([fact("rome", ORDER)], NOW))
    closed = recording.prepare([fact("server", OrdersClosed(1, recording.state.sealed))], NOW)
    types = [row["type"] for row in rows(closed)]
    assert types == ["OrdersClosed", "Unsealed"]
    assert rows(closed)[1]["data"]["content"] == {"command": ORDER.command, "text": "hold F1"}
    assert canonical(rows(closed)[1]["data"]["content"]) == recording.vault[3].content
    assert (recording.state.sealed, closed.after.sealed) == ((3,), ())


@pytest.mark.rule("CAM-LOG-04")
def test_nothing_is_left_sealed_at_the_end(recording):
    recording.adopt(recording.prepare([fact("rome", ORDER)], NOW))
    ended = recording.prepare([fact("server", CampaignEnded((), "ended"))], NOW)
    assert [row["type"] for row in rows(ended)] == ["CampaignEnded", "Unsealed", "MasterRevealed"]


@pytest.mark.rule("CAM-LOG-04")
def test_a_host_knows_again_what_it_has_sealed(recording):
    recording.adopt(recording.prepare([fact("rome", ORDER)], NOW))
    again = CampaignRecording(recording.header, recording.dealer.keys.master, bytes)
    again.recall(recording.lines, recording.vault)
    assert (again.state, again.vault) == (recording.state, recording.vault)
