"""A whole campaign between bots, from its opening to its end: its log and the files of its battles.

Like a demo of one battle it follows from its seed, and nobody but this process has a part in it; the same code as on a
server decides what follows from what.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.basics.errors import BrokenInvariant
from domain.basics.pace import moment_of
from domain.campaign.acts import LineGiver, input_of, opening
from domain.campaign.boards import Place
from domain.campaign.config import CampaignConfig
from domain.campaign.decide import decide
from domain.campaign.events import ResultCounted
from domain.campaign.header import FORMAT, RULES, VERSION, CampaignHeader
from domain.campaign.judge import SERVER, Circumstances
from domain.campaign.notation import read_order
from domain.campaign.state import BoardState, CampaignState, Officer
from domain.contract.ruleset import Ruleset
from domain.events.battle import BattleEnded, BoardOfCampaign, Event, Fact
from domain.log.fairness import SECRET_BYTES
from domain.log.record import checkpoint_line, splice_hash
from domain.run.bots import BOT
from domain.run.terms import Terms
from replay.proof import notes
from replay.proof.campaign.results import counted
from replay.reports import plain
from replay.writing.entropy import SeededEntropy, new_id
from replay.writing.in_memory import HOST, OfflineBattle, SeededClock
from server.campaigns.dealer import CampaignChance
from server.campaigns.recording import CampaignRecording
from server.offline import demo

ORGANISER = Officer("demo", "Demo")


class FoughtBoard(Struct, frozen=True):
    """A board that has been fought: as the campaign has it now, and the sentence with which its battle ended."""

    board: BoardState
    story: str


class OfflineCampaign(ABC):
    """A campaign of bots, opened; `name` is what all that is secret follows from, with the seed in it."""

    def __init__(self, ruleset: Ruleset, config: CampaignConfig, name: str) -> None:
        self.ruleset = ruleset
        self.config = config
        self.clock = SeededClock(name)
        self.entropy = SeededEntropy(name)
        self.battles: dict[str, OfflineBattle] = {}
        self.events: list[Event] = []
        self._signer = notes.Signer(HOST, self.entropy.bytes(SECRET_BYTES))
        header = CampaignHeader(
            campaign=new_id(self.entropy),
            created=self.clock.now(),
            format=FORMAT,
            host=HOST,
            key=self._signer.key,
            rules=RULES,
            version=VERSION,
        )
        self.recording = CampaignRecording(
            header, self.entropy.bytes(SECRET_BYTES), partial(self.entropy.bytes, SECRET_BYTES)
        )
        fact = opening(self.config, ORGANISER)
        self._write([replace(fact, event=replace(fact.event, **self.recording.bound()))], header.created)

    @property
    def state(self) -> CampaignState:
        """The campaign so far."""
        return self.recording.state

    def say(self, line: str, player: str = ORGANISER.player) -> None:
        """An order line.

        Raises: Refusal
        """
        self._enter(input_of(self.state, read_order(line), LineGiver(player)))

    def running(self) -> list[BoardState]:
        """The boards that wait for a battle, in order."""
        found = (self.state.boards[name] for each in self.state.rounds for name in each.boards)
        return [board for board in found if board.is_running]

    def fight(self, board: BoardState) -> FoughtBoard:
        """Let the bots of a board fight its battle, and count it.

        Raises: BrokenInvariant if the battle does not end
        """
        battle = self._battle(board)
        for side, player in board.players.items():
            battle.seat_bot(side, player.removeprefix(BOT).partition(".")[0])
        demo.play_out(battle)
        found = counted(battle.recording.timeline, is_cut=False)
        if found is None:
            raise BrokenInvariant(f"{board.battle} has ended without a result")
        result = ResultCounted(
            board=board.place.name,
            battle=board.battle,
            n=found.n,
            hash=battle.recording.head_at(found.n).hash,
            winner=found.winner,
            how=found.how,
            kept=found.kept,
            rated=found.rated,
            **self._left(board, battle, found.n),
        )
        self._enter(Fact(SERVER, result.RULE, result))
        return FoughtBoard(self.state.boards[board.place.name], self._story(battle))

    def file(self) -> bytes:
        """The file of the campaign, its head signed."""
        recording = self.recording
        head = notes.Head(notes.origin(HOST, recording.id), recording.n, recording.head)
        lines = [splice_hash(line, hash_) for hash_, line in recording.lines]
        note = checkpoint_line(notes.sign_head(self._signer, head))
        return b"".join(line + b"\n" for line in (recording.header_line, *lines, note))

    def files(self) -> Iterator[tuple[str, bytes]]:
        """The files of its battles, by id."""
        return ((name, battle.file()) for name, battle in self.battles.items())

    # --- of each kind

    def _battle(self, board: BoardState) -> OfflineBattle:
        """The battle of a board."""
        return self.battles[board.battle]

    def _left(self, board: BoardState, battle: OfflineBattle, n: int) -> dict[str, Any]:
        """What a battle has left of the forces that fought it, as members of its result."""
        return {}

    @abstractmethod
    def _given(self, at: int, chance: CampaignChance) -> Circumstances:
        """What an input is judged by."""

    # --- writing

    def _enter(self, fact: Fact) -> None:
        """Write an input with what follows from it."""
        now, chance = self.recording.moment(self.clock.now()), self.recording.chance()
        given = self._given(moment_of(now), chance)
        self._write([fact, *decide(self.state, fact, given)], now, chance)

    def _write(self, facts: Sequence[Fact], now: str, chance: CampaignChance | None = None) -> None:
        batch = self.recording.prepare(facts, now, chance)
        self.recording.adopt(batch)
        self.events += [fact.event for fact in batch.facts]

    def _opened(self, place: Place, table: dict[str, Any], named: str = "") -> OfflineBattle:
        """Open the battle of a board."""
        terms = Terms(campaign=BoardOfCampaign(place.name, self.recording.id))
        pace = self.config.time.pace
        battle = OfflineBattle(self.ruleset, table, self.clock, self.entropy, pace, terms, named=named)
        self.battles[battle.recording.gid] = battle
        return battle

    def _story(self, battle: OfflineBattle) -> str:
        """The sentence with which a battle ended."""
        timeline = battle.recording.timeline
        ended = next(entry for entry in reversed(timeline.events) if isinstance(entry.event, BattleEnded))
        known = self.ruleset.secrets.known(timeline.at(ended.n - 1).game, "")
        return plain.say(self.ruleset, known, ended, ended.event)
