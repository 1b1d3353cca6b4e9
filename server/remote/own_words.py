"""Compare what a player has sent with what stands in the log: text, phrase or seal, head, signature.

What is sent is kept until it stands in the log; each line of it is compared where it stands. What a server has accepted
must be there with its answer: a line or a contribution that is not was dropped. What a player does beside orders is
compared by `own_acts`.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.catalogue import RULESETS
from domain.events.battle import Seen
from replay.proof.blocks import ProtocolFault
from replay.proof.chain import Log
from replay.proof.growing import in_words
from replay.proof.report import Fault
from server.remote.own_acts import require_acts
from server.remote.state import BattleFiles, read_kept, write_kept

Signatures = tuple[tuple[int, str], ...]
"""Serial and base64 of each signed line."""

REFUSED = -1
MOST_KEPT = 16
"""Messages of which something may still come."""


class SentWords(Struct, frozen=True):
    """A message as it was sent.

    `request` is its key, `key` the one that the log has of it, "" for a contribution alone; `texts` are its canonical
    lines by number, without those that are not compared; `seal` is in hex. `accepted` says how many lines the server
    took, `REFUSED` that it took nothing, None that it has not answered. `has_entry`: behind its lines stands an entry
    alone, for they take play back.
    """

    side: str
    seen: Seen
    request: str = ""
    key: str = ""
    texts: dict[int, str] = {}
    phrase: str = ""
    seal: str = ""
    signatures: Signatures = ()
    accepted: int | None = None
    has_entry: bool = False


class _SentMessages(Struct, frozen=True):
    messages: tuple[SentWords, ...] = ()


def keep_words(place: BattleFiles, words: SentWords) -> None:
    """Keep what is about to be sent."""
    kept = _kept(place)
    if words not in kept:
        place.server.keep_folder()
        write_kept(place.sent, _SentMessages((*kept, words)[-MOST_KEPT:]))


def answered(place: BattleFiles, request: str, accepted: int) -> None:
    """Keep what a server has answered to a message: how many lines it accepted, or `REFUSED`."""
    kept = _kept(place)
    if any(words.request == request for words in kept):
        new = (replace(words, accepted=accepted) if words.request == request else words for words in kept)
        write_kept(place.sent, _SentMessages(tuple(new)))


def own_fault(place: BattleFiles, log: Log) -> Fault | None:
    """The first event of a log in which the player's words are not those that were sent; None if there is none. What
    is known to be right, or refused, is compared no more."""
    kept = _kept(place)
    try:
        waiting = [words for words in kept if not _is_all_there(words, log)]
        require_acts(place, log)
    except ProtocolFault as fault:
        return in_words(fault)
    if len(waiting) != len(kept):
        write_kept(place.sent, _SentMessages(tuple(waiting)))
    return None


def _kept(place: BattleFiles) -> tuple[SentWords, ...]:
    kept = read_kept(place.sent, _SentMessages)
    return () if kept is None else kept.messages


def _is_all_there(words: SentWords, log: Log) -> bool:
    """Whether nothing of a message is still to come.

    Raises:  ProtocolFault for the first event that says otherwise than what was sent, or the last one if something of
             it is missing
    """
    lines, is_given, before = 0, False, None
    for n, kind, data in _own_events(words, log):
        if kind == "OrderAccepted":
            if data.get("key") == words.key != "":
                if _is_prepared(data, words, log):
                    continue
                lines += 1
                _require_line(n, words, data)
                if before is not None:
                    _require_given(*before, words)
            before = None
        elif data.get("channel") is None:
            before = n, data
        elif (not words.key and words.request) or (
            (words.has_entry or not words.key) and data.get("seen") == {"hash": words.seen.hash, "n": words.seen.n}
        ):
            _require_given(n, data, words)
            _require_signed(n, words, data, len(words.signatures) - 1)
            is_given = True
    if words.accepted is None:
        return is_given and not words.key
    is_missing = lines < words.accepted and words.texts if words.key else words.accepted != REFUSED and not is_given
    if words.has_entry and words.accepted == len(words.texts):
        is_missing = is_missing or not is_given
    if is_missing:
        raise ProtocolFault(len(log.lines), "own-words-missing", side=words.side)
    return True


def _is_prepared(data: Mapping[str, Any], words: SentWords, log: Log) -> bool:
    """Whether a server has given an order first that the one of the player needs (`OrderRules.before`), under the same
    line. It does so for nobody who signs."""
    ruleset, text = RULESETS.get(log.header.ruleset), words.texts.get(data.get("line", 0))
    if ruleset is None or words.signatures or text is None or data.get("text") == text:
        return False
    return (data.get("command") or {}).get("order") in ruleset.orders.prepares


def _own_events(words: SentWords, log: Log) -> Iterator[tuple[int, str, Mapping[str, Any]]]:
    """Orders and contributions of the player's side behind the head that the message answers."""
    for n, line in enumerate(log.lines[words.seen.n :], words.seen.n + 1):
        if line.endswith((b'"type":"OrderAccepted"}', b'"type":"ContributionGiven"}')):
            event = msgspec.json.decode(line)
            data = event["data"]
            if data.get("side") == words.side and data.get("kind") != "reanchor":
                yield n, event["type"], data


def _require_line(n: int, words: SentWords, data: Mapping[str, Any]) -> None:
    number = data.get("line", 0)
    text = words.texts.get(number)
    if text is not None and data.get("text", text) != text:
        raise ProtocolFault(n, "own-text-differs", expected=text, found=data["text"])
    _require_signed(n, words, data, number - 1)


def _require_signed(n: int, words: SentWords, data: Mapping[str, Any], at: int) -> None:
    """Check the head that a line answers, and its signature, which is sealed with a private line."""
    seen = data.get("seen")
    if seen != {"hash": words.seen.hash, "n": words.seen.n}:
        raise ProtocolFault(n, "own-head-differs", expected=words.seen.n, found=(seen or {}).get("n", 0))
    if words.signatures:
        serial, signature = words.signatures[at] if 0 <= at < len(words.signatures) else (0, "")
        if data.get("serial") != serial or data.get("signature", signature) != signature:
            raise ProtocolFault(n, "own-signature-differs", expected=serial, found=data.get("serial", 0))


def _require_given(n: int, data: Mapping[str, Any], words: SentWords) -> None:
    if words.seal and data.get("value") != words.seal:
        raise ProtocolFault(n, "own-seal-differs", expected=words.seal, found=data.get("value", ""))
    if words.phrase and data.get("phrase") != words.phrase:
        raise ProtocolFault(n, "own-phrase-differs", found=data.get("phrase", ""))
