"""What it costs to verify a Swiss cup of 1,000 over nine rounds, without the files of its 4,500 battles.

    python -m benchmarks.campaign_verify            # some minutes: the cup is played first
    python -m benchmarks.campaign_verify --quick    # 100 entrants, five rounds

CPU time, the best of three. Each entrant has contributed to the lots; with `signed` each has a key, too, and has signed
entering. The base is the fold of the same events.
"""

import argparse
import time
from base64 import b64encode
from collections.abc import Callable
from functools import partial

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from domain.basics.pace import moment_of
from domain.campaign.acts import LineGiver, input_of, opening
from domain.campaign.config import resolved
from domain.campaign.decide import decide
from domain.campaign.events import EntrantJoined, ResultCounted
from domain.campaign.evolve import START, evolve
from domain.campaign.header import FORMAT, RULES, VERSION, CampaignHeader
from domain.campaign.judge import Circumstances
from domain.campaign.notation import read_order
from domain.campaign.own_lines import join_line
from domain.campaign.state import CampaignState, Officer
from domain.events.battle import ContributionGiven, Event, Fact, Seen
from domain.log.fairness import plain_contribution, signed_message
from replay.proof.campaign.log import open_campaign
from replay.proof.campaign.verify import verify_campaign
from replay.proof.chain import file_bytes
from replay.proof.notes import Head, Signer, origin, sign_head
from server.campaigns.recording import CampaignRecording

AT = "2027-01-01T00:00:00.000Z"
HOST = Signer("bench.example", bytes(range(32)))
CAMPAIGN = "swiss1000"
ROUNDS_MEASURED = 3


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    entrants, rounds = (100, 5) if parser.parse_args().quick else (1000, 9)
    for signed in (False, True):
        content = cup_file(entrants, rounds, signed)
        log = open_campaign(content)
        events = [entry.event for entry in log.events]
        fold = _best(partial(_folded, events))
        chain = _best(partial(open_campaign, content))
        whole = _best(partial(_verified, content))
        count = len(events)
        print(f"{entrants} entrants, {rounds} rounds, {'signed' if signed else 'unsigned'}: {count} events")
        print(f"  fold   {fold * 1e6 / count:6.1f} µs an event")
        print(f"  chain  {chain * 1e6 / count:6.1f} µs an event")
        print(f"  verify {whole:6.2f} s, {whole * 1e6 / count:6.1f} µs an event, {whole / fold:.1f} × the fold")


def cup_file(entrants: int, rounds: int, signed: bool) -> bytes:
    """The file of a cup that was played: south wins each board."""
    played = _Cup(rounds)
    for number in range(1, entrants + 1):
        played.join(f"p{number}", signed)
    played.take(input_of(played.state, read_order("begin"), LineGiver("olga")))
    for number in range(rounds):
        for name in played.state.rounds[number].boards:
            played.win(name)
    assert played.state.is_over
    recording = played.recording
    head = Head(origin(HOST.name, CAMPAIGN), recording.n, recording.head)
    return file_bytes(recording.header_line, [line for _, line in recording.lines], sign_head(HOST, head))


class _Cup:
    """A cup as a host writes it."""

    def __init__(self, rounds: int) -> None:
        header = CampaignHeader(
            campaign=CAMPAIGN, created=AT, format=FORMAT, host=HOST.name, key=HOST.key, rules=RULES, version=VERSION
        )
        self.recording = CampaignRecording(header, bytes(32), lambda: bytes(32))
        table = {
            "campaign": "cup",
            "title": "A thousand",
            "ruleset": "tts",
            "entry": {"most": 1000},
            "cup": {"system": "swiss", "rounds": rounds},
            "battle": {"scenario": "skirmish"},
        }
        fact = opening(resolved(table), Officer("olga", "Olga"))
        self._write(replace(fact, event=replace(fact.event, **self.recording.bound())))
        self._battles = 0

    @property
    def state(self) -> CampaignState:
        """As it stands."""
        return self.recording.state

    def join(self, name: str, signed: bool) -> None:
        """Somebody enters, with a phrase."""
        phrase = f"a phrase of sixteen bytes by {name}"
        joined = EntrantJoined(name, f"player-{name}", name.title(), "person", "plain")
        if signed:
            key = Ed25519PrivateKey.from_private_bytes(name.encode().rjust(32, b"\0"))
            seen = Seen(self.recording.head.hex(), self.recording.n)
            said = signed_message(
                CAMPAIGN, name, 1, (seen.n, self.recording.head), phrase.encode(), join_line(joined.name)
            )
            signer = b64encode(key.public_key().public_bytes_raw()).decode()
            signature = b64encode(key.sign(said)).decode()
            joined = replace(joined, signer=signer, seen=seen, serial=1, signature=signature)
        value = plain_contribution(CAMPAIGN, 0, name, phrase).hex()
        given = ContributionGiven(name, 0, "plain", value, phrase=phrase, channel="page")
        self._write(Fact(name, joined.RULE, joined), Fact(name, given.RULE, given))

    def win(self, board: str) -> None:
        """South wins a board."""
        found = self.state.boards[board]
        result = ResultCounted(
            board=board,
            battle=found.battle,
            n=9,
            hash="0" * 64,
            winner="south",
            how="medals",
            kept={"south": 400, "north": 0},
            rated=True,
        )
        self.take(Fact("server", result.RULE, result))

    def take(self, fact: Fact) -> None:
        """An input with what follows from it."""
        chance = self.recording.chance()
        given = Circumstances(moment_of(AT), chance, self._battle, lambda place: "0" * 64)
        batch = self.recording.prepare((fact, *decide(self.state, fact, given)), AT, chance)
        self.recording.adopt(batch)

    def _battle(self, place: object) -> str:
        self._battles += 1
        return f"b{self._battles}"

    def _write(self, *facts: Fact) -> None:
        self.recording.adopt(self.recording.prepare(facts, AT))


def _folded(events: list[Event]) -> None:
    state = START
    for event in events:
        state = evolve(state, event)


def _verified(content: bytes) -> None:
    report = verify_campaign(content)
    assert report.fault is None, report.fault


def _best(run: Callable[[], object]) -> float:
    """CPU seconds, the best of some runs."""
    times = []
    for _ in range(ROUNDS_MEASURED):
        begun = time.process_time()
        run()
        times.append(time.process_time() - begun)
    return min(times)


if __name__ == "__main__":
    main()
