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

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.basics.pace import canonical_pace
from domain.contract.ruleset import Ruleset
from domain.engine.state import require_lasting
from domain.events.battle import (
    BattleBegan,
    BattleOpened,
    ContributionGiven,
    Fact,
    Keys,
    OrderAccepted,
    Seen,
    SideJoined,
    SideLeft,
)
from domain.events.inputs import OF_ONE_BATTLE
from domain.log import fairness
from domain.log.record import OPENED, PBEM_2_1
from domain.run.block_writer import BlockWriter, Deal, Entered, Secrets
from domain.run.decide import beginning, decide, opening, require_allowed, set_up_after
from domain.run.draw_door import WaitingForContribution
from domain.run.own_word import OwnWord, Signed, require_signed, require_word, signature_members
from domain.run.scenario_texts import fit_for_log
from domain.run.scenario_told import scenario_members
from domain.run.seats import Battle, Seat, require_not_halted, require_playing
from domain.run.terms import USUAL_TERMS, Terms, require_terms

ORDER_PRIVATE = ("text", "command", "signature")
LEAST_PHRASE = 16
"""Bytes of phrase that a person gives with each plain contribution (fairness.md 2)."""


class Entry(Struct, frozen=True):
    """One line of orders as it came in. `key` is public (16 hex digits), `line` counts from 1; `seal` is
    the next seal of a sealed seat, as typed; `seen` the head that the player answers, None if they named none; `signed`
    the signature of a seat with a key; `named` the name of a player whom the line is about; `signed_entry` the
    signature of the entry that stands alone behind the line (`entry_alone`); `bot` the name and version of a bot whose
    chance follows from the log."""

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
    signed: Signed | None = None
    named: str = ""
    signed_entry: Signed | None = None
    bot: str = ""


# --- opening, joining, contributing


def facts_of_opening(ruleset: Ruleset, scenario: Mapping[str, Any]) -> tuple[Fact, ...]:
    """The facts that open a battle of a scenario, the first without what binds the host.

    Raises: Refusal of the ruleset for a bad scenario; core.bad-text
    """
    return opening(ruleset, fit_for_log(scenario))


def facts_of_rematch(ruleset: Ruleset, opened: BattleOpened) -> tuple[Fact, ...]:
    """The facts that open a battle once more; `opened` is its first event, with its private part."""
    fresh = replace(opened, **dict.fromkeys(OF_ONE_BATTLE, UNSET))
    rule = ruleset.rules.cited.get("BattleOpened", fresh.RULE)
    return (Fact("server", rule, fresh), *set_up_after(ruleset, fresh))


def open_battle(
    ruleset: Ruleset,
    facts: Sequence[Fact],
    secrets: Secrets,
    readers: str,
    pace: str = "",
    terms: Terms = USUAL_TERMS,
    version: int = OPENED,
) -> tuple[Entered, ...]:
    """Open a battle with `facts_of_opening`: its first event binds the keys of all its draws (fairness.md 2).
    `version` is that of the protocol.

    Raises: Refusal core.bad-pace, core.docket-terms, core.docket-unknown-player
    """
    require_terms(terms)
    terms = terms.under(version)
    opened, *rest = facts
    keys = secrets.keys
    event = replace(
        opened.event,
        commitment=keys.commitment().hex(),
        keys=Keys({chain: anchor.hex() for chain, anchor in keys.anchors(0).items()}, keys.length),
        readers=readers,
        pace=canonical_pace(pace) or UNSET,
        **terms.written(),
    )
    if version >= PBEM_2_1:
        private = ruleset.secrets.fields(ruleset.rules.initial, event)
        event = replace(event, **scenario_members(ruleset, event, private))
    rest += terms.facts()
    writer = BlockWriter(ruleset, Battle(0, ruleset.rules.initial, version=version), secrets)
    writer.block(Fact(opened.by, opened.rule, event), rest)
    return tuple(writer.entered)


