"""The first line of a campaign's file is written as it is read, and nothing else is read."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.basics.errors import BrokenInvariant
from domain.campaign.header import FORMAT, RULES, VERSION, CampaignHeader, decode_header, encode_header, is_campaign
from domain.log.canonical import FileFault, canonical

HEADER = CampaignHeader(
    "k3jz81aq", "2026-05-01T12:00:00.000Z", FORMAT, "club.example", "club.example+abcd+key", RULES, VERSION
)


def test_a_header_is_read_as_it_was_written() -> None:
    line = encode_header(HEADER)
    assert decode_header(line) == HEADER
    assert is_campaign(line)


@pytest.mark.parametrize(
    ("member", "what"),
    [
        ({"campaign": "no id"}, "bad-battle"),
        ({"created": "yesterday"}, "bad-time"),
        ({"host": "two words"}, "bad-host"),
        ({"key": "other.example+abcd+key"}, "key-of-another"),
        ({"format": "phalera-battle"}, "other-format"),
        ({"version": 0}, "other-format"),
        ({"version": VERSION + 1}, "later-version"),
    ],
)
def test_what_no_reader_takes_is_not_written(member: dict[str, Any], what: str) -> None:
    wrong = replace(HEADER, **member)
    with pytest.raises(BrokenInvariant, match=what):
        encode_header(wrong)
    with pytest.raises(FileFault) as fault:
        decode_header(canonical(wrong))
    assert fault.value.what == what


@pytest.mark.parametrize("line", [b"", b"[]", b'{"format":"phalera-battle"}', b"\xff"])
def test_the_first_line_of_another_file_is_no_campaigns(line: bytes) -> None:
    assert not is_campaign(line)
