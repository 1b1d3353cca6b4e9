"""How the server is, in a message."""

from msgspec import Struct


class Health(Struct, frozen=True):
    """The server answers; `commit` is what its build was made from, or `unknown`; `position` is the last event of all
    battles, `notice` what the host tells everybody now, "" for nothing."""

    status: str
    version: str
    commit: str
    position: int
    notice: str
