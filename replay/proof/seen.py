"""Judge what the log of a host and its witnesses say of a battle file, by a policy of the reader's.

A cosignature says that its checkpoint was there at a time. So a head in it is older than that; and a head that a
checkpoint of before did not have is younger, which bounds the times that the host has written.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from msgspec import Struct

from domain.basics.pace import moment_of
from domain.log.entries import Checkpoint, log_origin
from domain.log.record import time_of
from replay.proof.blocks import ProtocolFault
from replay.proof.chain import HeadedLog
from replay.proof.cosigned import NoteKey, cosigned_times, read_checkpoint, read_public_key, split_note
from replay.proof.notes import BadNote
from replay.proof.policy import WitnessPolicy
from replay.proof.witnessed import LogProof, require_proven

AHEAD_S = 300
"""By so much the clocks of a host and a witness may differ."""
LATE_S = 3600
"""After so long a head that is still not in the log shows that its time was written later than it says."""


class WitnessEvidence(Struct, frozen=True):
    """Proofs of the log with the names of their sources, and the policy; None if the reader has none."""

    proofs: tuple[tuple[str, LogProof], ...]
    policy: WitnessPolicy | None = None


class LateHead(Struct, frozen=True):
    """An event that says `at`, and was not in the log when witnesses signed it at `absent`."""

    n: int
    at: str
    absent: str


class WitnessReport(Struct, frozen=True):
    """What proofs of the log have shown.

    `n` is the newest event that is proven, in a checkpoint of `size` entries with `signatures` of others. By the
    policy `seen` of `all` witnesses have signed it; `before` is the time up to which a quorum had, "" if there is none.
    The log knows the event `further`, behind the end of the file, 0 if it does not.
    """

    n: int = 0
    size: int = 0
    signatures: int = 0
    has_policy: bool = False
    seen: int = 0
    all: int = 0
    before: str = ""
    further: int = 0
    late: tuple[LateHead, ...] = ()


class _Proven(Struct, frozen=True):
    proof: LogProof
    checkpoint: Checkpoint
    signed: Mapping[str, int]
    signatures: int
    time_s: int | None


def judge(log: HeadedLog, evidence: WitnessEvidence | None) -> WitnessReport | None:
    """What the proofs show of a file; None without any.

    Raises:  ProtocolFault: as `require_proven`, or `at-after-witnesses` (a time after that of its witnesses)
    """
    if evidence is None:
        return None
    proven = [_proven(log, source, proof, evidence.policy) for source, proof in evidence.proofs]
    for one in proven:
        _require_time(log, one)
    within = [one for one in proven if one.proof.entry.n <= len(log.lines)]
    beyond = max((one.proof.entry.n for one in proven if one.proof.entry.n > len(log.lines)), default=0)
    policy = evidence.policy
    best = max(within, key=lambda one: (one.time_s is not None, one.proof.entry.n, len(one.signed)), default=None)
    report = WitnessReport(has_policy=policy is not None, all=len(policy.witnesses) if policy else 0, further=beyond)
    if best is None:
        return report
    return WitnessReport(
        best.proof.entry.n,
        best.checkpoint.size,
        best.signatures,
        report.has_policy,
        len(best.signed),
        report.all,
        _written(best.time_s) if best.time_s is not None else "",
        beyond,
        tuple(_late(log, proven)),
    )


def _proven(log: HeadedLog, source: str, proof: LogProof, policy: WitnessPolicy | None) -> _Proven:
    try:
        checkpoint = _checkpoint(log, proof, policy)
        signed = {} if policy is None else _signed(proof.note, policy)
        others = {(each.name, each.id) for each in split_note(proof.note).signatures if each.name != checkpoint.origin}
    except BadNote as fault:
        what = "log-" + fault.what.removeprefix("log-")  # a code of notes, told of the log
        raise ProtocolFault(proof.entry.n if what == "log-fork" else 0, what, source=source) from None
    time_s = policy.earliest(signed) if policy is not None and signed else None
    return _Proven(proof, checkpoint, signed, len(others), time_s)


def _checkpoint(log: HeadedLog, proof: LogProof, policy: WitnessPolicy | None) -> Checkpoint:
    """The checkpoint of a proof, signed by a key of the file, or by one that the policy names for its host."""
    host_keys = [read_public_key(verifier.key) for _, verifier in log.keys]
    own = [key.named(log_origin(key.name)) for key in host_keys]
    believed: Sequence[NoteKey] = (*own, *policy.logs) if policy else own
    for place, key in enumerate(believed, 1):
        try:
            read_checkpoint(proof.note, key)
        except BadNote:
            if place < len(believed):
                continue
        return require_proven(proof, log, key)
    raise BadNote("other-key")


def _signed(note: str, policy: WitnessPolicy) -> dict[str, int]:
    """The witnesses of a policy that have signed a checkpoint, with the earliest time of each."""
    times = {name: min(cosigned_times(note, key), default=None) for name, key in policy.witnesses.items()}
    return {name: time_s for name, time_s in times.items() if time_s is not None}


def _require_time(log: HeadedLog, one: _Proven) -> None:
    n = one.proof.entry.n
    if one.time_s is None or n > len(log.lines):
        return
    at = time_of(log.lines[n - 1])
    if moment_of(at) // 1000 > one.time_s + AHEAD_S:
        raise ProtocolFault(n, "at-after-witnesses", found=at, before=_written(one.time_s))


def _late(log: HeadedLog, proven: Sequence[_Proven]) -> list[LateHead]:
    """The heads that say an earlier time than a checkpoint that had them not."""
    found = []
    for one in proven:
        n = one.proof.entry.n
        absent = [each.time_s for each in proven if each.time_s and each.checkpoint.size <= one.proof.index]
        if absent and n <= len(log.lines):
            at = time_of(log.lines[n - 1])
            if moment_of(at) // 1000 < max(absent) - LATE_S:
                found.append(LateHead(n, at, _written(max(absent))))
    return found


def _written(time_s: int) -> str:
    """A Unix time as people read it, in UTC."""
    return datetime.fromtimestamp(time_s, UTC).strftime("%Y-%m-%d %H:%M")
