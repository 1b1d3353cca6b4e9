"""Turn inputs into facts for the log, for any game.

What holds:
- An input and its consequences are a block; one append has one or several whole blocks (design.md 4).
- At the end of each block stand the host's disclosures, exactly those that are due (fairness.md 4): what its events
  have opened, the key of each period that is over, the anchors of the next chains, at the battle's end everything.
- A contribution is a block of its own, before the order that it comes with. What it sets going is its consequence.
- The functions are pure: secrets, salts and chance come in as values, and what comes out is the facts in their order,
  each with the private part that the log must not show yet. Storing, signing and telling are the server's.

Rejected: disclosing where a turn ends, in the middle of a block (a standing answer that follows could still draw
from the key that is out); one block for contribution and order (a verifier could not say what caused what).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from unicodedata import normalize

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from domain.engine.commands import Command
from domain.engine.decide import beginning, decide, opening, proceeding, require_allowed
from domain.engine.errors import Refusal
from domain.engine.events import (
    BattleBegan,
    BattleEnded,
    ContributionGiven,
    DecisionMade,
    Event,
    Fact,
    KeyDisclosed,
    Keys,
    KeysContinued,
    MasterRevealed,
    OrderAccepted,
    Seen,
    SideJoined,
    Unsealed,
)
from domain.engine.seats import Battle, Seat, evolve_battle
from domain.engine.state import SIDES
from domain.log import fairness
from domain.log.chance import Chance
from domain.log.keys import HostKeys
from domain.log.limits import unfit_text
from domain.log.record import content_of, sealed, seat_of
from domain.ruleset import Ruleset
from domain.time.pace import canonical_pace

ORDER_PRIVATE = ("text", "command")
LEAST_PHRASE = 16
"""Bytes of phrase that a person gives with each plain contribution (fairness.md 2)."""


class Secrets(Struct, frozen=True):
    """What the server alone knows of a battle: its keys, a source of 32-byte salts, and by n what is sealed so far."""

    keys: HostKeys
    salt: Callable[[], bytes]
    vault: Mapping[int, "Secret"]


class Entry(Struct, frozen=True):
    """One line of orders as it came in. `key` is public (16 hex digits), `line` counts from 1; `seal` is
    the next seal of a sealed seat, as typed; `seen` the head that the player answers, None if they named none."""

    side: str
    text: str
    player: str
    channel: str
    line: int = 1
    key: str = ""
    phrase: str = ""
    phrase_required: bool = False
    seal: str = ""
    seen: Seen | None = None


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
"""Gives the chance of a battle, once its contributions are known (`server.play.dealer`)."""


# --- opening, joining, contributing


def open_battle(
    ruleset: Ruleset, scenario: Mapping[str, Any], secrets: Secrets, readers: str, pace: str = ""
) -> tuple[Entered, ...]:
    """Open a battle: its first event binds the keys of all its draws (fairness.md 2).

    Raises: Refusal of the ruleset for a bad scenario; core.bad-pace, core.bad-text
    """
    opened, *rest = opening(ruleset, _fit_for_log(scenario))
    keys = secrets.keys
    event = replace(
        opened.event,
        commitment=keys.commitment().hex(),
        keys=Keys({chain: anchor.hex() for chain, anchor in keys.anchors(0).items()}, keys.length),
        readers=readers,
        pace=canonical_pace(pace) or UNSET,
    )
    steps = _Steps(ruleset, Battle(0, ruleset.rules.initial), secrets)
    steps.block(Fact(opened.by, opened.rule, event), rest)
    return tuple(steps.entered)


def join(
    ruleset: Ruleset,
    battle: Battle,
    seat: Seat,
    deal: Deal,
    secrets: Secrets,
    phrases: Mapping[str, "Phrase"],
) -> tuple[Entered, ...]:
    """A player takes a side; when both are taken the battle begins, and the phrases that came with taking a side are
    given (plain seats only, fairness.md 2)."""
    if battle.ended:
        raise Refusal("core.battle-ended", "CORE-END", winner=battle.game.winner, how=battle.game.how)
    if seat.side in battle.seats:
        raise Refusal("core.side-taken", "CORE-SIDE", side=seat.side, name=battle.seats[seat.side].name)
    joined = SideJoined(
        seat.side,
        seat.name,
        seat.player,
        seat.kind,
        seat.mode,
        seat.anchor or UNSET,
        operator=True if seat.is_operator else UNSET,
    )
    rule = ruleset.rules.cited.get("SideJoined", joined.RULE)
    steps = _Steps(ruleset, battle, secrets)
    steps.block(Fact(seat.side, rule, joined))
    if len(steps.battle.seats) == len(SIDES):
        steps.block(Fact("server", BattleBegan.RULE, BattleBegan()), beginning(ruleset, steps.battle.game))
        for side in SIDES:
            phrase = phrases.get(side)
            if phrase is not None and steps.battle.seats[side].mode == "plain":
                given = contribution(secrets.keys.battle, side, 0, phrase.text)
                steps.contribute(_alone(given, phrase.channel, phrase.seen), deal)
    return tuple(steps.entered)


def _fit_for_log(value: Any) -> Any:
    """A parsed scenario whose texts can stand in a log: composed (NFC), and nothing that Unicode has yet to assign.

    Raises: Refusal core.bad-text
    """
    if isinstance(value, str):
        text = normalize("NFC", value)
        if reason := unfit_text(text):
            raise Refusal("core.bad-text", "CORE-OPEN", text=text[:LEAST_PHRASE], reason=reason)
        return text
    if isinstance(value, Mapping):
        return {key: _fit_for_log(part) for key, part in value.items()}
    return [_fit_for_log(part) for part in value] if isinstance(value, list) else value


class Phrase(Struct, frozen=True):
    """A phrase that came alone: over which channel, and the head that its player had seen."""

    text: str
    channel: str
    seen: Seen | None = None


def contribution(gid: str, side: str, t: int, phrase: str, first_order: str = "") -> Fact:
    """A plain seat's contribution of player-turn `t` (fairness.md 2)."""
    value = fairness.plain_contribution(gid, t, side, phrase, first_order).hex()
    return Fact(side, ContributionGiven.RULE, ContributionGiven(side, t, "plain", value, phrase))


