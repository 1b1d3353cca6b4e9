"""What a reader believes: the keys of witnesses, and how many of them have to say the same (C2SP tlog-policy).

    witness north witness.example/witness+…
    witness club club.example/witness+…
    group friends 2 north club
    quorum friends

A quorum is the name of a witness or group, or `none`. A group is `any`, `all`, or a number of its members, which are
witnesses or groups above it.
"""

from collections.abc import Mapping

from msgspec import Struct

from replay.proof.cosigned import COSIGNATURE, NoteKey, read_public_key
from replay.proof.notes import BadNote

MOST_LINES = 1_000
NONE = "none"


class WitnessGroup(Struct, frozen=True):
    """A number of members, of whom so many have to sign."""

    needed: int
    members: tuple[str, ...]


class WitnessPolicy(Struct, frozen=True):
    """The logs that are believed (none: that of the file), the witnesses by name, the groups, and the quorum."""

    logs: tuple[NoteKey, ...]
    witnesses: Mapping[str, NoteKey]
    groups: Mapping[str, WitnessGroup]
    quorum: str

    def holds(self, signed: Mapping[str, int]) -> bool:
        """Whether witnesses by these names are a quorum."""
        met = set(signed)
        for name, group in self.groups.items():  # each names only what stands above it
            if sum(member in met for member in group.members) >= group.needed:
                met.add(name)
        return self.quorum == NONE or self.quorum in met

    def earliest(self, signed: Mapping[str, int]) -> int | None:
        """The first Unix time up to which a quorum had signed, by the times of the witnesses; None if none has."""
        for time_s in sorted(set(signed.values())):
            if self.holds({name: at for name, at in signed.items() if at <= time_s}):
                return time_s
        return None


def read_policy(text: str) -> WitnessPolicy:
    """A policy from its text.

    Raises:  BadNote `bad-policy`; `bad-key`
    """
    logs: list[NoteKey] = []
    witnesses: dict[str, NoteKey] = {}
    groups: dict[str, WitnessGroup] = {}
    quorum = ""
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        raise BadNote("bad-policy")
    for line in lines:
        words = line.partition("#")[0].split()
        known = {NONE, *witnesses, *groups}
        match words:
            case []:
                pass
            case ["log", key, *_]:
                logs.append(read_public_key(key))
            case ["witness", name, key, *_] if name not in known:
                witnesses[name] = _witness(key)
            case ["group", name, needed, *members] if name not in known and set(members) <= known - {NONE}:
                groups[name] = WitnessGroup(_count(needed, len(set(members))), tuple(dict.fromkeys(members)))
            case ["quorum", name] if not quorum and name in known:
                quorum = name
            case _:
                raise BadNote("bad-policy")
    if not quorum or len({key.public for key in witnesses.values()}) < len(witnesses):
        raise BadNote("bad-policy")
    return WitnessPolicy(tuple(logs), witnesses, groups, quorum)


def _witness(text: str) -> NoteKey:
    key = read_public_key(text)
    if key.kind != COSIGNATURE:
        raise BadNote("bad-policy")
    return key


def _count(needed: str, members: int) -> int:
    counts = {"any": 1, "all": members}
    if needed in counts:
        return counts[needed]
    if not (needed.isascii() and needed.isdecimal() and 1 <= int(needed) <= members):
        raise BadNote("bad-policy")
    return int(needed)
