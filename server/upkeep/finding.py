"""The result of one check of the doctor."""

from msgspec import Struct


class DataFinding(Struct, frozen=True, omit_defaults=True):
    """What was looked at, whether it is well, what was found, and what to do about it ("": nothing).

    `what` is `folder`, `disk`, `files`, `store`, `key`, `accounts`, `names`, `tokens`, `vault`, `outbox`, `mailboxes`,
    `requests`, `rules`, `battles`, `proofs`, `read-models`, `clock`, `witnesses`, `trust` or `proxy`.
    """

    what: str
    ok: bool
    said: str
    advice: str = ""
