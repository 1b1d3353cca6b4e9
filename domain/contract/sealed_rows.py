"""What a game lets be sealed: which members of an event, together, and when, as plain data."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct


class SealedRow(Struct, frozen=True):
    """Members of an event that its side may seal, together (fairness.md 2): no others, and none of them open beside.

    `members` are the names in the log; those in `needed` are always among them. `when` are the cases in which this
    event may seal them, any if there are none: each gives the values that are right for what it names, `option NAME`
    (of event 1), `t`, `member NAME` (open beside what is sealed) or `content NAME`. They are plain data, so that a
    verifier in any language has the same (`server.web.pages.proof_tables`).
    """

    members: tuple[str, ...]
    needed: tuple[str, ...] = ()
    when: tuple[Mapping[str, tuple[str | int | bool, ...]], ...] = ()

    def allowed(
        self, opening: Mapping[str, Any], t: int, members: Mapping[str, Any], content: Mapping[str, Any] | None
    ) -> bool:
        """Whether an event may seal them: by the data of event 1, the player-turn, what stands open beside, and the
        content, None as long as it is not opened: no case fails by that."""
        options = opening.get("options")
        of = {"option": options if isinstance(options, Mapping) else {}, "t": {"": t}, "member": members}
        of |= {} if content is None else {"content": content}

        def fits(name: str, values: Sequence[Any]) -> bool:
            kind, _, member = name.partition(" ")
            found = of[kind].get(member) if kind in of else None
            return kind not in of or any(type(found) is type(value) and found == value for value in values)

        return not self.when or any(all(fits(*one) for one in case.items()) for case in self.when)
