"""What a reader has beside a file, heads that they have kept, and the fault with which a check stops."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from domain.log.record import FileFault
from replay.proof.chain import HeadedLog
from replay.proof.faults import fault_sentence
from replay.proof.heads import Evidence, NoHead, prove
from replay.proof.notes import BadNote
from replay.proof.report import Fault, ProvenHead


class Stopped(Exception):
    """The first fault; `source` is where it was found, if not in the file."""

    def __init__(self, n: int, what: str, details: Mapping[str, Any], source: str = "") -> None:
        super().__init__(what)
        self.n, self.what, self.details, self.source = n, what, details, source

    def fault(self, lang: str) -> Fault:
        """The fault in a language."""
        said = fault_sentence(self.what, self.details, lang)
        return Fault(self.n, self.what, f"{self.source}: {said}" if self.source else said)


def proven_heads(log: HeadedLog, evidence: Sequence[Evidence]) -> Iterator[ProvenHead]:
    """The earlier heads in what a reader has kept.

    Raises: Stopped for what is none, or is one of another history
    """
    for item in evidence:
        try:
            for head in prove(log, item):
                yield ProvenHead(head.n, item.source)
        except NoHead:
            raise Stopped(0, "no-head", {}, item.source) from None
        except BadNote as fault:
            raise Stopped(0, fault.what, {}, item.source) from None
        except FileFault as fault:
            raise Stopped(max(fault.line - 1, 0), fault.what, fault.details, item.source) from None
