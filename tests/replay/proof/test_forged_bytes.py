"""A file says one thing in one spelling: any other spelling of a line is a fault, and so is any other cut of the file.

The host signs whatever is in the file; what it forges here is the form, so that two readers would read two things.
"""

import json
from collections.abc import Callable
from functools import cache
from hashlib import sha256

import pytest

from domain.log.record import OPENED
from replay.proof import notes
from replay.proof.notes import Head
from replay.proof.verify import FAULT, NOT_A_FILE, OK, Report, verify
from tests.support.rechained import taken_apart
from tests.support.tiny import ended_battle

of = pytest.mark.parametrize
Lines = list[bytes]


@cache
def content() -> bytes:
    return ended_battle().file()


def hashed_again(lines: Lines) -> bytes:
    """The file of these lines without hashes, whatever their spelling: chained and signed."""
    header, *events = lines
    head, out = sha256(header).digest(), [header]
    for line in events:
        head = sha256(head + line).digest()
        place = line.rfind(b',"n":')
        out.append(line[:place] + b',"hash":"%b"' % head.hex().encode() + line[place:])
    battle = ended_battle()
    origin = notes.origin(battle.recording.header.host, battle.recording.gid)
    note = notes.sign_head(battle.signer, Head(origin, len(events), head))
    out.append(json.dumps({"checkpoint": note}, ensure_ascii=False, separators=(",", ":")).encode())
    return b"\n".join([*out, b""])


def lines() -> Lines:
    header, events = taken_apart(content())
    spelled = (json.dumps(e, ensure_ascii=False, sort_keys=True, separators=(",", ":")) for e in (header, *events))
    return [line.encode() for line in spelled]


def report_of(lie: Callable[[Lines], None]) -> Report:
    told = lines()
    lie(told)
    return verify(hashed_again(told))


def test_the_honest_spelling_holds():
    assert report_of(lambda told: None).exit == OK


def spelled(n: int, old: bytes, new: bytes) -> Callable[[Lines], None]:
    def lie(told: Lines) -> None:
        assert old in told[n]
        told[n] = told[n].replace(old, new, 1)

    return lie


JOINED = next(n for n, line in enumerate(lines()) if b'"SideJoined"' in line)
TURN = next(n for n, line in enumerate(lines()) if b'"TurnBegan"' in line)


@of(
    ("lie", "what"),
    [
        (spelled(JOINED, b"{", b" {"), "not-canonical"),
        (spelled(JOINED, b'"at":', b'"at": '), "not-canonical"),
        (spelled(JOINED, b"Anna", b"\\u0041nna"), "not-canonical"),
        (spelled(JOINED, b'"name":"', b'"name":"\\/'), "not-canonical"),
        (spelled(JOINED, b'"name":"', b'"name":"\\u001F'), "not-canonical"),
        (spelled(JOINED, b'"name":"', b'"name":"\\ud83d\\ude00'), "not-canonical"),
        (spelled(JOINED, b'"name":"', b'"name":"\\ud83d'), "not-json"),
        (spelled(JOINED, b'"name":"', b'"name":"\n'), "not-json"),
        (spelled(JOINED, b'"kind":"person"', b'"kind":"bot","kind":"person"'), "not-canonical"),
        (spelled(JOINED, b'"kind":"person",', b""), "other-seat"),
        (spelled(TURN, b'"turn":1', b'"turn":1.0'), "float"),
        (spelled(TURN, b'"turn":1', b'"turn":1e0'), "float"),
        (spelled(TURN, b'"turn":1', b'"turn":-0'), "not-canonical"),
        (spelled(TURN, b'"turn":1', b'"turn":01'), "not-json"),
        (spelled(TURN, b'"turn":1', b'"turn":9007199254740993'), "integer-too-large"),
        (spelled(TURN, b'"turn":1', b'"turn":true'), "wrong-data"),
        (spelled(TURN, b'"turn":1', b'"turn":"1"'), "wrong-data"),
        (spelled(TURN, b'"turn":1', b'"turn":null'), "wrong-data"),
        (spelled(TURN, b',"turn":1', b""), "wrong-data"),
        (spelled(TURN, b'"side":"south","turn":1', b'"turn":1,"side":"south"'), "not-canonical"),
        (spelled(TURN, b'"by":"south"', b'"by":"host"'), "other-author"),
        (spelled(TURN, b'"by":"south"', b'"by":"umpire"'), "no-umpire"),
        (spelled(TURN, b'"type":"TurnBegan"', b'"type":"TurnBegan@2"'), "unknown-type"),
    ],
)
def test_another_spelling_of_an_event_is_a_fault(lie, what):
    report = report_of(lie)
    assert (report.exit, report.fault and report.fault.what) == (FAULT, what)


def repeated(member: bytes) -> Callable[[Lines], None]:
    """The header says it twice, and readers take the one or the other."""
    return spelled(0, member, member + b"," + member)


HEADER = json.loads(lines()[0])
GID = f'"battle":"{HEADER["battle"]}"'.encode()
VERSION = b'"version":%d' % OPENED


@of(
    ("lie", "exit_", "what"),
    [
        (repeated(GID), FAULT, "not-canonical"),
        (spelled(0, GID, GID[:-1] + b'","battle":"B2"'), FAULT, "not-canonical"),
        (spelled(0, GID, b'"also":1,' + GID), FAULT, "not-a-header"),
        (spelled(0, VERSION, b'"version":2.0'), FAULT, "float"),
        (spelled(0, VERSION, b'"version":0'), FAULT, "other-format"),
        (spelled(0, VERSION, b'"version":1'), FAULT, "contribution-differs"),
        (spelled(0, b"phalera-battle", b"phalera-bottle"), NOT_A_FILE, "other-format"),
        (spelled(0, b"{", b"\xef\xbb\xbf{"), FAULT, "not-json"),
    ],
)
def test_another_header_is_a_fault(lie, exit_, what):
    report = report_of(lie)
    assert (report.exit, report.fault and report.fault.what) == (exit_, what)


@of(
    ("change", "exit_", "what"),
    [
        (lambda file: b"", NOT_A_FILE, "empty"),
        (lambda file: b"\n", NOT_A_FILE, "empty-line"),
        (lambda file: file[:-1], FAULT, "no-final-newline"),
        (lambda file: file + b"\n", FAULT, "checkpoint-not-last"),
        (lambda file: file + b" ", FAULT, "no-final-newline"),
        (lambda file: file.replace(b"\n", b"\r\n"), FAULT, "not-canonical"),
        (lambda file: file.replace(b"\n", b" \n"), FAULT, "not-canonical"),
        (lambda file: file.replace(b"\n", b"\n\n", 1), FAULT, "empty-line"),
        (lambda file: b"\xef\xbb\xbf" + file, FAULT, "not-json"),
        (lambda file: file[: file.index(b"\n") + 1], FAULT, "no-events"),
        (lambda file: file.decode().encode("utf-16"), NOT_A_FILE, ""),
        (lambda file: file + file.splitlines(True)[-1], FAULT, "checkpoint-not-last"),
        (lambda file: file + file.splitlines(True)[1], FAULT, "checkpoint-not-last"),
    ],
)
def test_another_cut_of_the_file_is_a_fault(change, exit_, what):
    report = verify(change(content()))
    assert report.exit == exit_
    assert report.fault is not None
    assert what in ("", report.fault.what)
