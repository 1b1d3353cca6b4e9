"""Compare what an implementation printed for a case with the case.

The comparison is made here from the events, whatever the implementation says of itself: it shares no code with
`replay.lab.lab`, so that a fault in the one shows against the other. Rules TTS-CASE-01 … -03.
"""

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any

KEYS = {"events": list, "rejections": list, "final": dict, "ok": bool, "failures": list}
EVENT_KEYS = {"n": int, "by": str, "type": str, "rule": str, "data": dict}
REJECTION_KEYS = {"order": int, "code": str}


def differences(case: Mapping[str, Any], outcome: Any) -> list[str]:
    """What in an outcome does not agree with its case; nothing if all does.

    Shape:   `case` is the table of the file; `outcome` the JSON value printed
    Returns: sentences; those on the shape alone if the rest cannot be read
    """
    shape = list(_shape(outcome))
    if shape:
        return shape
    events = outcome["events"]
    found = [
        *_expected(case, events),
        *_absent(case, events),
        *_rejections(case, outcome["rejections"]),
        *_final(outcome["final"], case.get("final", {}), "final"),
        *_draws(case, events),
    ]
    return [*found, *_verdict(outcome, found)]


def same(one: Any, other: Any) -> bool:
    """Whether two values of JSON are equal, whole; true is not 1, and 1.0 is not 1."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and bool(one == other)


# --- the shape of what is printed


def _shape(outcome: Any) -> Iterator[str]:
    if not isinstance(outcome, dict):
        yield "what was printed is no JSON object"
        return
    yield from _faults(outcome, KEYS, "the outcome")
    for at, event in enumerate(_list(outcome, "events"), start=1):
        faults = list(_faults(event, EVENT_KEYS, f"event {at}"))
        yield from faults
        if not faults and event["n"] != at:
            yield f"event {at} has n = {event['n']}; n counts from 1 without a gap"
    for at, rejection in enumerate(_list(outcome, "rejections"), start=1):
        yield from _faults(rejection, REJECTION_KEYS, f"rejection {at}")


def _list(outcome: dict[str, Any], key: str) -> list[Any]:
    value = outcome.get(key)
    return value if isinstance(value, list) else []


def _faults(value: Any, keys: Mapping[str, type], what: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{what} is no object"
        return
    for key, kind in keys.items():
        if key not in value:
            yield f"{what} has no `{key}`"
        elif type(value[key]) is not kind:
            yield f"`{key}` of {what} is no {kind.__name__}"


# --- events


def _expected(case: Mapping[str, Any], events: list[dict[str, Any]]) -> Iterator[str]:
    """Each [[expect]] matches the first later event with every listed field equal (TTS-CASE-02)."""
    at = 0
    for number, wanted in enumerate(case.get("expect", ()), start=1):
        match = next((event["n"] for event in events[at:] if _matches(event, wanted)), None)
        if match is None:
            near = next((event for event in events[at:] if event["type"] == wanted["type"]), None)
            instead = f"; the next {wanted['type']} is event {near['n']}: {_told(near)}" if near else ""
            yield f"expect {number} did not come after event {at}: {_told(wanted)}{instead}"
        else:
            at = match


def _absent(case: Mapping[str, Any], events: list[dict[str, Any]]) -> Iterator[str]:
    for number, wanted in enumerate(case.get("absent", ()), start=1):
        for event in events:
            if _matches(event, wanted):
                yield f"absent {number} came as event {event['n']}: {_told(event)}"
                break


def _matches(event: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether an event has all that is listed; nested lists and tables are compared whole."""
    data = event["data"]
    return all(event[key] == wanted[key] for key in ("type", "by", "rule") if key in wanted) and all(
        key in data and same(data[key], value) for key, value in wanted.get("data", {}).items()
    )


def _told(event: Mapping[str, Any]) -> str:
    fields = ", ".join(f"{key} {value!r}" for key, value in event.get("data", {}).items())
    words = (event["type"], event.get("by", ""), event.get("rule", ""), f"({fields})" if fields else "")
    return " ".join(word for word in words if word)


# --- refusals, the end, the decks


