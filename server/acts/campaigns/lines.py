"""Give order lines to a campaign: of entrants, organiser and umpire alike (CAM-ORD)."""

from collections.abc import Sequence
from functools import partial
from hashlib import sha256
from typing import Any

from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.campaign.acts import LineGiver, input_of
from domain.campaign.decide import FORCE_LINES
from domain.campaign.notation import read_orders, write_order
from domain.campaign.orders import SEASON, CampaignOrder
from domain.campaign.state import CampaignState
from domain.events.battle import ContributionGiven, Fact, Seen
from domain.log.fairness import plain_contribution
from domain.run.inputs import LEAST_PHRASE
from domain.run.own_word import Signed
from server.acts.campaigns.reading import require_reader
from server.acts.campaigns.seasons import open_next
from server.acts.phrases import own_phrase
from server.campaigns.live_campaign import LiveCampaign
from server.campaigns.recording import CampaignBatch
from server.campaigns.steward import Steward
from server.people.players import Player
from server.play.request import ACCEPTED, answer_of, key_reused, refusal_in
from server.play.scripts import command_id, public_key
from server.play.seating import usable_phrase
from server.store import CommandRecord, Statement
from server.store.tables import accounts, requests

ACCEPTED_LINE, REFUSED, NOT_TRIED = "accepted", "refused", "not-tried"


class GivenWord(Struct, frozen=True):
    """The head that a person answers, and their signature of each line of a request, in order."""

    seen: Seen | None = None
    signatures: tuple[Signed, ...] = ()

    def giver(self, speaker: LineGiver) -> LineGiver:
        """Who gives a line, with the signature of it."""
        place, seen = speaker.line, UNSET if self.seen is None else self.seen
        if place > len(self.signatures):
            return replace(speaker, seen=seen)
        signed = self.signatures[place - 1]
        return replace(speaker, seen=seen, serial=signed.serial, signature=signed.signature)

    def members(self) -> dict[str, Any]:
        """The members of an input that is one line by itself."""
        one = self.giver(LineGiver(""))
        return {"seen": one.seen, "serial": one.serial, "signature": one.signature}


NO_WORD = GivenWord()
"""Nothing signed, and no head named."""


class AnsweredLine(Struct, frozen=True):
    """What became of a line: events `first` … `last`, or why not; `text` as it was understood."""

    line: int
    text: str
    status: str
    first: int = 0
    last: int = 0
    refusal: Refusal | None = None


async def give_lines(
    steward: Steward,
    player: Player,
    live: LiveCampaign,
    text: str,
    key: str,
    channel: str = "page",
    phrase: str = "",
    word: GivenWord = NO_WORD,
) -> tuple[AnsweredLine, ...]:
    """Give lines one after the other until one is refused. All can be read, or none is given; the same `key` again
    gives nothing twice. With the first line of a round comes a contribution to its chance: the `phrase`, else one made
    of the key (CAM-LOG-03). A person with a key has signed each line (`word`) in its one
    spelling, and a `phrase` with the line that brings it.

    Raises: Refusal campaign.unknown-campaign, core.parse, core.key-reused, core.phrase-missing, core.phrase-too-long
    """
    require_reader(live, player)
    phrase = usable_phrase(phrase) or (own_phrase(key) if key else "")
    orders = read_orders(text)
    if not orders:
        raise Refusal("core.parse", "CORE-PARSE", line="", word="", expected=["order"])
    digest = sha256(text.encode()).digest()
    answers: list[AnsweredLine] = []
    for place, order in enumerate(orders, 1):
        if answers and answers[-1].status != ACCEPTED_LINE:
            answers.append(AnsweredLine(place, write_order(order), NOT_TRIED))
        else:
            request = _Request(player.id, key, place, digest, channel, phrase, word)
            answers.append(await _give(steward, player, live, order, request))
    return tuple(answers)


class _Request(Struct, frozen=True):
    """A line of a request: whose, its key, its place from 1, the digest of the whole request, how it came, the
    contribution that may come with it, and what was signed."""

    player: str
    key: str
    place: int
    digest: bytes
    channel: str
    phrase: str
    word: GivenWord

    @property
    def id(self) -> bytes:
        """Under what it is given once."""
        return command_id(self.player, self.key, self.place)


async def _give(
    steward: Steward, player: Player, live: LiveCampaign, order: CampaignOrder, request: _Request
) -> AnsweredLine:
    text = write_order(order)
    known = requests.command(steward.store, request.id) if request.key else None
    if known is not None:
        if known.digest != request.digest:
            raise key_reused()
        refusal = refusal_in(known.answer)
        if refusal is not None:
            return AnsweredLine(request.place, text, REFUSED, refusal=refusal)
        if not known.events:
            return AnsweredLine(request.place, text, ACCEPTED_LINE)
        return AnsweredLine(request.place, text, ACCEPTED_LINE, known.first, known.first + known.events - 1)

    def attach(batch: CampaignBatch) -> Sequence[Statement]:
        return _recorded(live, request, len(batch.rows), ACCEPTED)

    n = live.n + 1
    try:
        if order.verb == SEASON:
            await open_next(steward, player, live)
            await steward.store.write(*_recorded(live, request, 0, ACCEPTED))
            return AnsweredLine(request.place, text, ACCEPTED_LINE)
        speaker = request.word.giver(
            LineGiver(player.id, request.channel, request.place, public_key(player.id, request.key))
        )
        fact = input_of(live.state, order, speaker, player_named(steward, order))
        first = partial(_contribution, live.id, order, request)
        batch = await steward.enter(live, fact, attach, first=first)
    except Refusal as refusal:
        await steward.store.write(*_recorded(live, request, 0, answer_of(refusal)))
        return AnsweredLine(request.place, text, REFUSED, refusal=refusal)
    return AnsweredLine(request.place, text, ACCEPTED_LINE, n, n + len(batch.rows) - 1)


def contribution_of(state: CampaignState, player: str, orders: Sequence[CampaignOrder]) -> int:
    """The index of the line that brings what its giver owes to the chance of a round, -1 for none (CAM-LOG-03)."""
    held = state.players.get(player, "")
    if not held or not state.takes_orders or held in state.ordering.came:
        return -1
    return next((at for at, order in enumerate(orders) if order.verb in FORCE_LINES), -1)


def _contribution(campaign: str, order: CampaignOrder, request: _Request, state: CampaignState) -> Sequence[Fact]:
    """What an entrant gives to the chance of a round with its first line in it, where armies live on (CAM-LOG-03).

    Raises: Refusal core.phrase-missing
    """
    held = state.players.get(request.player, "")
    if contribution_of(state, request.player, (order,)) < 0:
        return ()
    if not request.phrase and not state.theatre.areas:  # nothing waits for it
        return ()
    if not request.phrase:
        raise Refusal("core.phrase-missing", "CORE-FAIR", least=LEAST_PHRASE, given=0)
    value = plain_contribution(campaign, state.round, held, request.phrase).hex()
    given = ContributionGiven(held, state.round, "plain", value, phrase=request.phrase, channel=request.channel)
    return (Fact(held, given.RULE, given),)


def _recorded(live: LiveCampaign, request: _Request, events: int, answer: bytes) -> Sequence[Statement]:
    if not request.key:
        return ()
    return (requests.answered(CommandRecord(request.id, request.digest, answer), live.id, live.n + 1, events),)


def player_named(steward: Steward, order: CampaignOrder) -> str:
    """The player whom a line names, "" if nobody here has that name."""
    account = accounts.by_name(steward.store, order.name) if order.name else None
    return account.player if account is not None else ""
