"""An earlier head, as mail programs leave it, proves a file to be the same history."""

from email.message import EmailMessage

import pytest

from domain.log import record
from domain.log.record import FileFault
from replay.proof import chain, notes
from replay.proof.heads import Evidence, NoHead, evidence, notes_in, prove
from replay.proof.notes import BadNote, Head, Signer
from replay.proof.verify import FAULT, OK, verify
from tests.support.tiny import changed, ended_battle, ended_file, played_battle, signed_again, tiny_battle

LOG = chain.open_file(ended_file())


def head_note(n: int) -> str:
    """The receipt that was given at event `n`."""
    return notes.sign_head(ended_battle().signer, Head(LOG.origin, n, LOG.hashes[n]))


def mail(text: str, encoding: str = "8bit") -> bytes:
    message = EmailMessage()
    message["Subject"] = "Your turn"
    message["From"] = "phalera@example.org"
    message.set_content(text, cte=encoding)
    return message.as_bytes()


TEXT = f"Your turn.\n\n{{}}\n-- \nsent by Phalera, {'x' * 90}\n"


@pytest.mark.parametrize(
    "content",
    [
        head_note(10).encode(),
        head_note(10).replace("\n", "\r\n").encode(),
        TEXT.format(head_note(10)).encode(),
        TEXT.format("".join(f"> {line}\n" for line in head_note(10).splitlines())).encode(),
        TEXT.format("".join(f">> {line}\n" for line in head_note(10).splitlines())).encode(),
        mail(TEXT.format(head_note(10))),
        mail(TEXT.format(head_note(10)), "quoted-printable"),
        mail(TEXT.format(head_note(10)), "base64"),
        TEXT.format(head_note(10)[:-40] + "\n" + head_note(10)[-40:]).encode(),
        head_note(10).replace("\n", "  \n").encode(),
    ],
    ids=["note", "crlf", "text", "quoted", "quoted twice", "mail", "qp", "base64", "broken line", "trailing spaces"],
)
def test_a_head_is_found_however_it_was_kept(content):
    assert [head.n for head in prove(LOG, Evidence("it", content))] == [10]


def test_an_earlier_export_proves_a_later_one():
    earlier = played_battle().file()
    report = verify(ended_file(), evidence=[Evidence("earlier.battle", earlier)])
    assert report.exit == OK
    assert [(head.n, head.source) for head in report.heads] == [(earlier.count(b"\n") - 2, "earlier.battle")]


def test_several_heads_in_one_mail_are_all_proven():
    content = TEXT.format(head_note(3) + "\nand\n\n" + head_note(12)).encode()
    assert [head.n for head in prove(LOG, Evidence("it", content))] == [3, 12]


def test_a_rewritten_history_is_found_at_the_event_where_it_differs():
    other = signed_again(ended_battle(), lambda log: changed(log, "SideJoined", name="Berta"))
    report = verify(other, evidence=[Evidence("receipt", head_note(10).encode())])
    assert report.exit == FAULT
    assert report.fault is not None
    assert (report.fault.what, report.fault.n) == ("other-history", 10)
    assert report.fault.sentence.startswith("receipt: ")


def test_a_file_that_ends_before_the_head_is_a_fault():
    report = verify(played_battle().file(), evidence=[Evidence("receipt", head_note(len(LOG.lines)).encode())])
    assert report.fault is not None
    assert report.fault.what == "shorter-than-head"


def test_a_head_that_somebody_else_signed_proves_nothing():
    forged = notes.sign_head(Signer("localhost", b"\x09" * 32), Head(LOG.origin, 10, LOG.hashes[10]))
    with pytest.raises(BadNote, match="other-key"):
        prove(LOG, Evidence("it", forged.encode()))


def test_a_head_of_another_battle_is_not_taken_for_one_of_this():
    other = tiny_battle("other").file()
    with pytest.raises(BadNote, match="other-battle"):
        prove(LOG, Evidence("it", other))


@pytest.mark.parametrize("content", [b"", b"no note here", b"\xff\xff", b'{"header":1}\n', mail("nothing in it")])
def test_where_there_is_no_head_it_is_said(content):
    with pytest.raises(NoHead):
        prove(LOG, Evidence("it", content))
    report = verify(ended_file(), evidence=[Evidence("it", content)])
    assert report.fault is not None
    assert report.fault.what == "no-head"


def test_a_changed_hash_in_a_note_is_no_signed_note_any_more():
    first, n, hash_, *rest = head_note(10).split("\n")
    swapped = "\n".join(
        [first, n, notes.sign_head(ended_battle().signer, Head(LOG.origin, 10, b"\0" * 32)).split("\n")[2], *rest]
    )
    assert hash_ not in swapped
    with pytest.raises(BadNote, match="bad-signature"):
        prove(LOG, Evidence("it", swapped.encode()))


def test_a_note_may_be_given_as_it_is_or_as_a_file(tmp_path):
    file = tmp_path / "receipt.txt"
    file.write_text(head_note(4))
    assert list(notes_in(evidence(str(file)).content)) == [head_note(4)]
    assert list(notes_in(evidence(head_note(4)).content)) == [head_note(4)]
    with pytest.raises(OSError, match="No such file"):
        evidence(str(tmp_path / "nothing"))


def test_the_checkpoint_of_a_broken_battle_file_is_none():
    assert list(notes_in(b'{"a":1}\n{"checkpoint":3}\n')) == []
    with pytest.raises(FileFault):
        record.split_file(b'{"a":1}')
