"""Servers that lie: a table of small patches of a running server, each with what has to find it, and when.

`lying(lie)` patches the one place where a server turns facts into lines, so what it writes is chained and signed like
anything else. It lies once, about the first event that the row names from then on; `Told.n` says about which.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from domain.events.battle import Event, Seen
from domain.events.event import Fact
from domain.log import fairness
from domain.run.block_writer import Entered
from replay.writing.dealer import SeededChance
from replay.writing.recording import Batch, Recording
from server.remote.signing import PlayerKey

Change = Callable[[Any, Recording], "Event | None"]
"""The event that is written instead of one, None for none."""
OTHER_32, OTHER_16 = "ab" * 32, "cd" * 16
OTHER_SIGNER = "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="  # RFC 8032, 7.1, test 1
OTHER_VACATION = "vacation 2031-01-01T00:00:00.000Z 2031-01-02T00:00:00.000Z"
WEAK_SIGNER = "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="


class Told:
    """What a server has lied about: the number of the event, 0 as long as it is honest."""

    def __init__(self) -> None:
        self.n = 0


class Lie(NamedTuple):
    """One kind of dishonest server.

    `of` is the type of event that it alters, if `fits`; `kinds` are the codes by which it may be found. `at`: `once`,
    `disclosure` (of the key of its period) or, of what only the player who sent it can know, `own`; of what stands
    there of a player who joins, `joining`. `seats` is how the sides are taken; `plays` what the south orders before
    anything else, by turn.
    """

    name: str
    of: str
    change: Change
    kinds: tuple[str, ...]
    at: str = "once"
    fits: Callable[[Any], bool] = lambda event: True
    seats: dict[str, bool] = {}
    plays: Sequence[str] = ()


@contextmanager
def lying(lie: Lie) -> Iterator[Told]:
    """Have every recording of this process lie until the end."""
    honest, told = Recording.prepare, Told()

    def prepare(self: Recording, entered: Sequence[Entered], now: str, chance: SeededChance | None = None) -> Batch:
        return honest(self, _altered(lie, told, self, entered), now, chance)

    Recording.prepare = prepare  # type: ignore[method-assign]
    try:
        yield told
    finally:
        Recording.prepare = honest  # type: ignore[method-assign]


def _altered(lie: Lie, told: Told, recording: Recording, entered: Sequence[Entered]) -> Sequence[Entered]:
    for at, item in enumerate(entered):
        event: Any = item.fact.event
        if told.n or type(event).__name__.partition("@")[0] != lie.of or not lie.fits(event):
            continue
        other = lie.change(event, recording)
        told.n = recording.battle.n + at + 1
        changed = [] if other is None else [_entered(item, other)]
        # what was folded on the way is of the honest log: the recording folds the other one by itself
        return [replace(one, after=None) for one in (*entered[:at], *changed, *entered[at + 1 :])]
    return entered


def _entered(item: Entered, event: Event) -> Entered:
    fact = Fact(item.fact.by, item.fact.rule, event)
    whole = Fact(item.whole.by, item.whole.rule, event) if item.secret is None else item.whole
    return replace(item, fact=fact, whole=whole)


def with_members(**members: Any) -> Change:
    """The same event with other members."""
    return lambda event, recording: replace(event, **members)


def _of_south(event: Any) -> bool:
    return event.side == "south"


def _other_phrase(event: Any, recording: Recording) -> Event:
    phrase = "a phrase that nobody has given"
    value = fairness.plain_contribution(recording.gid, event.t, event.side, phrase, "")
    return replace(event, phrase=phrase, value=value.hex())


def _other_card(event: Any, recording: Recording) -> Event:
    number, rest = event.card[:-2], event.card[-2:]
    return replace(event, card=("2" if number != "2" else "3") + rest)


def _older_head(event: Any, recording: Recording) -> Event:
    return replace(event, seen=recording.head_at(event.seen.n - 1))


def _joins_for_them(event: Any, recording: Recording) -> Event:
    """The host signs for the player, with a key of its own: nobody else can tell."""
    key, side = PlayerKey(bytes(range(32))), event.side
    signed = key.sign(recording.gid, side, event.serial, event.seen, text=f"join {event.name}")
    return replace(event, signer=key.public, signature=str(signed["signature"]))


def _nothing(event: Any, recording: Recording) -> None:
    return None


PLAIN, SIGNED = {"plain": True}, {"sign": True}
SECRET = ("standing evade R3 always",)
ACTS = (
    Lie("a seat is taken with a key of the host's", "SideJoined", _joins_for_them, ("own-signature-differs",)),
    Lie("a leaving is dropped", "SideLeft", _nothing, ("own-words-missing",)),
    Lie("a pause that is asked for is dropped", "ClockFired", _nothing, ("own-words-missing",)),
    Lie("an agreement to a pause is dropped", "ClockFired", _nothing, ("own-words-missing",)),
    Lie("a vacation is dropped", "ClockFired", _nothing, ("own-words-missing",)),
    Lie("a vacation is of other days", "ClockFired", with_members(text=OTHER_VACATION), ("player-signature-differs",)),
    Lie("a claim is dropped", "ClockFired", _nothing, ("mixed-clock",), fits=lambda event: event.what == "claim"),
)
"""What a server may do about what a player signs beside orders."""
LIES = (
    Lie(
        "the commitment is another",
        "BattleOpened",
        with_members(commitment=OTHER_32),
        ("commitment-differs", "anchors-differ"),
    ),
    Lie("a disclosed key is not of the chain", "KeyDisclosed", with_members(key=OTHER_32), ("key-differs",)),
    Lie("a key is not disclosed", "KeyDisclosed", _nothing, ("disclosure-missing",)),
    Lie(
        "the key of another period is disclosed",
        "KeyDisclosed",
        lambda event, of: replace(event, index=event.index + 1),
        ("key-differs", "disclosure-not-due"),
    ),
    Lie("a phrase is replaced", "ContributionGiven", _other_phrase, ("own-phrase-differs",), "own", _of_south, PLAIN),
    Lie(
        "a value does not follow from its phrase",
        "ContributionGiven",
        with_members(value=OTHER_32),
        ("contribution-differs",),
        seats=PLAIN,
    ),
    Lie("a seal is replaced", "ContributionGiven", with_members(value=OTHER_16), ("seal-not-of-chain",)),
    Lie("a seal is dropped", "ContributionGiven", _nothing, ("contribution-missing", "entry-missing"), fits=_of_south),
    Lie(
        "an order is of another request",
        "OrderAccepted",
        with_members(key="0123456789abcdef"),
        ("own-words-missing",),
        "own",
        _of_south,
    ),
    Lie("the book of a player is another", "SideJoined", with_members(anchor=OTHER_16), (), "joining", _of_south),
    Lie(
        "the key of a player is another",
        "SideJoined",
        with_members(signer=OTHER_SIGNER),
        (),
        "joining",
        _of_south,
        SIGNED,
    ),
    Lie("the key of a player is weak", "SideJoined", with_members(signer=WEAK_SIGNER), ("weak-key",), seats=SIGNED),
    Lie(
        "a contribution is of another turn",
        "ContributionGiven",
        lambda event, of: replace(event, t=event.t + 1),
        ("other-turn",),
    ),
    Lie(
        "an order is altered", "OrderAccepted", with_members(text="offer draw"), ("own-text-differs",), "own", _of_south
    ),
    Lie("the order of another player", "OrderAccepted", with_members(player="somebody"), ("other-player",)),
    Lie("a player's order is said to be a bot's", "OrderAccepted", with_members(channel="bot"), ("other-channel",)),
    Lie(
        "a head is replaced by an older one",
        "OrderAccepted",
        _older_head,
        ("own-head-differs", "request-differs"),
        "own",
        _of_south,
    ),
    Lie(
        "a head is of another log",
        "OrderAccepted",
        lambda event, of: replace(event, seen=Seen(OTHER_32, event.seen.n)),
        ("head-of-another-log",),
    ),
    Lie("a head is left out", "OrderAccepted", with_members(seen=UNSET), ("head-missing",)),
    Lie(
        "a signature is altered",
        "OrderAccepted",
        lambda event, of: replace(event, signature="A" * 86 + "=="),
        ("player-signature-differs",),
        fits=_of_south,
        seats=SIGNED,
    ),
    Lie(
        "a serial is another",
        "OrderAccepted",
        lambda event, of: replace(event, serial=event.serial + 1),
        ("player-signature-differs",),
        seats=SIGNED,
    ),
    Lie(
        "a signature is left out", "OrderAccepted", with_members(signature=UNSET), ("signature-missing",), seats=SIGNED
    ),
    Lie("a card is another", "CardDrawn", _other_card, ("card-differs",), "disclosure"),
    Lie("a card is of another deck", "CardDrawn", with_members(card="Qx"), ("card-differs", "card-not-there")),
    Lie(
        "the deck is said to have more cards",
        "CardDrawn",
        lambda event, of: replace(event, remaining=event.remaining + 1),
        ("remaining-differs",),
    ),
    Lie(
        "a card is drawn under another scope",
        "CardDrawn",
        with_members(scope="dice:south"),
        ("other-scope", "index-differs"),
    ),
    Lie("a card is of another turn", "CardDrawn", lambda event, of: replace(event, t=event.t + 1), ("other-turn",)),
    Lie("the master is another", "MasterRevealed", with_members(master=OTHER_32), ("master-differs",)),
    Lie("the master is kept back", "MasterRevealed", _nothing, ("disclosure-missing",)),
    Lie("an opening is withheld", "Unsealed", _nothing, ("disclosure-missing",), plays=SECRET),
    Lie(
        "another content is opened",
        "Unsealed",
        lambda event, of: replace(event, content={**event.content, "text": "standing evade R3 never"}),
        ("commitment-differs",),
        plays=SECRET,
    ),
    Lie("another salt is opened", "Unsealed", with_members(salt=OTHER_32), ("commitment-differs",), plays=SECRET),
)
