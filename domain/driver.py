"""What goes into the log when something comes from outside, whatever the game?

An input and its consequences are one append (design.md 4). The functions here are pure: secrets,
salts and chance come in as values, and what comes out is the facts in their order, each with the
private part that the log must not show yet. Storing, signing and telling are the server's.
"""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain import fairness
from domain.battle import Battle, Seat, evolve_battle
from domain.chance import Chance
from domain.commands import Command
from domain.errors import Refusal
from domain.events import (
    BattleBegan,
    BattleEnded,
    ContributionGiven,
    DecisionMade,
    Event,
    Fact,
    MasterRevealed,
    NonceDisclosed,
    OrderAccepted,
    SideJoined,
    TurnEnded,
    Unsealed,
)
from domain.game import SIDES
from domain.record import content_of, sealed, sealed_under
from domain.ruleset import Ruleset, beginning, decide, opening

ORDER_PRIVATE = ("text", "command")
LEAST_PHRASE = 16
"""Bytes of phrase that a person gives with each plain contribution (fairness.md 5)."""


class Secrets(Struct, frozen=True):
    """What the server alone knows: the master, and a source of 32-byte salts."""

    master: bytes
    salt: Callable[[], bytes]


class Entry(Struct, frozen=True):
    """One line of orders as it came in. `key` is public (16 hex digits), `line` counts from 1; `seal` is
    the next seal of a sealed seat, as typed."""

    side: str
    text: str
    player: str
    channel: str
    line: int = 1
    key: str = ""
    phrase: str = ""
    phrase_required: bool = False
    seal: str = ""


class Secret(Struct, frozen=True, gc=False):
    """The private part of a fact: salt and canonical content, for the vault of its seat."""

    seat: str
    salt: bytes
    content: bytes


class Entered(Struct, frozen=True, gc=False):
    """A fact as it goes into the log, `whole` as the rules see it, and what the vault keeps."""

    fact: Fact
    whole: Fact
    secret: Secret | None = None


class WaitingForContribution(Exception):
    """A draw needs the contribution of a side that has not given one."""

    def __init__(self, side: str) -> None:
        super().__init__(side)
        self.side = side


Deal = Callable[[Battle], Chance]
"""Gives the chance of a battle, once its contributions are known (`server.dealer`)."""


# --- opening, joining, contributing


def open_battle(
    ruleset: Ruleset, gid: str, scenario: Mapping[str, Any], master: bytes, readers: str
) -> tuple[Entered, ...]:
    """Open a battle: the commitment to its secret stands in its first event (fairness.md 2)."""
    opened, *rest = opening(ruleset, scenario)
    commitment = fairness.commitment(gid, master).hex()
    event = replace(opened.event, commitment=commitment, readers=readers)
    return tuple(_public(fact) for fact in (Fact(opened.by, opened.rule, event), *rest))


def join(
    ruleset: Ruleset, battle: Battle, seat: Seat, gid: str, deal: Deal, phrases: Mapping[str, str]
) -> tuple[Entered, ...]:
    """A player takes a side; when both are taken the battle begins, and contributions that came
    with taking a side are given (plain seats only, fairness.md 5)."""
    if battle.ended:
        raise Refusal("core.battle-ended", "CORE-END", winner=battle.game.winner, how=battle.game.how)
    if seat.side in battle.seats:
        raise Refusal("core.side-taken", "CORE-SIDE", side=seat.side, name=battle.seats[seat.side].name)
    joined = SideJoined(seat.side, seat.name, seat.player, seat.kind, seat.mode, seat.anchor or UNSET)
    rule = ruleset.rules.get("SideJoined", joined.RULE)
    steps = _Steps(ruleset, battle)
    steps.add(Fact(seat.side, rule, joined))
    if len(steps.battle.seats) == len(SIDES):
        steps.add(Fact("server", BattleBegan.RULE, BattleBegan()))
        for fact in beginning(ruleset, steps.battle.game, deal(steps.battle)):
            steps.add(fact)
        for side in SIDES:
            if side in phrases and steps.battle.seats[side].mode == "plain":
                steps.add(contribution(gid, side, 0, phrases[side]))
    return tuple(steps.entered)


