"""Proofs of a host's log with the signatures of witnesses, honest and forged, for a battle file of the suite.

    python -m tests.conformance.proofs

They lie in tests/conformance/witnessed/, beside manifest.json and the policy. The log has five entries, three of them
of the battle; keys, seeds and times are fixed, so that each run writes the same bytes.
"""

from base64 import b64decode
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct

from domain.basics.pace import moment_of
from domain.log import merkle
from domain.log.entries import ENDED, HEAD, OPENED, Checkpoint, LogEntry, battle_name, log_origin
from replay.proof import chain
from replay.proof.cosigned import Cosigner, signature_line
from replay.proof.notes import Signer
from replay.proof.witnessed import LogProof
from tests.conformance.battles import FOLDER as BATTLES
from tests.conformance.battles import manifest
from tests.replay.made_battle import AT, HOST

FOLDER = Path(__file__).parent / "witnessed"
MANIFEST, POLICY = "manifest.json", "two-of-three.policy"
BATTLE = "a-whole-battle-of-sealed-seats.battle"
FAULT, NO_RULES = 1, 3
"""Exit codes: a fault or a policy that is not met, and nothing wrong where no release of the rules is at hand."""
SEED = b"\x07" * 32
"""The key of the host, of the log as of the battle."""
SEEN_S = moment_of(AT) // 1000
"""The Unix time of all events of the battle."""
MINUTE, HOUR = 60, 3600
WITNESSES = {name: Cosigner(f"{name}.example/witness", bytes((seed,)) * 32) for seed, name in enumerate("abc", 0x31)}
STRANGER = Cosigner("d.example/witness", b"\x34" * 32)
OF_OTHERS = LogEntry("ab" * 32, "cd" * 32, 1, "opened")
MIDDLE = 5
Signed = Iterable[tuple[Cosigner, int]]


class WitnessedStory(Struct, frozen=True):
    """Proofs, and what a verifier finds: `kind` at `event`, else the newest event `n` that is proven, by so many of the
    policy's witnesses, `before` a time; `late` are events that were entered an hour or more after their time."""

    proofs: tuple[LogProof, ...]
    has_policy: bool = True
    exit: int = NO_RULES
    event: int = 0
    kind: str = ""
    n: int = 0
    signatures: int = 0
    seen: int = 0
    before: str = ""
    further: int = 0
    late: tuple[int, ...] = ()


Story = Callable[[], WitnessedStory]


@cache
def hashes() -> tuple[bytes, ...]:
    """The hashes of the battle, by event."""
    return tuple(chain.open_file((BATTLES / BATTLE).read_bytes()).hashes)


def last() -> int:
    return len(hashes()) - 1


def entry(n: int, what: Any = HEAD, hash_: str = "", battle: str = "") -> LogEntry:
    """What the log has of the battle at event `n`."""
    known = hashes()[n].hex() if n < len(hashes()) else "ef" * 32
    return LogEntry(battle or battle_name(hashes()[1]), hash_ or known, n, what)


def usual() -> list[LogEntry]:
    return [OF_OTHERS, entry(1, OPENED), entry(MIDDLE), OF_OTHERS, entry(last(), ENDED)]


def proof(
    signed: Signed, index: int = 4, entries: list[LogEntry] | None = None, seed: bytes = SEED, host: str = HOST
) -> LogProof:
    """Where an entry is in the log, in a checkpoint over `entries` that its host and witnesses have signed."""
    log = usual() if entries is None else entries
    leaves = [merkle.leaf_hash(one.content()) for one in log]

    def node(level: int, at: int) -> bytes:
        return merkle.root_of_leaves(leaves[at << level : (at + 1) << level])

    text = Checkpoint(log_origin(host), len(log), merkle.root_of_leaves(leaves)).text()
    note = Signer(log_origin(host), seed).sign(text)
    way = tuple(merkle.inclusion_proof(index, len(log), node))
    return LogProof(log[index], index, way, note + "".join(f"{witness.line(text, at)}\n" for witness, at in signed))


def by(names: str, after_s: int = MINUTE) -> list[tuple[Cosigner, int]]:
    """Signatures of witnesses, each a minute after the one before."""
    return [(WITNESSES[name], SEEN_S + after_s + at * MINUTE) for at, name in enumerate(names)]


def time(after_s: int) -> str:
    return datetime.fromtimestamp(SEEN_S + after_s, UTC).strftime("%Y-%m-%d %H:%M")


def fault(kind: str, event: int, *proofs: LogProof) -> WitnessedStory:
    return WitnessedStory(proofs, exit=FAULT, event=event, kind=kind)


def found(signed: Signed, seen: int, before_s: int, **more: Any) -> WitnessedStory:
    """A proof of the end by which nothing is wrong."""
    one = proof(signed)
    return WitnessedStory((one,), n=last(), signatures=len(list(signed)), seen=seen, before=time(before_s), **more)


def too_few(signed: Signed, seen: int, one: LogProof | None = None) -> WitnessedStory:
    proofs = (one or proof(signed),)
    signers = {witness.key.id for witness, _ in signed}
    return WitnessedStory(proofs, exit=FAULT, n=last(), signatures=len(signers), seen=seen)


# --- honest


def two_of_three_have_signed() -> WitnessedStory:
    return found(by("ab"), 2, 2 * MINUTE)


def all_have_signed_and_the_second_time_counts() -> WitnessedStory:
    return found(by("cab"), 3, 2 * MINUTE)


def a_stranger_has_signed_too() -> WitnessedStory:
    return found([*by("ab"), (STRANGER, SEEN_S)], 2, 2 * MINUTE)


def nobody_vouches_without_a_policy() -> WitnessedStory:
    return WitnessedStory((proof(by("ab")),), has_policy=False, n=last(), signatures=2)