def join(
    ruleset: Ruleset,
    battle: Battle,
    seat: Seat,
    deal: Deal,
    secrets: Secrets,
    phrases: Mapping[str, "Phrase"],
    silent: int = 0,
    word: OwnWord | None = None,
) -> tuple[Entered, ...]:
    """A player takes a side; when all are taken the battle begins, and the phrases that came with taking a side are
    given (plain seats only, fairness.md 2). Since event `silent` who holds it has been silent, 0: they have not. A
    seat with a key is taken with the `word` of its player, from header version 3 on.

    Raises: Refusal core.battle-ended, core.docket-own-battle, core.side-taken, core.seat-present; as `require_word`
    """
    require_lasting(battle.game)
    if seat.player in battle.disputes.umpires:
        raise Refusal("core.docket-own-battle", "CORE-DSP-10", player=seat.player, name=seat.name)
    follows = battle.begun and battle.may_follow(seat.side, seat.player, silent)
    if seat.side in battle.seats and not follows:
        if battle.begun and battle.named_for(seat.side, seat.player):
            raise Refusal("core.seat-present", "CORE-DSP-12", side=seat.side, name=battle.seats[seat.side].name)
        raise Refusal("core.side-taken", "CORE-SIDE", side=seat.side, name=battle.seats[seat.side].name)
    joined = SideJoined(
        seat.side,
        seat.name,
        seat.player,
        seat.kind,
        seat.mode,
        seat.anchor or UNSET,
        operator=True if seat.is_operator else UNSET,
        signer=seat.signer or UNSET,
        program=True if seat.is_program else UNSET,
        **require_word(battle, seat.side, seat.signer if battle.version >= PBEM_2_1 else "", word, is_join=True),
    )
    rule = ruleset.rules.cited.get("SideJoined", joined.RULE)
    writer = BlockWriter(ruleset, battle, secrets)
    if follows and seat.side in battle.seats:
        writer.block(Fact(seat.side, SideLeft.RULE, SideLeft(seat.side, "substitute")))
    writer.block(Fact(seat.side, rule, joined))
    if len(writer.battle.seats) == len(ruleset.seats) and not battle.begun:
        writer.block(Fact("server", BattleBegan.RULE, BattleBegan()), beginning(ruleset, writer.battle.game))
        for side in ruleset.seats.names:
            phrase = phrases.get(side)
            if phrase is not None and writer.battle.seats[side].mode == "plain":
                t = writer.battle.turn_of_entry(side)
                given = contribution(secrets.keys.battle, side, t, phrase.text)
                writer.contribute(_alone(given, phrase), deal)
    return tuple(writer.entered)


class Phrase(Struct, frozen=True):
    """A phrase (or a seal, or another book) that came alone: over which channel, the head that its player had seen, and
    the signature of a seat with a key."""

    text: str
    channel: str
    seen: Seen | None = None
    signed: Signed | None = None


def contribution(gid: str, side: str, t: int, phrase: str, first_order: str = "") -> Fact:
    """A plain seat's contribution of player-turn `t` (fairness.md 2)."""
    value = fairness.plain_contribution(gid, t, side, phrase, first_order).hex()
    return Fact(side, ContributionGiven.RULE, ContributionGiven(side, t, "plain", value, phrase))


def _alone(given: Fact, came: Phrase) -> Fact:
    """A contribution without an order, which names its channel and its head itself, and is signed itself."""
    event = replace(given.event, channel=came.channel, seen=came.seen or UNSET, **signature_members(came.signed))
    return replace(given, event=event)


def contribute(
    ruleset: Ruleset, battle: Battle, side: str, deal: Deal, secrets: Secrets, phrase: Phrase, seal: str = ""
) -> tuple[Entered, ...]:
    """A contribution alone, of a seat that owes one whatever the turn; nothing if it was given already."""
    if not battle.begun:
        raise Refusal("core.not-begun", "CORE-BEGIN")
    seat = battle.seats[side]
    if side not in battle.owing:
        return ()
    require_not_halted(battle)
    gid = secrets.keys.battle
    t = battle.turn_of_entry(side)
    length = len(phrase.text.encode())
    if seat.mode == "sealed":
        given = seal_contribution(battle, seat, gid, t, seal)
    elif length < LEAST_PHRASE:
        raise Refusal("core.phrase-missing", "CORE-FAIR", least=LEAST_PHRASE, given=length)
    else:
        given = contribution(gid, side, t, phrase.text)
    require_signed(battle, side, phrase.signed, phrase.seen)
    writer = BlockWriter(ruleset, battle, secrets)
    writer.contribute(_alone(given, phrase), deal)
    return tuple(writer.entered)


