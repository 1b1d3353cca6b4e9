"""Files that are wrong in their bytes, their limits or their note, before anything in them is judged."""

import json
from collections.abc import Callable, Mapping

from replay.proof import notes
from replay.proof.notes import Head, Signer
from tests.replay.made_battle import BATTLE, HOST, SIGNER, MadeBattle, small_battle

RawStory = Callable[[], tuple[bytes, int]]
"""A file, and the event at which its first fault shows."""
AT = 9
"""The event that is spoiled."""


def spoiled(old: bytes, new: bytes, n: int = AT) -> tuple[bytes, int]:
    """A file in whose line of event `n` (0: the header) something is spelled otherwise."""
    lines = battle().file().split(b"\n")
    assert old in lines[n]
    lines[n] = lines[n].replace(old, new, 1)
    return b"\n".join(lines), n


def battle() -> MadeBattle:
    return small_battle("plain", "plain")


def a_space_between_tokens() -> tuple[bytes, int]:
    return spoiled(b'{"at":', b'{"at": ')


def members_in_another_order() -> tuple[bytes, int]:
    line = battle().file().split(b"\n")[AT]
    event = json.loads(line)
    spelled = json.dumps(dict(reversed(event.items())), ensure_ascii=False, separators=(",", ":"))
    return spoiled(line, spelled.encode())


def a_member_twice() -> tuple[bytes, int]:
    return spoiled(b'"by":', b'"by":"server","by":')


def a_character_escaped_without_need() -> tuple[bytes, int]:
    return spoiled(b'"type":"', b'"type":"\\u0043')


def a_byte_that_is_no_utf_8() -> tuple[bytes, int]:
    return spoiled(b'"type":"', b'"type":"\xff')


def half_of_a_character() -> tuple[bytes, int]:
    return spoiled(b'"type":"', b'"type":"\\ud83d')


def a_number_with_a_point() -> tuple[bytes, int]:
    return spoiled(b'"n":9', b'"n":9.0')


def a_number_beyond_the_limit() -> tuple[bytes, int]:
    return spoiled(b'"n":9', b'"n":9007199254740992')


def a_text_in_another_normal_form() -> tuple[bytes, int]:
    return spoiled(b'"type":"', b'"type":"e\xcc\x81')


def a_code_point_that_is_not_assigned() -> tuple[bytes, int]:
    return spoiled(b'"type":"', b'"type":"\xf0\x9f\xab\xa8')


def a_text_beyond_the_limit() -> tuple[bytes, int]:
    return spoiled(b'"type":"', b'"type":"' + b"x" * (1 << 16))


def a_line_beyond_the_limit() -> tuple[bytes, int]:
    return spoiled(b'"type":"', b'"type":"' + b"x" * (1 << 20))


def a_line_that_nests_too_deep() -> tuple[bytes, int]:
    return spoiled(b'"data":{', b'"data":{"a":' + b"[" * 31 + b"]" * 31 + b",")


def a_byte_order_mark() -> tuple[bytes, int]:
    return b"\xef\xbb\xbf" + battle().file(), 0


def carriage_returns() -> tuple[bytes, int]:
    return battle().file().replace(b"\n", b"\r\n"), 0


def an_empty_line() -> tuple[bytes, int]:
    lines = battle().file().split(b"\n")
    return b"\n".join([*lines[:AT], b"", *lines[AT:]]), AT


def no_line_feed_at_the_end() -> tuple[bytes, int]:
    content = battle().file()[:-1]
    return content, content.count(b"\n")


def a_line_behind_the_checkpoint() -> tuple[bytes, int]:
    lines = battle().file().split(b"\n")
    return b"\n".join([*lines[:-1], lines[-3], b""]), len(lines) - 2


def a_member_of_the_header_too_many() -> tuple[bytes, int]:
    return spoiled(b'"version":2', b'"version":2,"witness":"none"', 0)


def a_day_that_there_is_not() -> tuple[bytes, int]:
    return spoiled(b'"at":"2026-11-21', b'"at":"2027-02-30')