def an_earlier_head_alone() -> WitnessedStory:
    one = proof(by("ab"), 2)
    return WitnessedStory((one,), n=MIDDLE, signatures=2, seen=2, before=time(2 * MINUTE))


def the_newest_of_two_proofs() -> WitnessedStory:
    proofs = (proof(by("ab"), 2, usual()[:3]), proof(by("bc", 3 * MINUTE)))
    return WitnessedStory(proofs, n=last(), signatures=2, seen=2, before=time(4 * MINUTE))


def an_end_that_was_entered_two_hours_late() -> WitnessedStory:
    proofs = (proof(by("ab", 2 * HOUR), 1, usual()[:3]), proof(by("ab", 3 * HOUR)))
    before = time(3 * HOUR + MINUTE)
    return WitnessedStory(proofs, n=last(), signatures=2, seen=2, before=before, late=(last(),))


def the_log_goes_further_than_the_file() -> WitnessedStory:
    log = [*usual(), entry(last() + 1)]
    proofs = (proof(by("ab"), 4, log), proof(by("ab"), 5, log))
    return WitnessedStory(proofs, n=last(), signatures=2, seen=2, before=time(2 * MINUTE), further=last() + 1)


# --- forged, or not enough


def one_of_three_has_signed() -> WitnessedStory:
    return too_few(by("c"), 1)


def one_has_signed_twice() -> WitnessedStory:
    return too_few(by("aa"), 1)


def a_signature_whose_time_was_altered() -> WitnessedStory:
    text = proof([]).note.partition("\n\n")[0] + "\n"
    (first, at), (second, other) = by("ab")
    told = signature_line(second.key, at.to_bytes(8, "big") + _content(second.line(text, other)))
    one = proof([(first, at)])
    return too_few(by("ab"), 1, LogProof(one.entry, one.index, one.hashes, f"{one.note}{told}\n"))


def a_signature_over_another_checkpoint() -> WitnessedStory:
    other = proof(by("b"), 2, usual()[:3]).note.splitlines()[-1]
    one = proof(by("a"))
    return too_few(by("ab"), 1, LogProof(one.entry, one.index, one.hashes, f"{one.note}{other}\n"))


def another_head_than_that_of_the_file() -> WitnessedStory:
    log = [*usual()[:4], entry(last(), ENDED, "12" * 32)]
    return fault("log-fork", last(), proof(by("ab"), 4, log))


def an_entry_that_is_not_in_the_log() -> WitnessedStory:
    one = proof(by("ab"))
    return fault("log-not-included", 0, LogProof(entry(MIDDLE), one.index, one.hashes, one.note))


def an_entry_at_another_place() -> WitnessedStory:
    one = proof(by("ab"), 2)
    return fault("log-not-included", 0, LogProof(one.entry, 3, one.hashes, one.note))


def an_entry_of_another_battle() -> WitnessedStory:
    return fault("log-other-battle", 0, proof(by("ab"), 0))


def a_log_of_another_host() -> WitnessedStory:
    return fault("log-other-battle", 0, proof(by("ab"), host="other.example"))


def a_log_that_its_host_has_not_signed() -> WitnessedStory:
    return fault("log-other-key", 0, proof(by("ab"), seed=b"\x09" * 32))


def a_log_whose_size_was_altered() -> WitnessedStory:
    one = proof(by("ab"))
    return fault("log-bad-signature", 0, LogProof(one.entry, one.index, one.hashes, one.note.replace("\n5\n", "\n6\n")))


def an_event_that_is_younger_than_its_witnesses() -> WitnessedStory:
    return fault("at-after-witnesses", last(), proof(by("ab", -10 * MINUTE)))


STORIES: tuple[Story, ...] = (
    two_of_three_have_signed,
    all_have_signed_and_the_second_time_counts,
    a_stranger_has_signed_too,
    nobody_vouches_without_a_policy,
    an_earlier_head_alone,
    the_newest_of_two_proofs,
    an_end_that_was_entered_two_hours_late,
    the_log_goes_further_than_the_file,
    one_of_three_has_signed,
    one_has_signed_twice,
    a_signature_whose_time_was_altered,
    a_signature_over_another_checkpoint,
    another_head_than_that_of_the_file,
    an_entry_that_is_not_in_the_log,
    an_entry_at_another_place,
    an_entry_of_another_battle,
    a_log_of_another_host,
    a_log_that_its_host_has_not_signed,
    a_log_whose_size_was_altered,
    an_event_that_is_younger_than_its_witnesses,
)


def policy() -> str:
    """Two of the three witnesses."""
    named = "".join(f"witness {name} {one.key.text()}\n" for name, one in WITNESSES.items())
    return f"{named}group two 2 {' '.join(WITNESSES)}\nquorum two\n"


def made() -> tuple[dict[str, bytes], list[dict[str, object]]]:
    """The files by name, and the entries of the manifest."""
    files, entries = {POLICY: policy().encode()}, list[dict[str, object]]()
    for story in STORIES:
        told, name = story(), story.__name__.replace("_", "-") + ".proof"
        files[name] = "".join(one.text() for one in told.proofs).encode()
        verdict = {each: getattr(told, each) for each in told.__struct_fields__[2:]}
        entries.append({"battle": BATTLE, "proof": name, "policy": POLICY if told.has_policy else "", **verdict})
    return files, entries


def main() -> int:
    """Write the folder anew."""
    files, entries = made()
    for name, content in files.items():
        (FOLDER / name).write_bytes(content)
    (FOLDER / MANIFEST).write_text(manifest(entries), encoding="utf-8")
    return 0


def _content(line: str) -> bytes:
    """The 64 bytes that a witness has signed with, of its line."""
    return b64decode(line.rpartition(" ")[2])[-64:]


if __name__ == "__main__":
    main()