def change_book(ruleset: Ruleset, battle: Battle, side: str, anchor: Phrase, secrets: Secrets) -> tuple[Entered, ...]:
    """A sealed seat begins another book of seals (the text is its anchor), having lost its own; nothing if it has begun
    this one. The other seats contribute anew before its first seal is taken (fairness.md 2).

    Raises: Refusal core.battle-ended, core.not-begun, core.no-book, core.other-book-waits, core.seal-as-book
    """
    seat = battle.seats[side]
    require_lasting(battle.game)
    if not battle.begun:
        raise Refusal("core.not-begun", "CORE-BEGIN")
    if seat.mode != "sealed":
        raise Refusal("core.no-book", "CORE-FAIR", side=side)
    if seat.anchor == anchor.text:
        return ()
    waiting = next((other for other in battle.seats if side in battle.waits_for_others(other)), "")
    if waiting:  # two new books would wait for each other
        raise Refusal("core.other-book-waits", "CORE-FAIR", side=side, other=waiting)
    if fairness.seal_before(secrets.keys.battle, side, bytes.fromhex(anchor.text)).hex() == seat.anchor:
        raise Refusal("core.seal-as-book", "CORE-FAIR", side=side)
    require_signed(battle, side, anchor.signed, anchor.seen)
    writer = BlockWriter(ruleset, battle, secrets)
    begun = ContributionGiven(side, battle.game.t, "reanchor", anchor.text)
    writer.block(_alone(Fact(side, begun.RULE, begun), anchor))
    return tuple(writer.entered)


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
    """One order of the game with its consequences; a `Refusal` if it may not be given."""
    require_playing(battle, entry.side)
    command = ruleset.orders.parse(entry.text)
    if entry.signed is None:
        command = ruleset.orders.spelled_out(battle.game, entry.side, command)
    text = ruleset.orders.write(command, "en")
    writer = BlockWriter(ruleset, battle, secrets)
    private = ruleset.secrets.order(battle.game, command)
    gid, t = secrets.keys.battle, battle.game.t
    lacking: Refusal | None = None
    try:
        if needs_contribution(ruleset, battle, entry.side, command):
            given, lacking = _contribution_of(battle, gid, entry, t, "" if private else text)
            writer.contribute(given, deal)
        elif _first_out_of_turn(battle, entry):
            # what the contribution sets going must not answer an order that may yet be refused
            require_allowed(ruleset, battle.game, entry.side, command)
            given, lacking = _contribution_of(battle, gid, entry, t, "")
            writer.contribute(given, deal)
        before = writer.battle
        facts = decide(ruleset, replace(before.game, n=before.n + 1), entry.side, command, writer.dealt(deal))
    except WaitingForContribution as waiting:
        raise Refusal("core.waiting-for-contribution", "CORE-FAIR", side=waiting.side) from None
    if lacking:  # said after the codes of the rules; what was drawn meanwhile is forgotten
        raise lacking
    require_signed(battle, entry.side, entry.signed, entry.seen)
    writer.block(accepted(before, entry, text, command), facts, ORDER_PRIVATE if private else ())
    return tuple(writer.entered)


def enter_facts(ruleset: Ruleset, battle: Battle, facts: tuple[Fact, ...], secrets: Secrets) -> tuple[Entered, ...]:
    """An input that draws nothing, and what has been decided to follow: `domain.time.clock.fired`, say."""
    writer = BlockWriter(ruleset, battle, secrets)
    writer.block(facts[0], facts[1:])
    return tuple(writer.entered)


def _first_out_of_turn(battle: Battle, entry: Entry) -> bool:
    """An order out of turn may carry a contribution that its side owes whatever the turn."""
    seat = battle.seats[entry.side]
    if entry.side not in battle.owing:
        return False
    return bool(entry.seal) if seat.mode == "sealed" else len(entry.phrase.encode()) >= LEAST_PHRASE


def _contribution_of(battle: Battle, gid: str, entry: Entry, t: int, first_order: str) -> tuple[Fact, Refusal | None]:
    """The contribution that comes with an order, and why it is not accepted, None if it is."""
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


def entry_alone(battle: Battle, entry: Entry, secrets: Secrets) -> Fact:
    """The entry that a request brings behind the line which made it due: alone, and signed as a second line.

    Raises: Refusal core.phrase-missing, core.seal-missing, core.signature-missing …
    """
    given, lacking = _contribution_of(battle, secrets.keys.battle, entry, battle.turn_of_entry(entry.side), "")
    if lacking:
        raise lacking
    require_signed(battle, entry.side, entry.signed_entry, entry.seen)
    return _alone(given, Phrase(entry.phrase, entry.channel, entry.seen, entry.signed_entry))


def accepted(battle: Battle, entry: Entry, text: str, command: Command) -> Fact:
    """The input that an accepted order is; `text` is its canonical form."""
    order = OrderAccepted(
        side=entry.side,
        t=battle.game.t,
        line=entry.line,
        player=entry.player,
        channel=entry.channel,
        key=entry.key,
        text=text,
        command=msgspec.to_builtins(command),
        bot=entry.bot or UNSET,
        seen=entry.seen or UNSET,
        **signature_members(entry.signed),
    )
    return Fact(entry.side, OrderAccepted.RULE, order)
