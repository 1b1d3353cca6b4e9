"""The bytes of a battle are the only spelling of what they say."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from domain.basics.errors import BrokenInvariant
from domain.events import battle as events
from domain.events.battle import BattleEnded, Event, Fact, OrderAccepted, RulesChanged, SideJoined, StandingOrderSet
from domain.log import record
from domain.log.record import FileFault, Header

AT = "2026-11-21T10:11:12.013Z"
CATALOGUE: dict[str, type[Event]] = {
    name: value for name, value in vars(events).items() if isinstance(value, type) and issubclass(value, Event)
}
HEADER = Header(
    battle="b7",
    created=AT,
    format="phalera-battle",
    host="h.example",
    key="h.example+0+k",
    rules="1.0",
    ruleset="tts",
    version=2,
)
ORDER = OrderAccepted("north", 3, 1, "p1", "mail", "0123456789abcdef", text="R1 charge E4", command={"unit": "R1"})
STANDING = StandingOrderSet("north", "evade", unit="R1", value="yes")


def fault_of(line: bytes) -> FileFault:
    with pytest.raises(FileFault) as caught:
        record.read_canonical(line, 5)
    return caught.value


def test_an_event_line_has_its_keys_in_order_and_no_spaces():
    line = record.encode(4, AT, Fact("north", "CORE-RULES", RulesChanged("1.0", "1.1")))
    assert line == (
        b'{"at":"2026-11-21T10:11:12.013Z","by":"north","data":{"from":"1.0","to":"1.1"},"n":4,'
        b'"rule":"CORE-RULES","type":"RulesChanged"}'
    )


def test_an_event_line_is_read_back_as_it_was_written():
    line = record.encode(4, AT, Fact("north", "CORE-ORDER", ORDER))
    read = record.decode(line, CATALOGUE)
    assert (read.n, read.at, read.by, read.rule, read.type) == (4, AT, "north", "CORE-ORDER", "OrderAccepted")
    assert read.event == ORDER
    assert record.encode(read.n, read.at, Fact(read.by, read.rule, read.event)) == line


def test_the_hash_is_spliced_in_without_touching_a_byte():
    line = record.encode(4, AT, Fact("north", 'x,"n":', SideJoined("north", 'Ann,"n":é')))
    spliced = record.splice_hash(line, bytes(32))
    assert record.split_hash(spliced, 5) == (line, b',"hash":"' + b"0" * 64 + b'"')
    assert list(json.loads(spliced)) == list(record.KEYS)
    assert record.decode(spliced, CATALOGUE) == record.decode(line, CATALOGUE)


def test_a_line_without_hash_is_named():
    with pytest.raises(FileFault, match="no-hash"):
        record.split_hash(record.encode(4, AT, Fact("north", "x", ORDER)), 5)


def test_a_header_line_is_read_back_as_it_was_written():
    line = record.encode_header(HEADER)
    assert line.startswith(b'{"battle":"b7","created":"2026-11-21T10:11:12.013Z","format":"phalera-battle","host":')
    assert record.decode_header(line) == HEADER


def test_a_header_of_a_later_release_is_told_from_a_broken_one():
    members = json.loads(record.encode_header(HEADER)) | {"version": record.VERSION + 1, "release": "9.0"}
    with pytest.raises(FileFault) as caught:
        record.decode_header(record.canonical(members))
    assert (caught.value.line, caught.value.what) == (1, "later-version")
    assert caught.value.details == {"version": record.VERSION + 1, "known": record.VERSION}


def test_a_header_of_version_1_has_the_freedoms_of_its_time():
    members = json.loads(record.encode_header(HEADER)) | {"version": 1, "host": "H.example"}
    assert record.decode_header(record.canonical(members)).host == "H.example"
    for host in ("", "two\nlines"):
        with pytest.raises(FileFault, match="bad-host"):
            record.decode_header(record.canonical(members | {"host": host}))


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"version": 0}, "other-format"),
        ({"format": "chess"}, "other-format"),
        ({"created": "2026-11-21"}, "bad-time"),
        ({"extra": 1}, "not-a-header"),
        ({"host": 7}, "not-a-header"),
        ({"created": "2026-02-29T10:11:12.013Z"}, "bad-time"),
        ({"battle": "b 7"}, "bad-battle"),
        ({"host": "H.example"}, "bad-host"),
        ({"host": "other.example"}, "key-of-another"),
        ({"key": "h.example2+0+k"}, "key-of-another"),
    ],
)
def test_a_header_that_is_not_ours_is_named(changed, what):
    members = json.loads(record.encode_header(HEADER)) | changed
    with pytest.raises(FileFault) as caught:
        record.decode_header(record.canonical(members))
    assert (caught.value.line, caught.value.what) == (1, what)
    if what != "not-a-header":
        with pytest.raises(BrokenInvariant, match=what):
            record.encode_header(Header(**members))


# --- canonical form


def test_escapes_are_those_of_rfc_8785():
    written = record.canonical({"b": '\x00\b\t\n\f\r\x1f\x7f/"\\é\u2028😀', "a": [True, None, -5]})
    assert written == '{"a":[true,null,-5],"b":"\\u0000\\b\\t\\n\\f\\r\\u001f\x7f/\\"\\\\é\u2028😀"}'.encode()


@pytest.mark.parametrize(
    "value", [[1.5], {"a": [0.0]}, [2**53], {"a": -(2**53)}, {"a": {"b": 2**70}}, ["e\u0301"], {"é": 1}]
)
def test_what_this_format_does_not_know_is_not_written(value):
    with pytest.raises(BrokenInvariant):
        record.canonical(value)


@pytest.mark.parametrize("command", [{"x": 1.5}, {"x": 2**53}, {"name": "e\u0301"}])
def test_an_event_that_the_format_does_not_know_is_not_written(command):
    with pytest.raises(BrokenInvariant):
        record.encode(1, AT, Fact("north", "x", OrderAccepted("north", 0, 1, "p", "api", "k", command=command)))


def test_figures_that_only_look_like_floats_are_written():
    assert record.canonical({"a": "1,2.5 and 7:9007199254740993", "n": 2**53 - 1})


@pytest.mark.parametrize(
    "at",
    ["", "2026-11-21T10:11:12Z", "2026-13-21T10:11:12.013Z", "2026-11-21T24:11:12.013Z", AT + "\n", f"1999{AT[4:]}"],
)
def test_a_time_stamp_of_another_form_is_not_written(at):
    with pytest.raises(BrokenInvariant):
        record.encode(1, at, Fact("north", "x", ORDER))


@pytest.mark.parametrize(
    ("line", "what"),
    [
        (b'{"a": 1}', "not-canonical"),
        (b'{"b":1,"a":1}', "not-canonical"),
        (b'{"a":1,"a":1}', "not-canonical"),
        (b'{"a":"\\u0041"}', "not-canonical"),
        (b'{"a":"\\/"}', "not-canonical"),
        (b'{"a":-0}', "not-canonical"),
        (b'{"a":1e0}', "float"),
        (b"[1]", "not-canonical"),
        (b'{"a":1}\r', "not-canonical"),
        (b'\xef\xbb\xbf{"a":1}', "not-json"),
        (b'{"a":1', "not-json"),
        (b"", "not-json"),
        (b'{"a":"\xff"}', "not-utf-8"),
        (b'{"a":1.5}', "float"),
        (b'{"a":[9007199254740992]}', "integer-too-large"),
        (b'{"a":%b}' % (b"1" * 5000), "integer-too-large"),
        (b'{"a":[-%b]}' % (b"1" * 5000), "integer-too-large"),
        (b'{"a":"e\xcc\x81"}', "string-not-nfc"),
        (b'{"\xc3\xa9":1}', "key-not-ascii"),
    ],
)
def test_any_other_spelling_is_named(line, what):
    fault = fault_of(line)
    assert (fault.line, fault.what) == (5, what)


def test_a_line_nested_without_end_is_refused_and_breaks_nothing():
    assert fault_of(b'{"a":' + b"[" * 100_000).what == "too-deep"


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(st.characters(max_codepoint=0xFF)),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(st.characters(max_codepoint=0x7E)), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.text(st.characters(max_codepoint=0x7E)), PLAIN, max_size=4))
@pytest.mark.slow
def test_plain_data_has_one_spelling_and_is_read_back(value):
    written = record.canonical(value)
    assert record.read_canonical(written, 1) == value
    assert json.loads(written) == value
    assert b"\n" not in written


@given(st.dictionaries(st.sampled_from("abc"), PLAIN, max_size=3), st.integers(0, 2**64))
@pytest.mark.slow
def test_no_single_bit_of_canonical_data_can_flip_unnoticed(value, place):
    written = record.canonical(value)
    place %= len(written) * 8
    flipped = bytearray(written)
    flipped[place // 8] ^= 1 << place % 8
    try:
        read: Any = record.read_canonical(bytes(flipped), 1)
    except FileFault:
        return
    assert read != value


# --- event lines of a file


def event_line(**changed: Any) -> bytes:
    members = {"at": AT, "by": "north", "data": {}, "hash": "0" * 64, "n": 7, "rule": "CORE", "type": "X"} | changed
    return record.canonical(members)


def test_an_event_line_in_its_place_gives_its_members():
    assert record.require_event_line(event_line(data={"player": "p-1"}), 7, AT).data == {"player": "p-1"}


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"extra": 1}, "wrong-keys"),
        ({"n": 8}, "wrong-number"),
        ({"n": "7"}, "not-an-event"),
        ({"n": True}, "not-an-event"),
        ({"at": 7}, "not-an-event"),
        ({"by": None}, "not-an-event"),
        ({"data": [1]}, "not-an-event"),
        ({"type": {}}, "not-an-event"),
        ({"at": "2026-11-31T10:11:12.013Z"}, "bad-time"),
        ({"at": "2026-11-21T10:11:12.012Z"}, "time-goes-back"),
        ({"data": {"player": "an n"}}, "bad-player"),
        ({"data": {"player": ""}}, "bad-player"),
        ({"data": {"player": 5}}, "bad-player"),
        ({"data": {"x": "\u0378"}}, "unassigned"),
    ],
)
def test_an_event_line_that_cannot_stand_there_is_named(changed, what):
    line = event_line(**changed) if what != "unassigned" else event_line(data={"x": "?"}).replace(b"?", b"\xcd\xb8")
    with pytest.raises(FileFault) as caught:
        record.require_event_line(line, 7, AT)
    assert (caught.value.line, caught.value.what) == (8, what)


@pytest.mark.parametrize(
    ("n", "fact"),
    [
        (2**20 + 1, Fact("north", "x", STANDING)),
        (1, Fact("north", "x", SideJoined("north", "Ann", player="an n"))),
        (1, Fact("north", "x", SideJoined("north", "A" * (2**16 + 1), player="ann"))),
        (1, Fact("north", "x", SideJoined("north", "\u0378", player="ann"))),
        (1, Fact("north", "x", OrderAccepted("north", 0, 1, "p", "api", "k", command={"x": ["y" * 65_536] * 16}))),
    ],
    ids=["number", "player", "string", "unassigned", "line"],
)
def test_an_event_that_a_reader_would_refuse_is_not_written(n, fact):
    with pytest.raises(BrokenInvariant):
        record.encode(n, AT, fact)


# --- reading events


def test_an_unknown_type_is_named():
    with pytest.raises(FileFault) as caught:
        record.decode(record.encode(4, AT, Fact("north", "x", ORDER)), {})
    assert (caught.value.line, caught.value.what, caught.value.details) == (
        5,
        "unknown-type",
        {"type": "OrderAccepted"},
    )


def test_data_that_does_not_fit_its_type_is_named():
    line = record.encode(4, AT, Fact("north", "x", RulesChanged("1", "2"))).replace(b'"to":"2"', b'"to":2')
    with pytest.raises(FileFault, match="wrong-data"):
        record.decode(line, CATALOGUE)


def test_what_is_no_event_line_is_named():
    with pytest.raises(FileFault, match="not-an-event"):
        record.decode(b'{"n":1}', CATALOGUE)


def test_members_that_a_later_release_added_are_passed_over():
    line = record.encode(4, AT, Fact("north", "x", RulesChanged("1", "2"))).replace(b'"to":', b'"then":1,"to":')
    assert record.decode(line, CATALOGUE).event == RulesChanged("1", "2")


def test_an_end_from_before_shares_were_told_is_read():
    said = b'{"how":"turn-limit","winner":"south"}'
    line = b'{"at":"%b","by":"server","data":%b,"n":9,"rule":"TTS-WIN-05","type":"BattleEnded"}' % (AT.encode(), said)
    assert record.decode(line, CATALOGUE).event == BattleEnded("south", "turn-limit")
    told = BattleEnded("south", "turn-limit", {"south": (6, 7), "north": (1, 4)})
    line = record.encode(9, AT, Fact("server", "TTS-WIN-05", told))
    assert b'"shares":{"north":[1,4],"south":[6,7]},"winner"' in line
    assert record.decode(line, CATALOGUE).event == told


def test_an_old_type_is_read_through_its_upcasts():
    class Renamed(Event, frozen=True, gc=False):
        TYPE = "Renamed@3"
        names: tuple[str, ...]

    def second(data: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        return "Renamed@2", {"names": [data["name"]]}

    def third(data: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        return "Renamed@3", data

    line = b'{"at":"%b","by":"north","data":{"name":"Ann"},"n":1,"rule":"x","type":"Renamed"}' % AT.encode()
    read = record.decode(line, {"Renamed@3": Renamed}, {"Renamed": second, "Renamed@2": third})
    assert (read.type, read.event) == ("Renamed", Renamed(("Ann",)))
    assert b'"type":"Renamed@3"' in record.encode(1, AT, Fact("north", "x", read.event))


# --- files


@pytest.mark.parametrize(
    ("content", "line", "what"),
    [
        (b"", 0, "empty"),
        (b"{}", 1, "no-final-newline"),
        (b"{}\n{}", 2, "no-final-newline"),
        (b"{}\n\n{}\n", 2, "empty-line"),
        (b"{}\n", 0, "no-events"),
        (b'{}\n{"checkpoint":"x"}\n', 0, "no-events"),
        (b"\n" * (2**20 + 3), 0, "too-many-events"),
        (b"{}\n" * (2**20 + 2), 0, "too-many-events"),
        (b'{}\n{"checkpoint":"x"}\n{}\n', 2, "checkpoint-not-last"),
    ],
)
def test_a_file_that_cannot_be_cut_is_named(content, line, what):
    with pytest.raises(FileFault) as caught:
        record.split_file(content)
    assert (caught.value.line, caught.value.what) == (line, what)


def test_a_file_is_cut_at_line_feeds_only():
    parts = record.split_file('{"a":"\u2028"}\n{"b":"\u0085\r"}\n{"checkpoint":"x"}\n'.encode())
    assert (parts.header, parts.events) == ('{"a":"\u2028"}'.encode(), ('{"b":"\u0085\r"}'.encode(),))
    assert parts.checkpoint == b'{"checkpoint":"x"}'


def test_a_checkpoint_line_gives_its_note_back():
    line = record.checkpoint_line("a\n\n— b c\n")
    assert line == '{"checkpoint":"a\\n\\n— b c\\n"}'.encode()
    assert record.checkpoint_note(line, 9) == "a\n\n— b c\n"
    with pytest.raises(FileFault, match="not-a-checkpoint"):
        record.checkpoint_note(b'{"checkpoint":1}', 9)


# --- private members


def test_private_members_are_taken_out_and_merged_back():
    content = record.content_of(STANDING, ("unit", "value"))
    public = record.sealed(STANDING, ("unit", "value"), b"\xab" * 32)
    assert content == b'{"unit":"R1","value":"yes"}'
    assert public == StandingOrderSet("north", "evade", sealed="ab" * 32)
    assert record.opened(public, json.loads(content)) == STANDING


def test_a_private_order_is_sealed_with_text_and_command():
    public = record.sealed(ORDER, ("text", "command"), bytes(32))
    assert isinstance(public, OrderAccepted)
    assert (public.text, public.command) == (UNSET, UNSET)
    assert b"charge" not in record.encode(1, AT, Fact("north", "x", public))
    assert record.opened(public, json.loads(record.content_of(ORDER, ("text", "command")))) == ORDER


def test_what_stands_open_cannot_be_opened_to_something_else():
    public = record.sealed(STANDING, ("value",), bytes(32))
    with pytest.raises(msgspec.ValidationError, match="unit"):
        record.opened(public, {"unit": "R2", "value": "yes"})


@pytest.mark.parametrize("value", ["y" * 2**20, {"a": 1}], ids=["long", "deep"])
def test_nothing_is_sealed_that_no_line_could_open(value):
    for _ in range(28):
        value = [value]
    with pytest.raises(BrokenInvariant):
        record.content_of(OrderAccepted("north", 0, 1, "p", "api", "k", command={"x": value}), ("command",))


def test_members_are_sealed_under_their_names_in_the_log():
    assert record.content_of(RulesChanged("1", "2"), ("from_",)) == b'{"from":"1"}'


def test_the_commitment_belongs_to_the_side_of_its_event():
    card = events.CardDrawn(
        deck="stratagem",
        epoch=1,
        index=1,
        card="Kc",
        purpose="stratagem",
        unit="",
        scope="hand:north/r1",
        t=0,
        remaining=13,
    )
    assert record.seat_of(STANDING, "server") == "north"
    assert record.seat_of(ORDER, "server") == "north"
    assert record.seat_of(card, "server") == "north"
    assert record.seat_of(events.BattleOpened(ruleset="tts"), "server") == "server"
