"""Messages of the API about branches."""

from typing import Annotated

from msgspec import Meta, Struct

from server.web.api.messages import Listed, Readers


class OpenBranch(Struct, frozen=True, forbid_unknown_fields=True):
    """Open a branch: another battle that begins where this one stood after event `n`, the last of an order and what
    came of it. It is unrated. Its readers are those of its source, or those said; one that holds what your
    side alone knows is your own."""

    n: Annotated[int, Meta(ge=1)]
    readers: Readers | None = None


class Branches(Struct, frozen=True):
    """A battle with all that branch from it, and all that it branches from, as far as you may read them: each behind
    its source. `root` is the first of them; its own source, if it has one, is elsewhere or not yours to read."""

    battle: str
    root: str
    branches: tuple[Listed, ...]
