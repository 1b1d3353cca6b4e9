"""A battle file taken apart into plain objects, and put together again by a host that signs whatever is in them."""

import json
from collections.abc import Sequence
from typing import Any

from domain.log import record
from replay.proof import chain, notes
from replay.proof.notes import Head, Signer

HUGE = "an integer of 5,000 digits"
"""Stands for what its name says: Python itself would not write one."""


def taken_apart(content: bytes) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The header, and the events without their hashes."""
    header, *lines = [json.loads(line) for line in content.split(b"\n")[:-1]]
    events = [line for line in lines if "checkpoint" not in line]
    for event in events:
        del event["hash"]
    return header, events


def put_together(
    header: dict[str, Any], events: Sequence[dict[str, Any]], signer: Signer, *, requotes: bool = True
) -> bytes:
    """The file, chained and signed; a head that a message quotes is that of this file, unless the host leaves what was
    signed as it is (`requotes`)."""
    header_line = _spelled(header)
    hashes, lines = [record.first_hash(header_line)], []
    for event in events:
        seen = event["data"].get("seen") if isinstance(event.get("data"), dict) else None
        if requotes and isinstance(seen, dict) and seen.get("n") in range(len(hashes)):
            quoted = {**event["data"], "seen": {**seen, "hash": hashes[seen["n"]].hex()}}
            lines.append(_spelled({**event, "data": quoted}))
        else:
            lines.append(_spelled(event))
        hashes.append(record.next_hash(hashes[-1], lines[-1]))
    origin = notes.origin(str(header.get("host")), str(header.get("battle", header.get("campaign"))))
    return chain.file_bytes(header_line, lines, notes.sign_head(signer, Head(origin, len(lines), hashes[-1])))


def _spelled(value: object) -> bytes:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.replace(json.dumps(HUGE), "1" * 5000).encode()