def an_event_before_the_one_above() -> tuple[bytes, int]:
    return spoiled(b'"at":"2026-11-21', b'"at":"2026-11-20')


def a_number_that_was_left_out() -> tuple[bytes, int]:
    return spoiled(b'"n":9', b'"n":10')


def an_event_that_is_not_what_was_hashed() -> tuple[bytes, int]:
    return spoiled(b'"at":"2026-11-21T10:11:12.013Z"', b'"at":"2026-11-21T10:11:12.014Z"')


# --- notes


def noted(change: Callable[[str], str], signer: Signer = SIGNER, n: int = 0) -> tuple[bytes, int]:
    """A file with another note: of a head at event `n`, signed by somebody, changed."""
    made = battle()
    last, hashes = len(made.log), made.hashes()
    note = change(notes.sign_head(signer, Head(notes.origin(HOST, BATTLE), n or last, hashes[n or last])))
    body = b"\n".join(made.file().split(b"\n")[:-2])
    spelled = json.dumps({"checkpoint": note}, ensure_ascii=False, separators=(",", ":")).encode()
    return body + b"\n" + spelled + b"\n", last


def a_note_of_an_earlier_head() -> tuple[bytes, int]:
    return noted(str, n=AT)


def a_note_by_another_key() -> tuple[bytes, int]:
    return noted(str, Signer(HOST, b"\x08" * 32))


def a_note_by_another_name() -> tuple[bytes, int]:
    return noted(str, Signer("other.example", b"\x07" * 32))


def a_note_whose_signature_is_anothers() -> tuple[bytes, int]:
    other = small_battle().file().split(b"\n")[-2]
    signed = json.loads(other)["checkpoint"].split("\n\n")[1]
    return noted(lambda note: note.split("\n\n")[0] + "\n\n" + signed)


def a_note_with_two_signatures() -> tuple[bytes, int]:
    return noted(lambda note: note + note.split("\n\n")[1])


def a_note_with_stray_bits() -> tuple[bytes, int]:
    return noted(lambda note: note[:-3] + ("B" if note[-3] == "A" else chr(ord(note[-3]) + 1)) + note[-2:])


def an_ended_battle_without_a_note() -> tuple[bytes, int]:
    made = battle()
    return made.file(finished=False), len(made.log)


SPOILED: Mapping[RawStory, str] = {
    a_space_between_tokens: "not-canonical",
    members_in_another_order: "not-canonical",
    a_member_twice: "not-canonical",
    a_character_escaped_without_need: "not-canonical",
    a_byte_that_is_no_utf_8: "not-utf-8",
    half_of_a_character: "not-json",
    a_number_with_a_point: "float",
    a_number_beyond_the_limit: "integer-too-large",
    a_text_in_another_normal_form: "string-not-nfc",
    a_code_point_that_is_not_assigned: "unassigned",
    a_text_beyond_the_limit: "string-too-long",
    a_line_beyond_the_limit: "line-too-long",
    a_line_that_nests_too_deep: "too-deep",
    a_byte_order_mark: "not-json",
    carriage_returns: "not-canonical",
    an_empty_line: "empty-line",
    no_line_feed_at_the_end: "no-final-newline",
    a_line_behind_the_checkpoint: "checkpoint-not-last",
    a_member_of_the_header_too_many: "not-a-header",
    a_day_that_there_is_not: "bad-time",
    an_event_before_the_one_above: "time-goes-back",
    a_number_that_was_left_out: "wrong-number",
    an_event_that_is_not_what_was_hashed: "wrong-hash",
    a_note_of_an_earlier_head: "other-head",
    a_note_by_another_key: "other-key",
    a_note_by_another_name: "other-key",
    a_note_whose_signature_is_anothers: "bad-signature",
    a_note_with_two_signatures: "not-a-note",
    a_note_with_stray_bits: "not-a-note",
    an_ended_battle_without_a_note: "unsigned",
}
"""Each story with the kind of its fault."""
