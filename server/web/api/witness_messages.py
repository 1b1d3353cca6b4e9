"""The messages about the log of a host."""

from typing import Annotated

from msgspec import Meta, Struct

LogProofText = Annotated[
    str,
    Meta(
        description="Proof (C2SP tlog-proof) that an earlier head stands in the log of the host, with the newest"
        " checkpoint that witnesses have signed; empty as long as there is none."
    ),
]


class LoggedBattle(Struct, frozen=True):
    """The newest head of a battle that stands in the log: the number of its event, and the hash."""

    n: int
    hash: str
