"""Check the protocol of a battle file some of whose events are told otherwise."""

from collections.abc import Mapping

from msgspec.structs import replace

from domain.contract.ruleset import Ruleset
from domain.events.battle import Event, Fact
from domain.log import record
from domain.run.timeline import catalogue_of
from replay.proof import chain, protocol
from replay.proof.protocol import Chronicle, Findings


def findings(
    ruleset: Ruleset, content: bytes, changes: Mapping[int, Event] | None = None, version: int = 0
) -> Findings:
    """What the protocol finds, the hashes being those of the file; `changes` replace events, by n, and
    `version` that of the header.

    Raises: ProtocolFault
    """
    log = chain.open_file(content, allow_unfinished=True)
    events, lines = [], []
    for n, written in enumerate(log.lines, 1):
        recorded, line = record.decode(written, catalogue_of(ruleset)), written
        if changes and n in changes:
            recorded = replace(recorded, event=changes[n])
            line = record.encode(n, recorded.at, Fact(recorded.by, recorded.rule, recorded.event))
        events.append(recorded)
        lines.append(line)
    header = log.header
    told = Chronicle(header.battle, header.ruleset, header.rules, events, lines, log.hashes, version or header.version)
    return protocol.check(told, ruleset)
