"""Turn inputs into facts for the log, for any game.

An input and its consequences are one append (design.md 4). The functions here are pure: secrets,
salts and chance come in as values, and what comes out is the facts in their order, each with the
private part that the log must not show yet. Storing, signing and telling are the server's.
"""

from collections.abc import Callable, Mapping
from typing import Any

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
    MasterRevealed,
    NonceDisclosed,
    OrderAccepted,
    SideJoined,
    TurnBegan,
    TurnEnded,
    Unsealed,
)
from domain.engine.seats import Battle, Seat, evolve_battle
from domain.engine.state import SIDES
from domain.log import fairness
from domain.log.chance import Chance
from domain.log.record import content_of, sealed, sealed_under
from domain.ruleset import Ruleset
from domain.time.pace import canonical_pace

ORDER_PRIVATE = ("text", "command")
LEAST_PHRASE = 16
"""Bytes of phrase that a person gives with each plain contribution (fairness.md 2)."""


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
"""Gives the chance of a battle, once its contributions are known (`server.play.dealer`)."""


# --- opening, joining, contributing


def open_battle(
    ruleset: Ruleset, gid: str, scenario: Mapping[str, Any], secrets: Secrets, readers: str, pace: str = ""
) -> tuple[Entered, ...]:
    """Open a battle: the commitment to its secret stands in its first event (fairness.md 2).

    Raises: Refusal of the ruleset for a bad scenario; core.bad-pace
    """
    opened, *rest = opening(ruleset, scenario)
    commitment = fairness.commitment(gid, secrets.master).hex()
    event = replace(opened.event, commitment=commitment, readers=readers, pace=canonical_pace(pace) or UNSET)
    steps = _Steps(ruleset, Battle(0, ruleset.rules.initial), gid, secrets)
    for fact in (Fact(opened.by, opened.rule, event), *rest):
        steps.take(fact)
    return tuple(steps.entered)


def join(
    ruleset: Ruleset,
    battle: Battle,
    seat: Seat,
    gid: str,
    deal: Deal,
    secrets: Secrets,
    phrases: Mapping[str, str],
) -> tuple[Entered, ...]:
    """A player takes a side; when both are taken the battle begins, and contributions that came
    with taking a side are given (plain seats only, fairness.md 2)."""
    if battle.ended:
        raise Refusal("core.battle-ended", "CORE-END", winner=battle.game.winner, how=battle.game.how)
    if seat.side in battle.seats:
        raise Refusal("core.side-taken", "CORE-SIDE", side=seat.side, name=battle.seats[seat.side].name)
    joined = SideJoined(seat.side, seat.name, seat.player, seat.kind, seat.mode, seat.anchor or UNSET)
    rule = ruleset.rules.cited.get("SideJoined", joined.RULE)
    steps = _Steps(ruleset, battle, gid, secrets)
    steps.add(Fact(seat.side, rule, joined))
    if len(steps.battle.seats) == len(SIDES):
        steps.add(Fact("server", BattleBegan.RULE, BattleBegan()))
        for fact in beginning(ruleset, steps.battle.game):
            steps.take(fact)
        for side in SIDES:
            if side in phrases and steps.battle.seats[side].mode == "plain":
                steps.contribute(contribution(gid, side, 0, phrases[side]), deal)
    return tuple(steps.entered)


def contribution(gid: str, side: str, t: int, phrase: str, first_order: str = "") -> Fact:
    """A plain seat's contribution of player-turn `t` (fairness.md 2)."""
    value = fairness.plain_contribution(gid, t, side, phrase, first_order).hex()
    return Fact(side, ContributionGiven.RULE, ContributionGiven(side, t, "plain", value, phrase))


