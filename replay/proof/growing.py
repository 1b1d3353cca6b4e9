"""Check a log by the protocol as it grows, without the rules of its game: what a client asks of a server.

The checks are those of `phalera verify` but for the moves (`replay.proof.audit`).
"""

from collections.abc import Mapping

from domain.catalogue import RULESETS
from domain.contract.ruleset import Ruleset
from domain.log.record import FIRST_VERSION, FileFault
from replay.proof import protocol, shapes
from replay.proof.blocks import ProtocolFault
from replay.proof.chain import Log
from replay.proof.claims import wrong_claims
from replay.proof.faults import fault_sentence
from replay.proof.protocol import Chronicle
from replay.proof.report import Fault
from replay.proof.seats import names_of


def protocol_fault(log: Log, rulesets: Mapping[str, Ruleset] = RULESETS) -> Fault | None:
    """The first fault of a log whose bytes hold, None if the protocol finds none. A file of version 1 has no protocol
    that a client could follow."""
    header = log.header
    if header.version == FIRST_VERSION:
        return None
    ruleset = rulesets.get(header.ruleset)
    try:
        events = shapes.read_events(log.lines, header.rules, ruleset, version=header.version)
    except FileFault as fault:
        return told(ProtocolFault(fault.line - 1, fault.what, **fault.details))
    names = names_of(ruleset, events[0].event if events else None)
    found = [
        ProtocolFault(n, what, **details) for n, what, details in wrong_claims(header.ruleset, ruleset, names, events)
    ]
    chronicle = Chronicle(
        header.battle, header.ruleset, header.rules, events, log.lines, log.hashes, version=header.version
    )
    try:
        protocol.check(chronicle, ruleset)
    except ProtocolFault as fault:
        found.append(fault)
    except Exception as reason:  # a signed log may claim anything: the answer is a fault, whatever it contains
        found.append(ProtocolFault(len(events), "not-readable", reason=f"{type(reason).__name__}: {reason}"))
    return told(min(found, key=lambda fault: fault.n)) if found else None


def told(fault: ProtocolFault) -> Fault:
    """A fault in words."""
    return Fault(fault.n, fault.what, fault_sentence(fault.what, fault.details))