def contribution(gid: str, side: str, t: int, phrase: str, first_order: str = "") -> Fact:
    """A plain seat's contribution of player-turn `t` (fairness.md 5)."""
    value = fairness.plain_contribution(gid, t, side, phrase, first_order).hex()
    return Fact(side, ContributionGiven.RULE, ContributionGiven(side, t, "plain", value, phrase))


def contribute(battle: Battle, gid: str, side: str, phrase: str, seal: str = "") -> tuple[Entered, ...]:
    """A first contribution alone, before the side's own turn; nothing if it was given already."""
    if not battle.begun:
        raise Refusal("core.not-begun", "CORE-BEGIN")
    seat = battle.seats[side]
    if seat.contribution and not seat.stale:
        return ()
    if seat.mode == "sealed":
        return (_public(seal_contribution(seat, gid, 0, seal)),)
    if len(phrase.encode()) < LEAST_PHRASE:
        raise Refusal("core.phrase-missing", "CORE-FAIR", least=LEAST_PHRASE, given=len(phrase.encode()))
    return (_public(contribution(gid, side, 0, phrase)),)


def seal_contribution(seat: Seat, gid: str, t: int, typed: str) -> Fact:
    """A sealed seat's contribution of player-turn `t`: the next seal of its chain (fairness.md 2)."""
    if not typed.strip():
        raise Refusal("core.seal-missing", "CORE-FAIR", side=seat.side)
    try:
        seal = fairness.seal_from_text(typed)
    except ValueError:
        raise Refusal("core.bad-seal", "CORE-FAIR", seal=typed) from None
    if fairness.seal_before(gid, seat.side, seal).hex() != seat.anchor:
        raise Refusal("core.wrong-seal", "CORE-FAIR", seal=typed)
    return Fact(seat.side, ContributionGiven.RULE, ContributionGiven(seat.side, t, "seal", seal.hex()))


def needs_contribution(ruleset: Ruleset, battle: Battle, side: str, command: Command) -> bool:
    """Whether an order is the first of the side's own turn, so that a contribution goes with it."""
    seat = battle.seats[side]
    if command.FREE or command.ANSWERS or side not in ruleset.active(battle.game):
        return False
    return seat.stale or seat.contribution_t < battle.game.t


# --- orders


def enter_order(
    ruleset: Ruleset,
    battle: Battle,
    gid: str,
    entry: Entry,
    deal: Deal,
    secrets: Secrets,
    vault: Mapping[int, Secret],
) -> tuple[Entered, ...]:
    """One order with its consequences; a `Refusal` if it may not be given.

    `vault` has what is sealed so far, by n: what the rules reveal, or the end of the battle, is
    opened in the same append.
    """
    command = ruleset.parse(entry.text)
    text = ruleset.write(command, "en")
    steps = _Steps(ruleset, battle)
    needed = battle.begun and not battle.ended and needs_contribution(ruleset, battle, entry.side, command)
    lacking: Refusal | None = None
    if needed:
        given, lacking = _given(battle, gid, entry, battle.game.t, "" if command.PRIVATE else text)
        steps.add(given)
    elif _first_out_of_turn(battle, entry):
        given, lacking = _given(battle, gid, entry, 0, "")
        steps.add(given)
    try:
        facts = decide(ruleset, battle.game, entry.side, command, deal(steps.battle))
    except WaitingForContribution as waiting:
        raise Refusal("core.waiting-for-contribution", "CORE-FAIR", side=waiting.side) from None
    if lacking:  # said after the codes of the rules; what was drawn meanwhile is forgotten
        raise lacking
    steps.take(_accepted(battle, entry, text, command), ORDER_PRIVATE if command.PRIVATE else (), secrets, gid)
    for fact in facts:
        steps.take(fact, ruleset.private.get(type(fact.event), ()), secrets, gid)
    _close(steps, facts, battle, secrets, gid, vault)
    return tuple(steps.entered)


def _first_out_of_turn(battle: Battle, entry: Entry) -> bool:
    """An order out of turn may carry a side's first contribution, of t = 0."""
    seat = battle.seats[entry.side]
    if not battle.begun or battle.ended or (seat.contribution and not seat.stale):
        return False
    return bool(entry.seal) if seat.mode == "sealed" else len(entry.phrase.encode()) >= LEAST_PHRASE