def _alone(given: Fact, channel: str, seen: Seen | None) -> Fact:
    """A contribution without an order, which names its channel and its head itself."""
    return replace(given, event=replace(given.event, channel=channel, seen=seen or UNSET))


def contribute(
    ruleset: Ruleset, battle: Battle, side: str, deal: Deal, secrets: Secrets, phrase: Phrase, seal: str = ""
) -> tuple[Entered, ...]:
    """A contribution alone, of a seat that owes one whatever the turn; nothing if it was given already."""
    if not battle.begun:
        raise Refusal("core.not-begun", "CORE-BEGIN")
    seat = battle.seats[side]
    if side not in battle.owing:
        return ()
    gid = secrets.keys.battle
    t = battle.turn_of_entry(side)
    length = len(phrase.text.encode())
    if seat.mode == "sealed":
        given = seal_contribution(battle, seat, gid, t, seal)
    elif length < LEAST_PHRASE:
        raise Refusal("core.phrase-missing", "CORE-FAIR", least=LEAST_PHRASE, given=length)
    else:
        given = contribution(gid, side, t, phrase.text)
    steps = _Steps(ruleset, battle, secrets)
    steps.contribute(_alone(given, phrase.channel, phrase.seen), deal)
    return tuple(steps.entered)


def change_book(
    ruleset: Ruleset, battle: Battle, side: str, anchor: str, channel: str, seen: Seen | None, secrets: Secrets
) -> tuple[Entered, ...]:
    """A sealed seat begins another book of seals, having lost its own; nothing if it has begun this one. The other
    seats contribute anew before its first seal is taken (fairness.md 2).

    Raises: Refusal core.battle-ended, core.not-begun, core.no-book
    """
    seat = battle.seats[side]
    if battle.ended:
        raise Refusal("core.battle-ended", "CORE-END", winner=battle.game.winner, how=battle.game.how)
    if not battle.begun:
        raise Refusal("core.not-begun", "CORE-BEGIN")
    if seat.mode != "sealed":
        raise Refusal("core.no-book", "CORE-FAIR", side=side)
    if seat.anchor == anchor:
        return ()
    steps = _Steps(ruleset, battle, secrets)
    begun = ContributionGiven(side, battle.game.t, "reanchor", anchor, channel=channel, seen=seen or UNSET)
    steps.block(Fact(side, begun.RULE, begun))
    return tuple(steps.entered)


