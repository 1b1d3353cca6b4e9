"""Every change of a battle file is named."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.events.battle import BattleBegan, Fact, KeyChanged, RulesChanged
from domain.log import record
from domain.log.record import FileFault, Header
from replay.proof import chain, notes
from replay.proof.notes import BadNote, Head, Signer, Verifier
from tests.replay.made_battle import AT, BATTLE, CATALOGUE, HOST, SIGNER, MadeBattle, small_battle
from tests.support.key_changes import sign_new_key
from tests.support.looping import some

NEW = Signer(HOST, b"\x09" * 32)


@pytest.fixture(scope="module")
def content() -> bytes:
    return small_battle().file()


@pytest.fixture(scope="module")
def tiny() -> bytes:
    made = MadeBattle()
    made.add(RulesChanged("1.0", "1.1 é"))
    made.add(BattleBegan())
    return made.file()


def fault_of(content: bytes, **options) -> FileFault:
    with pytest.raises(FileFault) as caught:
        chain.open_file(content, **options)
    return caught.value


def replaced(content: bytes, line: int, old: bytes, new: bytes) -> bytes:
    lines = content.split(b"\n")
    assert old in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(old, new)
    return b"\n".join(lines)


def test_an_honest_file_is_opened(content):
    log = chain.open_file(content, trusted_key=SIGNER.key)
    made = small_battle()
    assert log.header.battle == BATTLE
    assert list(log.lines) == made.lines()
    assert len(log.hashes) == len(made.log) + 1
    assert [record.decode(line, CATALOGUE) for line in log.lines] == made.log
    assert chain.file_bytes(log.header_line, log.lines, log.checkpoint) == content


@pytest.mark.slow
def test_no_single_bit_of_a_file_can_flip_unnoticed(tiny):
    for place in some(range(len(tiny) * 8)):
        changed = bytearray(tiny)
        changed[place // 8] ^= 1 << place % 8
        with pytest.raises(FileFault):
            chain.open_file(bytes(changed))
        with pytest.raises(FileFault):
            chain.open_file(bytes(changed), allow_unfinished=True)


@settings(max_examples=200)
@given(st.data())
@pytest.mark.slow
def test_no_part_of_a_file_can_be_cut_doubled_or_overwritten_unnoticed(data):
    content = small_battle().file()
    start = data.draw(st.integers(0, len(content) - 1))
    end = data.draw(st.integers(start + 1, len(content)))
    changed = content[:start] + data.draw(st.binary(max_size=40)) + content[end:]
    if changed != content:
        fault_of(changed)


@given(st.binary() | st.text().map(str.encode))
def test_what_is_no_battle_file_is_refused_and_breaks_nothing(content):
    fault_of(content)
    fault_of(content, allow_unfinished=True)


@pytest.mark.parametrize(
    ("place", "old"),
    [
        (1, b'"version":2'),
        (3, b'"n":2'),
        (3, b'"type":"BattleBegan"'),
        (2, b'"to":"1.1 \xc3\xa9"'),
        (4, b'{"checkpoint":'),
    ],
)
def test_an_integer_of_thousands_of_digits_is_a_fault_wherever_it_stands(tiny, place, old):
    member = old.partition(b":")[0]
    lines = tiny.split(b"\n")
    start = lines[place - 1].index(old)
    end = start + len(old) if place < 4 else len(lines[place - 1]) - 1
    lines[place - 1] = lines[place - 1][:start] + member + b":" + b"1" * 5000 + lines[place - 1][end:]
    fault = fault_of(b"\n".join(lines))
    assert (fault.line, fault.what) == (place, "integer-too-large")


def test_a_changed_line_is_named_and_not_a_later_one(content):
    fault = fault_of(replaced(content, 13, b"seal", b"sail"))
    assert (fault.line, fault.what) == (13, "wrong-hash")


def test_a_line_left_out_is_named_where_it_is_missing(content):
    lines = content.split(b"\n")
    fault = fault_of(b"\n".join(lines[:6] + lines[7:]))
    assert (fault.line, fault.what) == (7, "wrong-number")


def test_two_lines_changed_about_are_named(content):
    lines = content.split(b"\n")
    lines[6], lines[7] = lines[7], lines[6]
    assert fault_of(b"\n".join(lines)).line == 7


def test_a_log_cut_short_is_named_by_its_checkpoint(content):
    lines = content.split(b"\n")
    fault = fault_of(b"\n".join(lines[:-3] + lines[-2:]))
    assert (fault.line, fault.what) == (len(lines) - 2, "other-head")


def test_a_file_without_checkpoint_is_unfinished():
    made = small_battle()
    fault = fault_of(made.file(finished=False))
    assert (fault.what, fault.details) == ("unfinished", {"n": len(made.log)})
    assert chain.open_file(made.file(finished=False), allow_unfinished=True).checkpoint is None


def test_a_file_has_at_least_one_event():
    assert fault_of(MadeBattle().file()).what == "no-events"


def test_a_file_signed_by_another_key_is_refused(content):
    assert fault_of(small_battle().file(signer=NEW)).what == "other-key"
    fault = fault_of(content, trusted_key=NEW.key)
    assert (fault.line, fault.what) == (1, "other-key")


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ({"at": AT, "by": "a", "data": {}, "n": 1, "rule": "x"}, "wrong-keys"),
        ({"at": AT, "by": "a", "data": {}, "hash": "", "m": 1, "n": 1, "rule": "x", "type": "y"}, "wrong-keys"),
        ({"at": "then", "by": "a", "data": {}, "hash": "", "n": 1, "rule": "x", "type": "y"}, "bad-time"),
        ({"at": 5, "by": "a", "data": {}, "hash": "", "n": 1, "rule": "x", "type": "y"}, "not-an-event"),
        ({"at": AT, "by": "a", "data": {}, "hash": "", "n": True, "rule": "x", "type": "y"}, "not-an-event"),
        ({"at": AT, "by": "a", "data": {}, "hash": "", "n": 2, "rule": "x", "type": "y"}, "wrong-number"),
        ({"at": AT, "by": "a", "data": {}, "hash": "", "n": 1, "rule": "x", "type": "y"}, "no-hash"),
        ({"at": AT, "by": "a", "data": {}, "hash": "0" * 64, "n": 1, "rule": "x", "type": "y"}, "wrong-hash"),
    ],
)
def test_a_line_that_is_no_event_line_is_named(line, what):
    header = record.encode_header(Header(BATTLE, AT, record.FORMAT, HOST, SIGNER.key, "1.0", "tts", 2))
    fault = fault_of(header + b"\n" + record.canonical(line) + b"\n", allow_unfinished=True)
    assert (fault.line, fault.what) == (2, what)


def test_a_header_with_a_false_key_is_refused():
    assert fault_of(small_battle().file(key="h.example+00000000+AAAA")).what == "bad-key"


# --- a new key


def with_new_key(signature: str | None = None) -> MadeBattle:
    made = MadeBattle()
    made.add(RulesChanged("1.0", "1.1"))
    signed = sign_new_key(SIGNER, notes.origin(HOST, BATTLE), NEW.key)
    made.add(KeyChanged(NEW.key, signed if signature is None else signature))
    made.add(RulesChanged("1.1", "1.2"))
    return made


def test_a_new_key_bears_the_name_of_the_host():
    other = Signer("other.example", b"\x08" * 32)
    made = MadeBattle()
    signed = sign_new_key(SIGNER, notes.origin(HOST, BATTLE), other.key)
    made.add(KeyChanged(other.key, signed))
    assert fault_of(made.file(signer=other)).what == "other-name"


def test_after_a_change_of_key_the_new_one_signs():
    log = chain.open_file(with_new_key().file(signer=NEW))
    assert [log.key_at(n).key for n in range(4)] == [SIGNER.key, SIGNER.key, NEW.key, NEW.key]
    assert fault_of(with_new_key().file()).what == "other-key"


def test_a_change_of_key_that_the_old_one_did_not_sign_is_refused():
    stranger = sign_new_key(NEW, notes.origin(HOST, BATTLE), NEW.key)
    fault = fault_of(with_new_key(stranger).file(signer=NEW))
    assert (fault.line, fault.what) == (3, "bad-signature")


def test_a_change_of_key_without_key_is_named():
    made = MadeBattle()
    made.add(RulesChanged("1.0", "1.1"))
    lines = [made.lines()[0].replace(b"RulesChanged", b"KeyChanged")]
    header = record.encode_header(Header(BATTLE, AT, record.FORMAT, HOST, SIGNER.key, "1.0", "tts", 2))
    assert fault_of(chain.file_bytes(header, lines, None), allow_unfinished=True).what == "wrong-data"


# --- earlier heads


def test_every_earlier_head_is_a_prefix(content):
    log = chain.open_file(content)
    for n, line_hash in some(enumerate(log.hashes)):
        note = notes.sign_head(SIGNER, Head(log.origin, n, line_hash))
        assert chain.require_prefix(log, note).n == n


def test_a_head_of_another_history_is_named(content):
    log = chain.open_file(content)
    with pytest.raises(FileFault) as caught:
        chain.require_prefix(log, notes.sign_head(SIGNER, Head(log.origin, 5, log.hashes[6])))
    assert (caught.value.line, caught.value.what) == (6, "other-history")


def test_a_head_beyond_the_file_is_named(content):
    log = chain.open_file(content)
    with pytest.raises(FileFault, match="shorter-than-head") as caught:
        chain.require_prefix(log, notes.sign_head(SIGNER, Head(log.origin, 500, bytes(32))))
    assert (caught.value.line, caught.value.what) == (0, "shorter-than-head")  # of the file, not of a line


def test_a_head_of_another_battle_or_host_proves_nothing(content):
    log = chain.open_file(content)
    for note in (
        notes.sign_head(SIGNER, Head("h.example/phalera/other", 5, log.hashes[5])),
        notes.sign_head(NEW, Head(log.origin, 5, log.hashes[5])),
        "no note",
    ):
        with pytest.raises(BadNote):
            chain.require_prefix(log, note)


def test_a_stored_line_is_copied_into_the_file_and_not_written_anew():
    # A log of an earlier release: a member that no class of ours knows.
    made = MadeBattle()
    made.add(BattleBegan())
    line = record.encode(1, AT, Fact("server", "x", BattleBegan())).replace(b'"data":{}', b'"data":{"old":1}')
    header = record.encode_header(Header(BATTLE, AT, record.FORMAT, HOST, SIGNER.key, "1.0", "tts", 2))
    log = chain.open_file(chain.file_bytes(header, [line], None), allow_unfinished=True)
    assert log.lines == (line,)
    assert Verifier(log.header.key).key == SIGNER.key
