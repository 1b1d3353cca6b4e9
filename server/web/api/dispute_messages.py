"""The messages of the API about disputes (docs/disputes.md). What they say is the line that a mail would have."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from replay.reports.disputed import RulesVerdict
from server.web.api.messages import Phrase, SeenHead, Signatures

Seat = Annotated[str, Meta(pattern="^[a-z][a-z0-9]*$", max_length=24)]
Remedy = Annotated[str, Meta(description="`none`, `rewind N`, `draw` or `award SIDE`.", max_length=40)]
Said = Annotated[str, Meta(description="What you say, on one line.", max_length=800)]


class _Say(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What every message in a dispute has: the head that you answer, and a signature where your seat has a key."""

    side: str = ""
    seen: SeenHead = None
    signatures: Signatures = ()


class RaiseDispute(_Say, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Dispute event `about`; or with the kind `takeback`, which needs no event, ask to have your last order back."""

    about: int = 0
    kind: Literal["rules", "facts", "conduct", "time", "takeback"] = "rules"
    text: Said = ""


class _MayAgree(_Say, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What may agree to a rewind, and brings from header version 3 on the share of the chance that its side then owes:
    a phrase, or the next seal of its book. A seat with a key signs that as a second line, with an empty text."""

    phrase: Phrase = ""
    seal: str = ""


class AnswerDispute(_MayAgree, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Say something about a docket (`answer`, with a text), or do something with it. To `agree` to a rewind needs the
    `phrase` of a plain side, or the `seal` of a sealed one."""

    say: Literal["answer", "agree", "decline", "withdraw", "halt", "go on"] = "answer"
    text: Said = ""


class OfferRemedy(_MayAgree, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Offer how a docket may be settled: what both sides have offered in the same words is agreed. A rewind that is
    agreed so needs `phrase` or `seal`, as where one agrees."""

    remedy: Remedy
    text: Said = ""


class GiveRuling(_Say, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Rule on a docket, as umpire."""

    remedy: Remedy
    text: Said = ""


class RuleOnFlag(_Say, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Rule on the fallen flag of a side, as umpire: it has lost, the battle is drawn, or it gets more time."""

    flag: Seat
    effect: Literal["lost", "draw", "more"]
    text: Said = ""


class NameSubstitute(_Say, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Name who may take over a seat: your own, or the other player's; the umpire names for either. They take it by
    themselves, once who sits there has named them too or has been silent (CORE-DSP-12)."""

    seat: Seat
    player: Annotated[str, Meta(description="Name, address or id of the player.", max_length=254)]


class StatementView(Struct, frozen=True):
    """One thing said in a docket: raised, answered, halted, went-on, offered, ruled, settled or rewound."""

    n: int
    at: str
    by: str
    what: str
    text: str
    remedy: str


class SubstituteView(Struct, frozen=True):
    """A player named for the seat of a side, by a side or the umpire in event `n`; `silent`: its player was silent."""

    seat: str
    by: str
    player: str
    name: str
    n: int
    silent: bool


class TakenBackView(Struct, frozen=True):
    """What going back would draw anew for a side."""

    side: str
    cards: int
    dice: int


class OfferView(Struct, frozen=True):
    """What a side offers, and in which event. Of a `rewind`, `anew` is what would be drawn anew."""

    remedy: str
    n: int
    anew: tuple[TakenBackView, ...]


class DocketView(Struct, frozen=True):
    """A docket. `how` says how it was closed, "" while it is open: agreed, ruled, declined, withdrawn, lapsed.
    `verdict` is that of the rules; null in a list of dockets, and while the server has too much to do."""

    docket: str
    side: str
    about: int
    kind: str
    text: str
    n: int
    how: str
    remedy: str
    closed: int
    offers: dict[str, OfferView]
    said: tuple[StatementView, ...]
    verdict: RulesVerdict | None


class DisputesView(Struct, frozen=True):
    """The disputes of a battle. `umpire` is a player's id, "" for none, `umpire_signer` the key with which they sign,
    `umpire_serial` the newest serial of their signatures; `halted` the docket for which play is halted;
    `result` the remedy that stands beside the result of a battle that was over."""

    battle: str
    n: int
    umpire: str
    umpire_name: str
    proposed: dict[str, str]
    takebacks: str
    disputes_days: int
    halted: str
    result: str
    dockets: tuple[DocketView, ...]
    substitutes: tuple[SubstituteView, ...] = ()
    umpire_signer: str = ""
    umpire_serial: int = 0
    unsigned_umpire: bool = False