def _given(battle: Battle, gid: str, entry: Entry, t: int, first_order: str) -> tuple[Fact, Refusal | None]:
    """The contribution that comes with an order, and why it will not do."""
    seat = battle.seats[entry.side]
    if seat.mode == "sealed":
        try:
            return seal_contribution(seat, gid, t, entry.seal), None
        except Refusal as refusal:
            nothing = ContributionGiven(seat.side, t, "seal", bytes(fairness.SEAL_BYTES).hex())
            return Fact(seat.side, nothing.RULE, nothing), refusal
    given = contribution(gid, entry.side, t, entry.phrase, first_order)
    if entry.phrase_required and len(entry.phrase.encode()) < LEAST_PHRASE:
        return given, Refusal("core.phrase-missing", "CORE-FAIR", least=LEAST_PHRASE, given=len(entry.phrase.encode()))
    return given, None


def _accepted(battle: Battle, entry: Entry, text: str, command: Command) -> Fact:
    order = OrderAccepted(
        side=entry.side,
        t=battle.game.t,
        line=entry.line,
        player=entry.player,
        channel=entry.channel,
        key=entry.key,
        text=text,
        command=msgspec.to_builtins(command),
    )
    return Fact(entry.side, OrderAccepted.RULE, order)


def _close(
    steps: "_Steps",
    facts: tuple[Fact, ...],
    before: Battle,
    secrets: Secrets,
    gid: str,
    vault: Mapping[int, Secret],
) -> None:
    """Open what the rules reveal; disclose a turn's nonces at its end, everything at the battle's."""
    kept = {**vault, **steps.secrets}
    revealed = [n for fact in facts for n in opened_by(fact.event)]
    ended = any(isinstance(fact.event, BattleEnded) for fact in facts)
    for n in dict.fromkeys([*revealed, *(steps.battle.sealed if ended else ())]):
        if n in kept and n in steps.battle.sealed:
            secret = kept[n]
            event = Unsealed(n, secret.salt.hex(), msgspec.json.decode(secret.content))
            steps.add(Fact("server", Unsealed.RULE, event))
    if ended:
        steps.add(Fact("server", MasterRevealed.RULE, MasterRevealed(secrets.master.hex())))
    elif any(isinstance(fact.event, TurnEnded) for fact in facts):
        t = before.game.t
        for draw in steps.ruleset.scopes:
            scope = fairness.scope_label(draw, before.game.rewinds)
            nonce = fairness.nonce(secrets.master, gid, t, scope).hex()
            steps.add(Fact("server", NonceDisclosed.RULE, NonceDisclosed(t, scope, nonce)))


def opened_by(event: Event) -> tuple[int, ...]:
    """The sealed events that an event opens: a standing order that answered, or what the event's
    own field `opens` lists where a game reveals something."""
    if isinstance(event, DecisionMade):
        return () if event.set_by is UNSET else (event.set_by,)
    opens: tuple[int, ...] = getattr(event, "opens", ())
    return opens


class _Steps:
    """Facts being entered one after another, with the battle after each."""

    def __init__(self, ruleset: Ruleset, battle: Battle) -> None:
        self.ruleset = ruleset
        self.battle = battle
        self.entered: list[Entered] = []
        self.secrets: dict[int, Secret] = {}

    def add(self, fact: Fact) -> None:
        """Enter a public fact."""
        self._enter(Entered(fact, fact))

    def take(self, fact: Fact, private: tuple[str, ...], secrets: Secrets, gid: str) -> None:
        """Enter a fact whose private members, if it has any, are sealed (design.md 4)."""
        if not private:
            self.add(fact)
            return
        content = content_of(fact.event, private)
        t, seat = sealed_under(fact.event, fact.by, self.battle.order_t)
        salt = secrets.salt()
        commitment = fairness.sealed_commitment(salt, gid, t, seat, content)
        public = Fact(fact.by, fact.rule, sealed(fact.event, private, commitment))
        secret = Secret(seat, salt, content)
        self.secrets[self.battle.n + 1] = secret
        self._enter(Entered(public, fact, secret))

    def _enter(self, entered: Entered) -> None:
        n = self.battle.n + 1
        self.battle = evolve_battle(self.ruleset, self.battle, entered.whole.event, n, entered.secret is not None)
        self.entered.append(entered)


def _public(fact: Fact) -> Entered:
    return Entered(fact, fact)