def seal_contribution(battle: Battle, seat: Seat, gid: str, t: int, typed: str) -> Fact:
    """A sealed seat's contribution of player-turn `t`: the next seal of its chain (fairness.md 2)."""
    waits_for = battle.waits_for_others(seat.side)
    if waits_for:
        raise Refusal("core.waiting-for-contribution", "CORE-FAIR", side=waits_for[0])
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
    """Whether a contribution goes with an order: an ordinary one of a side that owes it."""
    is_ordinary = not (command.FREE or command.ANSWERS) and side in ruleset.rules.active(battle.game)
    return is_ordinary and battle.owes(side)


# --- orders


def enter_order(ruleset: Ruleset, battle: Battle, entry: Entry, deal: Deal, secrets: Secrets) -> tuple[Entered, ...]:
    """One order with its consequences; a `Refusal` if it may not be given."""
    command = ruleset.orders.parse(entry.text)
    text = ruleset.orders.write(command, "en")
    steps = _Steps(ruleset, battle, secrets)
    private = ruleset.secrets.order(battle.game, command)
    gid, t = secrets.keys.battle, battle.game.t
    lacking: Refusal | None = None
    try:
        if needs_contribution(ruleset, battle, entry.side, command):
            given, lacking = _given(battle, gid, entry, t, "" if private else text)
            steps.contribute(given, deal)
        elif _first_out_of_turn(battle, entry):
            # what the contribution sets going must not answer an order that may yet be refused
            require_allowed(ruleset, battle.game, entry.side, command)
            given, lacking = _given(battle, gid, entry, t, "")
            steps.contribute(given, deal)
        before = steps.battle
        facts = decide(ruleset, at_order(before.game, before.n + 1), entry.side, command, steps.dealt(deal))
    except WaitingForContribution as waiting:
        raise Refusal("core.waiting-for-contribution", "CORE-FAIR", side=waiting.side) from None
    if lacking:  # said after the codes of the rules; what was drawn meanwhile is forgotten
        raise lacking
    steps.block(_accepted(before, entry, text, command), facts, ORDER_PRIVATE if private else ())
    return tuple(steps.entered)


def enter_facts(ruleset: Ruleset, battle: Battle, facts: tuple[Fact, ...], secrets: Secrets) -> tuple[Entered, ...]:
    """An input that draws nothing, and what has been decided to follow: `domain.time.clock.fired`, say."""
    steps = _Steps(ruleset, battle, secrets)
    steps.block(facts[0], facts[1:])
    return tuple(steps.entered)


def at_order(game: Any, n: int) -> Any:
    """The state in which an order is decided that is event `n`: its consequences may name each other."""
    return replace(game, n=n)


def _first_out_of_turn(battle: Battle, entry: Entry) -> bool:
    """An order out of turn may carry a contribution that its side owes whatever the turn."""
    seat = battle.seats[entry.side]
    if entry.side not in battle.owing:
        return False
    return bool(entry.seal) if seat.mode == "sealed" else len(entry.phrase.encode()) >= LEAST_PHRASE


def _given(battle: Battle, gid: str, entry: Entry, t: int, first_order: str) -> tuple[Fact, Refusal | None]:
    """The contribution that comes with an order, and why it is not accepted."""
    seat = battle.seats[entry.side]
    if seat.mode == "sealed":
        try:
            return seal_contribution(battle, seat, gid, t, entry.seal), None
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
        seen=entry.seen or UNSET,
    )
    return Fact(entry.side, OrderAccepted.RULE, order)


def opened_by(event: Event) -> tuple[int, ...]:
    """The sealed events that an event opens, and with them the orders that caused them: a standing order
    that answered, or what the event's own field `opens` lists where a game reveals something."""
    if isinstance(event, DecisionMade):
        return () if event.set_by is UNSET else (event.set_by,)
    opens: tuple[int, ...] | UnsetType = getattr(event, "opens", ())
    return () if opens is UNSET else opens


