"""Chapter MEL, the course of a charge: what its steps hand on to each other."""

from typing import Any

import msgspec
from msgspec import Struct

Plain = dict[str, Any]
"""A course as plain values: so it lies on the agenda, and in the log while a decision is waited for (TTS-TRN-08)."""


class Course(Struct, frozen=True, gc=False, kw_only=True):
    """A charge that is going on, from its declaration to the follow-up (TTS-MEL-04).

    `unit` charges `target` in `box` from the side `aspect`. `began` is the box where its activation began, `first`
    says that it has not charged before, `halt` that it is not to pursue (TTS-EVD-08); `evaded` becomes true with an
    evade that succeeds.
    """

    unit: str
    target: str
    box: str
    aspect: str
    began: str
    first: bool
    halt: bool
    evaded: bool = False

    def plain(self) -> Plain:
        """As plain values, the fields in this order."""
        plain: Plain = msgspec.to_builtins(self)
        return plain


def course_of(plain: Plain) -> Course:
    """A course from the plain values of the agenda."""
    return Course(**plain)
