"""How is a fault in a battle file said?

The checks (chain, notes, seats, draws, decks, audit) name what does not hold by a stable code with
plain details; here each code has its sentence. Several texts for a code: the first whose gaps can
be filled stands.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from replay import words

SENTENCES: Mapping[str, tuple[str, ...]] = {
    # bytes
    "empty": ("The file is empty.",),
    "no-final-newline": ("The last line does not end in a line feed: something is missing or was cut off.",),
    "empty-line": ("The line is empty.",),
    "checkpoint-not-last": ("A checkpoint stands here, but lines follow it.",),
    "not-utf-8": ("The line is not UTF-8 text: {reason}.",),
    "not-json": ("The line is not JSON: {reason}.",),
    "not-canonical": ("The line is not spelled canonically: bytes have been changed.",),
    "not-plain": ("The line holds what a log may not hold: {reason}.",),
    "not-a-header": ("This is not the header of a battle file: {reason}.",),
    "other-format": ("This is {format} version {version}, not phalera-battle version 1.",),
    "not-an-event": ("This is not an event line: {reason}.",),
    "wrong-keys": ("An event line has the members {expected}; this one has {found}.",),
    "wrong-number": ("Event {expected} should stand here, the line says {found}.",),
    "bad-time": ("“{found}” is no time stamp of this format.",),
    "no-hash": ("The line has no hash where it must stand.",),
    "wrong-hash": ("The hash does not follow from this line and the one before it; it should be {expected}.",),
    "not-a-checkpoint": ("This is not a checkpoint: {reason}.",),
    "unfinished": ("The file is unfinished at event {n}: it has no checkpoint.",),
    "unknown-type": ("This game has no event “{type}”.",),
    "wrong-data": ("The members are not those of {type}: {reason}.", "The members are not those of {type}."),
    "not-foldable": ("{type} cannot have happened in this state of the battle ({reason}).",),
    # notes and heads
    "bad-key": ("The key is not a verifier key of this format.",),
    "not-a-note": ("The note is not a signed note, or is not spelled as one.",),
    "other-key": (
        "The file names the key {found}, not the trusted one, {expected}.",
        "The note is signed by another key.",
    ),
    "bad-signature": ("The signature is not the host's over this text.",),
    "not-a-head": ("The note is signed, but it is not about the state of a battle.",),
    "other-battle": ("The head is one of another battle.",),
    "other-head": ("The checkpoint is about {found}; the file ends as {expected}.",),
    "other-history": (
        "Another history was signed: the head that you were given has the hash {expected} here, this file {found}.",
    ),
    "shorter-than-head": ("The file ends at event {n}, but the head that you were given is of event {head}.",),
    "no-head": ("There is no signed head in it.",),
    # seats and contributions
    "other-game": ("The first event does not open a battle of the game {expected}, which the header names.",),
    "other-author": ("This was said by {expected}; the line says {found}.",),
    "other-turn": ("The order is given in player-turn {expected}; the line says {found}.",),
    "other-seat": ("A seat is plain or sealed, of a person or a bot; this one is {mode} and of a {kind}.",),
    "other-rule": ("This happens by the rule {expected}; the line says {found}.",),
    "opened-late": ("A battle is opened once, by its first event.",),
    "joined-before-commitment": ("{side} is taken before the server has committed to its secret.",),
    "seat-taken": ("{side} is taken already.",),
    "began-twice": ("The battle begins a second time.",),
    "began-before-joined": ("The battle begins while these sides are free: {sides}.",),
    "contribution-before-start": ("{side} contributes before the battle has begun; only plain seats may.",),
    "contribution-without-player": ("{side} contributes, but nobody holds this side.",),
    "contribution-of-other-kind": ("{side} contributes as “{kind}”, which is not the kind of its seat.",),
    "contribution-without-order": ("The contribution of {side} to turn {t} must come with an order of that turn.",),
    "contribution-after-draw": ("{side} contributes to turn {t} after its first draw.",),
    "contribution-twice": ("{side} contributes a second time to turn {t}.",),
    "contribution-differs": (
        "The contribution of {side} to turn {t} does not follow from its phrase and the order “{order}”.",
    ),
    "seal-not-of-chain": ("The seal of {side} for turn {t} is not the next one of its chain.",),
    "unknown-side": ("There is no side “{side}”.",),
    "bad-turn": ("{found} is no number of a turn.",),
    "bad-hex": ("“{found}” is not what the member {member} must be.",),
    # draws
    "draw-before-start": ("Something is drawn before the battle has begun.",),
    "draw-before-contribution": ("Something is drawn for turn {t} as {scope} before the contributions it depends on.",),
    "draw-after-disclosure": ("Something is drawn for turn {t} as {scope} after its nonce was told.",),
    "draw-of-the-past": ("Something is drawn for turn {t}, though turn {newest} has been drawn for.",),
    "scope-of-the-past": ("{scope} of turn {t} was drawn from before the rewind and may not be again.",),
    "scope-label": ("The draw must be labelled {expected}, not {scope}.",),
    "card-differs": ("The card that had to fall is {expected}; the log has {found}.",),
    "card-not-in-deck": ("The card {found} cannot come up: it is not in the deck any more.",),
    "deck-exhausted": ("A card is drawn from the deck {deck}, which is empty.",),
    "looked-cards-first": ("The cards that were looked at come up first: {expected}; the log has {found}.",),
    "cannot-look": ("These cards cannot have been looked at: {shown}.",),
    "epoch-differs": ("The deck is in epoch {expected}; the log says {found}.",),
    "index-differs": ("This draw is number {expected}; the log says {found}.",),
    "remaining-differs": ("{expected} cards are left; the log says {found}.",),
    "size-differs": ("The new deck has {expected} cards; the log says {found}.",),
    "unknown-deck": ("There is no deck “{deck}”.",),
    "die-differs": ("The die had to fall {expected}; the log has {found}.",),
    "die-without-sides": ("A die of {found} sides is thrown.",),
    "nonce-differs": ("The nonce of turn {t}, {scope}, is not the one of the revealed secret or told before.",),
    "master-differs": ("The secret revealed is not the one that the server committed to at the start.",),
    "master-out-of-place": ("The server's secret is revealed where it cannot be.",),
    "not-sealed": ("Event {event} is opened, but nothing in it is sealed.",),
    "opened-twice": ("Event {event} is opened a second time.",),
    "commitment-differs": ("What is opened is not what was sealed in event {event}.",),
    "never-opened": ("The event is sealed to the end, though the battle's secret is out.",),
    "rewound-after-master": ("The battle is taken back after its secret was revealed.",),
    "rewound-to-nowhere": ("The battle is taken back to event {to}, which is not before this one.",),
    # audit
    "no-input": ("{type} stands here without anything that caused it.",),
    "draw-missing": ("By the rules this order draws more from {scope} than the log has.",),
    "draw-unused": ("The log draws more from {scope} than the rules ask for.",),
    "no-such-command": ("The order is none of this game: {reason}.",),
    "text-differs": ("The order reads “{text}”, but what was played is “{command}”.",),
    "event-missing": ("By the rules {expected} follows; the log does not have it.",),
    "event-without-cause": ("{type} does not follow from the order by the rules.",),
    "not-judgeable": ("The rules cannot judge what stands here ({reason}).",),
}
DIFFERENT_LENGTH = 400


def fault_sentence(what: str, details: Mapping[str, Any]) -> str:
    """What is wrong, without its place."""
    if what == "not-allowed":
        params = {name: value for name, value in details.items() if name not in ("code", "rule")}
        return f"The rules do not allow this order: {words.refusal(details['code'], details['rule'], params)}"
    if what == "event-differs":
        return _difference(details["expected"], details["found"])
    shown = {name: _plain(value) for name, value in details.items()}
    for template in SENTENCES.get(what, ()):
        try:
            text = template.format_map(shown)
        except KeyError:
            continue
        return text[:1].upper() + text[1:]
    return f"{what} ({', '.join(f'{name}: {value}' for name, value in shown.items())})"


def line_sentence(line: int, what: str, details: Mapping[str, Any]) -> str:
    """What is wrong, with its place: the line counts from 1, 0 is the file as a whole."""
    place = f"line {line}: " if line else ""
    return f"{place}{fault_sentence(what, details)} [{what}]"


def _plain(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _difference(expected: str, found: str) -> str:
    """The members in which an event and the one of the rules differ."""
    by_rules, in_log = _members(expected), _members(found)
    names = [name for name in sorted({*by_rules, *in_log}) if by_rules.get(name) != in_log.get(name)]
    if "type" in names:
        return f"By the rules {by_rules['type']} follows; the log has {in_log['type']}."
    told = "; ".join(f"{name} is {_json(by_rules, name)}, the log has {_json(in_log, name)}" for name in names)
    return f"By the rules {told[:DIFFERENT_LENGTH]}."


def _members(line: str) -> dict[str, Any]:
    members = msgspec.json.decode(line)
    return {**members.pop("data"), "event's side": members["by"], "rule's ID": members["rule"], "type": members["type"]}


def _json(members: Mapping[str, Any], name: str) -> str:
    return msgspec.json.encode(members[name]).decode() if name in members else "absent"