def contribute(
    ruleset: Ruleset,
    battle: Battle,
    gid: str,
    side: str,
    deal: Deal,
    secrets: Secrets,
    phrase: str,
    seal: str = "",
) -> tuple[Entered, ...]:
    """A first contribution alone, before the side's own turn or after a rewind; nothing if it was given already."""
    if not battle.begun:
        raise Refusal("core.not-begun", "CORE-BEGIN")
    seat = battle.seats[side]
    if side not in battle.owing:
        return ()
    t = battle.owed_turn(side) if seat.stale else 0
    steps = _Steps(ruleset, battle, gid, secrets)
    if seat.mode == "sealed":
        steps.contribute(seal_contribution(seat, gid, t, seal), deal)
    elif len(phrase.encode()) < LEAST_PHRASE:
        raise Refusal("core.phrase-missing", "CORE-FAIR", least=LEAST_PHRASE, given=len(phrase.encode()))
    else:
        steps.contribute(contribution(gid, side, t, phrase), deal)
    return tuple(steps.entered)


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
    """Whether a contribution goes with an order: an ordinary one of a side that owes it."""
    is_ordinary = not (command.FREE or command.ANSWERS) and side in ruleset.rules.active(battle.game)
    return is_ordinary and battle.owes(side)


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
    command = ruleset.orders.parse(entry.text)
    text = ruleset.orders.write(command, "en")
    steps = _Steps(ruleset, battle, gid, secrets)
    private = ruleset.secrets.order(battle.game, command)
    needed = needs_contribution(ruleset, battle, entry.side, command)
    lacking: Refusal | None = None
    try:
        if needed:
            t = battle.owed_turn(entry.side)
            given, lacking = _given(battle, gid, entry, t, "" if private or t != battle.game.t else text)
            steps.contribute(given, deal)
        elif _first_out_of_turn(battle, entry):
            # what the contribution sets going must not answer an order that may yet be refused
            require_allowed(ruleset, battle.game, entry.side, command)
            seat = battle.seats[entry.side]
            given, lacking = _given(battle, gid, entry, battle.owed_turn(entry.side) if seat.stale else 0, "")
            steps.contribute(given, deal)
        before = steps.battle
        facts = decide(ruleset, at_order(before.game, before.n + 1), entry.side, command, steps.dealt(deal))
    except WaitingForContribution as waiting:
        raise Refusal("core.waiting-for-contribution", "CORE-FAIR", side=waiting.side) from None
    if lacking:  # said after the codes of the rules; what was drawn meanwhile is forgotten
        raise lacking
    steps.take(_accepted(before, entry, text, command), ORDER_PRIVATE if private else ())
    for fact in facts:
        steps.take(fact)
    _close(steps, facts, before, vault)
    return tuple(steps.entered)


def enter_facts(
    ruleset: Ruleset,
    battle: Battle,
    gid: str,
    facts: tuple[Fact, ...],
    secrets: Secrets,
    vault: Mapping[int, Secret],
) -> tuple[Entered, ...]:
    """An input that draws nothing, and what has been decided to follow: `domain.time.clock.fired`, say."""
    steps = _Steps(ruleset, battle, gid, secrets)
    for fact in facts:
        steps.take(fact)
    _close(steps, facts, battle, vault)
    return tuple(steps.entered)


def at_order(game: Any, n: int) -> Any:
    """The state in which an order is decided that is event `n`: its consequences may name each other."""
    return replace(game, n=n)


def _first_out_of_turn(battle: Battle, entry: Entry) -> bool:
    """An order out of turn may carry a side's first contribution, of t = 0, or its first after a rewind."""
    seat = battle.seats[entry.side]
    if entry.side not in battle.owing:
        return False
    return bool(entry.seal) if seat.mode == "sealed" else len(entry.phrase.encode()) >= LEAST_PHRASE


def _given(battle: Battle, gid: str, entry: Entry, t: int, first_order: str) -> tuple[Fact, Refusal | None]:
    """The contribution that comes with an order, and why it is not accepted."""
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


