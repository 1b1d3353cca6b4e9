"""A table of a campaign file."""

from msgspec import Struct


class Section(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table of a file: a key that it does not have is refused."""
