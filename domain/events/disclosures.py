"""The events with which a host opens what it has sealed: checked by the protocol, not by a ruleset."""

from typing import Any, ClassVar

from domain.events.event import Event


class Unsealed(Event, frozen=True, gc=False):
    """Event `n` is opened: `salt` (hex) and the members that were taken out of it."""

    RULE: ClassVar[str] = "CORE-SEAL"

    n: int
    salt: str
    content: dict[str, Any]


class KeyDisclosed(Event, frozen=True, gc=False):
    """The public key (hex) of period `index`, which is over: its draws can be checked."""

    RULE: ClassVar[str] = "CORE-FAIR"

    index: int
    key: str


class KeysContinued(Event, frozen=True, gc=False):
    """The anchors (hex) of the next chains, a whole period before their first key is used."""

    RULE: ClassVar[str] = "CORE-FAIR"

    generation: int
    anchors: dict[str, str]


class MasterRevealed(Event, frozen=True, gc=False):
    """The secret (hex) from which all keys are made; the battle is over."""

    RULE: ClassVar[str] = "CORE-FAIR"

    master: str


class NonceDisclosed(Event, frozen=True, gc=False):
    """The nonce (hex) of (t, scope), whose draws are over: they can be checked. In files of version 1 only."""

    RULE: ClassVar[str] = "CORE-FAIR"

    t: int
    scope: str
    nonce: str


DISCLOSURES: frozenset[type[Event]] = frozenset({Unsealed, KeyDisclosed, KeysContinued, MasterRevealed, NonceDisclosed})
"""The host's disclosures at the end of a block: outside `decide`, left out when an audit compares."""