def _close(steps: "_Steps", facts: tuple[Fact, ...], before: Battle, vault: Mapping[int, Secret]) -> None:
    """Open what the rules reveal; disclose a turn's nonces at its end, everything at the battle's."""
    kept = {**vault, **steps.secrets}
    sealed = steps.battle.sealed
    revealed = [part for fact in facts for n in opened_by(fact.event) for part in (sealed.get(n, 0), n)]
    ended = any(isinstance(fact.event, BattleEnded) for fact in facts)
    for n in dict.fromkeys([*revealed, *(sealed if ended else ())]):
        if n in kept and n in sealed:
            secret = kept[n]
            event = Unsealed(n, secret.salt.hex(), msgspec.json.decode(secret.content))
            steps.add(Fact("server", Unsealed.RULE, event))
    master = steps.secrets_of.master
    if ended:
        steps.add(Fact("server", MasterRevealed.RULE, MasterRevealed(master.hex())))
    elif any(isinstance(fact.event, (TurnEnded, TurnBegan)) for fact in facts):  # set-up, t = 0, has no TurnEnded
        t = before.game.t
        for draw in steps.ruleset.draws.scopes(before.game):
            scope = fairness.scope_label(draw, before.game.rewinds)
            nonce = fairness.nonce(master, steps.gid, t, scope).hex()
            steps.add(Fact("server", NonceDisclosed.RULE, NonceDisclosed(t, scope, nonce)))


def opened_by(event: Event) -> tuple[int, ...]:
    """The sealed events that an event opens, and with them the orders that caused them: a standing order
    that answered, or what the event's own field `opens` lists where a game reveals something."""
    if isinstance(event, DecisionMade):
        return () if event.set_by is UNSET else (event.set_by,)
    opens: tuple[int, ...] | UnsetType = getattr(event, "opens", ())
    return () if opens is UNSET else opens


class _Steps:
    """Facts being entered one after another, with the battle after each.

    `secrets` are the private parts of those entered, by n. All draws of one append come from one
    chance, so that what the store commits and what the dealer takes over are the same.
    """

    def __init__(self, ruleset: Ruleset, battle: Battle, gid: str, secrets: Secrets) -> None:
        self.ruleset = ruleset
        self.battle = battle
        self.gid = gid
        self.secrets_of = secrets
        self.entered: list[Entered] = []
        self.secrets: dict[int, Secret] = {}
        self._chance: Chance | None = None

    def dealt(self, deal: Deal) -> Chance:
        """The chance of this append, dealt when it is first asked for."""
        if self._chance is None:
            self._chance = deal(self.battle)
        return self._chance

    def contribute(self, given: Fact, deal: Deal) -> None:
        """Enter a contribution, and what the game was waiting for if it was the last one."""
        self.add(given)
        if self.battle.may_draw:
            for fact in proceeding(self.ruleset, self.battle.game, self.dealt(deal)):
                self.take(fact)

    def add(self, fact: Fact) -> None:
        """Enter a public fact."""
        self._enter(Entered(fact, fact))

    def take(self, fact: Fact, private: tuple[str, ...] = ()) -> None:
        """Enter a fact whose private members, if it has any, are sealed (design.md 4)."""
        private = private or self.ruleset.secrets.fields(self.battle.game, fact.event)
        if not private:
            self.add(fact)
            return
        content = content_of(fact.event, private)
        t, seat = sealed_under(fact.event, fact.by, self.battle.order_t)
        salt = self.secrets_of.salt()
        commitment = fairness.sealed_commitment(salt, self.gid, t, seat, content)
        public = Fact(fact.by, fact.rule, sealed(fact.event, private, commitment))
        secret = Secret(seat, salt, content)
        self.secrets[self.battle.n + 1] = secret
        self._enter(Entered(public, fact, secret))

    def _enter(self, entered: Entered) -> None:
        n = self.battle.n + 1
        self.battle = evolve_battle(self.ruleset, self.battle, entered.whole.event, n, entered.secret is not None)
        self.entered.append(entered)
