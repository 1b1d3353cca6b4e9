"""Check a log by the protocol as it grows, without the rules of its game: what a client asks of a server.

The checks are those of `phalera verify` but for the moves (`replay.proof.audit`). What one check has found is kept,
and the next goes on from there (`replay.proof.resuming`): it reads the turn that is not disclosed yet and what is new.
Where that is not enough (a rewind, a take-back, an opened order or card of before, the end), or anything is wrong, the
whole log is checked: only that says what a fault is.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from domain.catalogue import RULESETS
from domain.contract.ruleset import Ruleset
from domain.log.record import FIRST_VERSION, FileFault, Recorded
from replay.proof import protocol, shapes
from replay.proof.blocks import NotResumable, ProtocolFault
from replay.proof.chain import Log
from replay.proof.claims import wrong_claims
from replay.proof.faults import fault_sentence
from replay.proof.protocol import Chronicle
from replay.proof.report import Fault
from replay.proof.resuming import WalkSoFar
from replay.proof.seats import names_of


class CheckedSoFar(NamedTuple):
    """The first fault of a log, None for none, and what its next check may go on from, None: the first event."""

    fault: Fault | None
    walk: WalkSoFar | None


def protocol_fault(log: Log, rulesets: Mapping[str, Ruleset] = RULESETS) -> Fault | None:
    """The first fault of a log whose bytes hold, None if the protocol finds none. A file of version 1 has no protocol
    that a client could follow."""
    return checked_on(log, None, rulesets).fault


def checked_on(log: Log, kept: WalkSoFar | None, rulesets: Mapping[str, Ruleset] = RULESETS) -> CheckedSoFar:
    """Check a log whose bytes hold; an earlier check of it has `kept` how far it came. What is kept of another log
    counts for nothing."""
    header = log.header
    if header.version == FIRST_VERSION:
        return CheckedSoFar(None, None)
    ruleset = rulesets.get(header.ruleset)
    if kept is not None and kept.checked <= len(log.lines) and log.hashes[kept.checked] == kept.head:
        found = _resumed(log, ruleset, kept)
        if found is not None:
            return found
    try:
        events = shapes.read_events(log.lines, header.rules, ruleset, version=header.version)
    except FileFault as fault:
        return CheckedSoFar(in_words(ProtocolFault(fault.line - 1, fault.what, **fault.details)), None)
    return _checked(log, ruleset, events, None)


def _resumed(log: Log, ruleset: Ruleset | None, kept: WalkSoFar) -> CheckedSoFar | None:
    """Check what is new; None where that takes the whole log, or something is wrong."""
    header, rules = log.header, kept.authority.rules
    try:
        opening = shapes.read_events(log.lines[:1], header.rules, ruleset, version=header.version)
        new = shapes.read_events(log.lines[kept.block - 1 :], rules, ruleset, kept.block, header.version)
        found = _checked(log, ruleset, [*opening, *new], kept)
    except (NotResumable, FileFault):
        return None
    return found if found.fault is None else None


def _checked(log: Log, ruleset: Ruleset | None, events: Sequence[Recorded], kept: WalkSoFar | None) -> CheckedSoFar:
    header, walk = log.header, None
    names = names_of(ruleset, events[0].event if events else None)
    found = [
        ProtocolFault(n, what, **details) for n, what, details in wrong_claims(header.ruleset, ruleset, names, events)
    ]
    chronicle = Chronicle(
        header.battle, header.ruleset, header.rules, events, log.lines, log.hashes, version=header.version
    )
    try:
        walk = protocol.check_on(chronicle, ruleset, kept)
    except ProtocolFault as fault:
        found.append(fault)
    except NotResumable:
        raise
    except Exception as reason:  # a signed log may claim anything: the answer is a fault, whatever it contains
        found.append(ProtocolFault(len(events), "not-readable", reason=f"{type(reason).__name__}: {reason}"))
    return CheckedSoFar(in_words(min(found, key=lambda fault: fault.n)), None) if found else CheckedSoFar(None, walk)


def in_words(fault: ProtocolFault) -> Fault:
    """A fault in words."""
    return Fault(fault.n, fault.what, fault_sentence(fault.what, fault.details))