def _rejections(case: Mapping[str, Any], rejections: list[dict[str, Any]]) -> Iterator[str]:
    """Listed orders are refused with their code, all others accepted."""
    wanted = {entry["order"]: entry["code"] for entry in case.get("reject", ())}
    seen: dict[int, str] = {}
    orders = case.get("orders", [])
    for rejection in rejections:
        order, code = rejection["order"], rejection["code"]
        if not 1 <= order <= len(orders):
            yield f"order {order} is refused, but there are {len(orders)} orders"
        elif order in seen:
            yield f"order {order} is refused twice"
        elif order not in wanted:
            yield f"order {order} ({orders[order - 1]}) is refused with {code}, and should be accepted"
        elif code != wanted[order]:
            yield f"order {order} ({orders[order - 1]}) is refused with {code}, and should be with {wanted[order]}"
        seen[order] = code
    for order, code in wanted.items():
        if order not in seen:
            yield f"order {order} ({orders[order - 1]}) is accepted, and should be refused with {code}"


def _final(actual: Any, wanted: Mapping[str, Any], path: str) -> Iterator[str]:
    """Only what the case lists is checked, at every depth."""
    for key, value in wanted.items():
        if not isinstance(actual, Mapping) or key not in actual:
            yield f"{path}.{key} does not exist"
        elif isinstance(value, Mapping) and isinstance(actual[key], Mapping):
            yield from _final(actual[key], value, f"{path}.{key}")
        elif not same(actual[key], value):
            yield f"{path}.{key} is {actual[key]!r}, not {value!r}"


def _draws(case: Mapping[str, Any], events: list[dict[str, Any]]) -> Iterator[str]:
    """Each deck gives its list, in order and to the last card (TTS-CASE-01).

    Cards that an oracle shows are drawn when they are shown, not when they come up (TTS-STR-15).
    """
    drawn: dict[str, list[Any]] = {}
    looked: dict[str, list[Any]] = {}
    for event in events:
        data = event["data"]
        if event["type"] == "StratagemPlayed" and isinstance(data.get("shown"), list):
            side = str(data.get("side"))
            drawn.setdefault(side, []).extend(data["shown"])
            looked[side] = list(data["shown"])
        elif event["type"] == "DeckShuffled":
            looked.pop(str(data.get("deck")), None)
        elif event["type"] == "CardDrawn":
            deck, card = str(data.get("deck")), data.get("card")
            if card in looked.get(deck, ()):
                looked[deck].remove(card)
            else:
                drawn.setdefault(deck, []).append(card)
    stacked: Mapping[str, list[Any]] = case.get("cards", {})
    for deck in dict.fromkeys([*stacked, *drawn]):
        missing = object()
        pairs = zip_longest(stacked.get(deck, []), drawn.get(deck, []), fillvalue=missing)
        for at, (wanted, card) in enumerate(pairs, start=1):
            if card is missing:
                yield f"deck {deck}: card {at} ({wanted}) is not drawn, nor any after it"
            elif wanted is missing:
                yield f"deck {deck}: card {at} ({card}) is drawn, but the list has no more"
            elif not _is_card(wanted, card):
                yield f"deck {deck}: card {at} is {card}, not {wanted}"
            else:
                continue
            break


def _is_card(wanted: Any, card: Any) -> bool:
    """A side's card counts by its value, whatever its code (`7h1`); a common deck's by its code."""
    if not isinstance(card, str):
        return False
    digits = card[:2] if card[:2] == "10" else card[:1]
    return digits == str(wanted) if isinstance(wanted, int) else card == wanted


def _verdict(outcome: Mapping[str, Any], found: list[str]) -> Iterator[str]:
    """An implementation should know of itself whether it agrees; what it says decides nothing."""
    if outcome["ok"] and found:
        yield "it calls itself ok, and is not"
    elif not outcome["ok"] and not found:
        yield f"it calls itself failed, but nothing differs; it says: {'; '.join(map(str, outcome['failures']))}"
    elif outcome["ok"] == bool(outcome["failures"]):
        yield "`ok` and `failures` contradict each other"