class _Steps:
    """Blocks being entered one after another, with the battle after each fact.

    All draws of one append come from one chance, so that what the store commits and what the dealer takes over are
    the same.
    """

    def __init__(self, ruleset: Ruleset, battle: Battle, secrets: Secrets) -> None:
        self.ruleset = ruleset
        self.battle = battle
        self.entered: list[Entered] = []
        self._secrets = secrets
        self._vault = dict(secrets.vault)
        self._chance: Chance | None = None

    def dealt(self, deal: Deal) -> Chance:
        """The chance of this append, dealt when it is first asked for."""
        if self._chance is None:
            self._chance = deal(self.battle)
        return self._chance

    def contribute(self, given: Fact, deal: Deal) -> None:
        """Enter a contribution, and what the game was waiting for if it was the last one."""
        self.block(given, (), ())
        if self.battle.may_draw:
            self._follow(proceeding(self.ruleset, self.battle.game, self.dealt(deal)))

    def block(self, input_: Fact, facts: Sequence[Fact] = (), private: tuple[str, ...] = ()) -> None:
        """Enter an input with its consequences and the disclosures that follow; `private` are members of the input
        that its side alone may know."""
        self._take(input_, private)
        self._follow(facts)

    def _follow(self, facts: Sequence[Fact]) -> None:
        begun = self.battle.period
        for fact in facts:
            self._take(fact)
        if any(isinstance(fact.event, BattleEnded) for fact in facts):
            self._open(self.battle.sealed)
            master = self._secrets.keys.master.hex()
            self._add(Fact("server", MasterRevealed.RULE, MasterRevealed(master)))
            return
        self._open(part for fact in facts for n in opened_by(fact.event) for part in (self.battle.sealed.get(n, 0), n))
        for index in range(begun, self.battle.period):
            key = self._secrets.keys.key(fairness.PUBLIC, index).hex()
            self._add(Fact("server", KeyDisclosed.RULE, KeyDisclosed(index, key)))
        self._continue_keys(begun)

    def _open(self, events: Iterable[int]) -> None:
        """Disclose what is sealed of these events, in the order of the log."""
        for n in sorted({*events} & self.battle.sealed.keys()):
            secret = self._vault[n]
            event = Unsealed(n, secret.salt.hex(), msgspec.json.decode(secret.content))
            self._add(Fact("server", Unsealed.RULE, event))

    def _continue_keys(self, begun: int) -> None:
        """Publish the next chains where the last key of the present ones has come into use."""
        keys = self._secrets.keys
        for index in range(begun + 1, self.battle.period + 1):
            generation, place = divmod(index, keys.length)
            if place == keys.length - 1:
                anchors = {chain: anchor.hex() for chain, anchor in keys.anchors(generation + 1).items()}
                self._add(Fact("server", KeysContinued.RULE, KeysContinued(generation + 1, anchors)))

    def _take(self, fact: Fact, private: tuple[str, ...] = ()) -> None:
        """Enter a fact whose private members, if it has any, are sealed (design.md 4)."""
        private = private or self.ruleset.secrets.fields(self.battle.game, fact.event)
        if not private:
            self._add(fact)
            return
        content = content_of(fact.event, private)
        t, seat = self.battle.game.t, seat_of(fact.event, fact.by)
        salt = self._secrets.salt()
        commitment = fairness.sealed_commitment(salt, self._secrets.keys.battle, t, seat, content)
        public = Fact(fact.by, fact.rule, sealed(fact.event, private, commitment))
        secret = Secret(seat, salt, content)
        self._vault[self.battle.n + 1] = secret
        self._enter(Entered(public, fact, secret))

    def _add(self, fact: Fact) -> None:
        """Enter a public fact."""
        self._enter(Entered(fact, fact))

    def _enter(self, entered: Entered) -> None:
        n = self.battle.n + 1
        self.battle = evolve_battle(self.ruleset, self.battle, entered.whole.event, n, entered.secret is not None)
        self.entered.append(entered)
