"""Letters signed by this server: whoever checks them finds them whole, and what is changed is found out."""

import logging
import re
import stat
from base64 import b64decode
from hashlib import sha256

import dkim
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.serialization import load_der_public_key
from typer.testing import CliRunner

from server.cli.main import main
from server.mail import signing_key
from server.mail.endpoint import Endpoint
from server.mail.outgoing import signing
from server.mail.outgoing.carrier import SmtpCarrier, carrier_of
from server.mail.outgoing.letters.mime import Envelope, message_of
from server.mail.service import require_usable, ways
from server.mail.signing_key import make_key, read_key, zone_line
from server.settings import BadSetting, MailSettings, Settings
from tests.mailhost.loopback import HOST
from tests.server.mail.conftest import MAILBOX

ANNA, BOUNCE = "anna@players.test", "play+abcdefghijklmnopqrstuvwx@pbem.test"
LETTER = message_of(
    Envelope(
        to=ANNA,
        mailbox=MAILBOX,
        reply_to=BOUNCE,
        subject="Zama vs Bob: your turn 4, déjà vu",
        message_id="<abc.4@pbem.test>",
        date="2026-05-01T12:00:00.000Z",
        lang="en",
        boundary="b",
        references=tuple(f"<abc.{at}.{'0' * 60}@pbem.test>" for at in range(8)),
        list_id="battles.pbem.test",
        unsubscribe=("https://pbem.test/unsubscribe/abc", "mailto:play@pbem.test"),
    ),
    "It is your turn.\n\n  Two spaces,  and more at the end  \n\n\n",
    "<p>It is your turn.</p>",
)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """A file with a key, made as the command makes it."""
    path = tmp_path_factory.mktemp("keys") / "dkim.pem"
    make_key(path)
    return path


@pytest.fixture
def key(file):
    return read_key(file, "one", "pbem.test")


def relaxed(name, value):
    """A header field in the relaxed form of RFC 6376 3.4.2."""
    unfolded = re.sub("[ \t]+", " ", value.replace("\r\n", "")).strip()
    return f"{name.lower()}:{unfolded}\r\n"


def verify(raw, public):
    """Check a signature by hand, as RFC 6376 6.1 says: knows nothing of the library that made it.

    Raises: InvalidSignature; AssertionError for the hash of the body
    """
    head, _, body = raw.decode("ascii").partition("\r\n\r\n")
    fields = [field.split(":", 1) for field in re.split(r"\r\n(?![ \t])", head)]
    name, signature = fields.pop(0)
    assert name == "DKIM-Signature"
    tags = dict(part.strip().split("=", 1) for part in signature.replace("\r\n", "").split(";") if part.strip())
    assert (tags["v"], tags["a"], tags["c"]) == ("1", "rsa-sha256", "relaxed/relaxed")
    lines = [re.sub("[ \t]+", " ", line).rstrip(" ") for line in body.split("\r\n")]
    while lines and not lines[-1]:
        lines.pop()
    hashed = sha256("".join(f"{line}\r\n" for line in lines).encode()).digest()
    assert b64decode(re.sub(r"\s", "", tags["bh"])) == hashed
    signed = ""
    for wanted in re.sub(r"\s", "", tags["h"]).split(":"):
        at = next((at for at in reversed(range(len(fields))) if fields[at][0].lower() == wanted.lower()), None)
        if at is not None:
            signed += relaxed(*fields.pop(at))
    unsigned = re.sub(r"(?<=[;\s])b=[^;]*", "b=", signature)
    signed += relaxed("DKIM-Signature", unsigned).removesuffix("\r\n")
    known = load_der_public_key(public)
    assert isinstance(known, rsa.RSAPublicKey)
    known.verify(b64decode(re.sub(r"\s", "", tags["b"])), signed.encode(), padding.PKCS1v15(), hashes.SHA256())
    return tags


def published(key):
    """The public key as a stranger reads it from the line of the zone."""
    record = "".join(re.findall(r'"([^"]*)"', zone_line(key)))
    return record, b64decode(record.rpartition("p=")[2])


async def sent(sink, sign, message=LETTER):
    """A letter as the mail system gets it; its own end of line is CRLF."""
    smtp = SmtpCarrier(Endpoint(HOST, await sink.start(), False), "pbem.test", sign=sign)
    await smtp.carry(message, BOUNCE, ANNA)
    await smtp.close()
    return sink.taken[0][2]


@pytest.mark.slow
async def test_a_letter_arrives_with_a_signature_that_holds(sink, key):
    raw = await sent(sink, signing.signer(key))
    record, public = published(key)
    tags = verify(raw, public)
    assert (tags["d"], tags["s"]) == ("pbem.test", "one")
    assert dkim.verify(raw, dnsfunc=lambda name, timeout=0: {b"one._domainkey.pbem.test.": record.encode()}[name])


@pytest.mark.slow
async def test_the_links_to_unsubscribe_are_signed_and_nothing_can_be_added(sink, key):
    raw = await sent(sink, signing.signer(key))
    signed = re.sub(r"\s", "", verify(raw, published(key)[1])["h"]).lower().split(":")
    assert {"list-unsubscribe", "list-unsubscribe-post", "references", "content-type"} <= set(signed)
    for once in signing.ONCE:
        assert signed.count(once.lower()) == 2
    added = raw.replace(b"Subject: ", b"Subject: Win a prize\r\nSubject: ", 1)
    with pytest.raises(InvalidSignature):
        verify(added, published(key)[1])


@pytest.mark.parametrize(
    ("was", "becomes"),
    [(b"It is your turn", b"It is my turn"), (b"To: anna", b"To: bob"), (b"Subject: ", b"Subject: Re: ")],
)
async def test_what_is_changed_on_the_way_is_found_out(sink, key, was, becomes):
    raw = await sent(sink, signing.signer(key))
    assert was in raw
    with pytest.raises((InvalidSignature, AssertionError)):
        verify(raw.replace(was, becomes), published(key)[1])


def test_the_settings_choose_whether_letters_are_signed(tmp_path, file):
    url = "smtp://127.0.0.1"
    post = MailSettings(smtp=url, dkim_selector="one", dkim_key=str(file))
    settings = Settings.at(tmp_path, host="pbem.test", post=post)
    require_usable(settings)
    signs, plain = carrier_of(settings), carrier_of(Settings.at(tmp_path, post=MailSettings(smtp=url)))
    assert isinstance(signs, SmtpCarrier) and isinstance(plain, SmtpCarrier)
    assert (signs._sign is None, plain._sign is None) == (False, True)
    assert "signed by one" in ways(settings, {})[0]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"dkim_key": ""}, "--dkim-selector and --dkim-key"),
        ({"dkim_selector": ""}, "--dkim-selector and --dkim-key"),
        ({"dkim_selector": "a b"}, "selector"),
        ({"dkim_key": "/nowhere/dkim.pem"}, "cannot be read"),
        ({"smtp": ""}, "--smtp-out"),
    ],
)
def test_half_a_setting_is_refused_in_a_sentence(tmp_path, file, changes, said):
    post = {"smtp": "smtp://127.0.0.1", "dkim_selector": "one", "dkim_key": str(file), **changes}
    with pytest.raises(BadSetting, match=said):
        require_usable(Settings.at(tmp_path, host="pbem.test", post=MailSettings(**post)))


def test_without_the_extra_it_is_said_what_to_install(tmp_path, file, monkeypatch):
    monkeypatch.setattr(signing, "find_spec", lambda module: None)
    with pytest.raises(BadSetting, match=r"phalera\[dkim\]"):
        signing.signer_if(Settings.at(tmp_path, post=MailSettings(dkim_selector="one", dkim_key=str(file))))


@pytest.mark.parametrize("mode", [0o640, 0o604])
def test_a_key_that_others_can_read_is_refused(tmp_path, file, mode):
    copy = tmp_path / "copy.pem"
    copy.write_bytes(file.read_bytes())
    copy.chmod(mode)
    with pytest.raises(BadSetting, match="chmod go="):
        read_key(copy, "one", "pbem.test")


def test_what_is_no_key_of_rsa_is_refused_and_not_repeated(tmp_path):
    path = tmp_path / "key.pem"
    curve = ec.generate_private_key(ec.SECP256R1())
    pem = serialization.Encoding.PEM
    for content in (
        b"secret words",
        curve.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()),
    ):
        path.write_bytes(content)
        path.chmod(0o600)
        with pytest.raises(BadSetting) as caught:
            read_key(path, "one", "pbem.test")
        assert content[:12].decode() not in str(caught.value)


def test_a_key_is_shown_nowhere(key, caplog):
    with caplog.at_level(logging.DEBUG):
        logging.getLogger(__name__).info("%r %s", key, key)
    assert key.pem.decode()[100:140] not in caplog.text
    assert "BEGIN" not in caplog.text


# --- the command


def phalera(*words):
    return CliRunner(env={"PHALERA_DATA": None}).invoke(main, ["mail", "key", *map(str, words)])


@pytest.mark.slow
def test_a_key_is_made_once_and_its_record_shown(tmp_path):
    words = ("--data", tmp_path / "data", "--mail-address", MAILBOX, "--dkim-selector", "two")
    first, again = phalera(*words), phalera(*words)
    file = tmp_path / "data" / signing_key.FILE
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "is a new key" in first.output
    assert "is a new key" not in again.output
    line = next(line for line in first.output.splitlines() if "IN TXT" in line)
    assert line.startswith("two._domainkey.pbem.test. IN TXT (")
    assert line in again.output
    assert all(len(part) <= 255 for part in re.findall(r'"([^"]*)"', line))
    assert line == zone_line(read_key(file, "two", "pbem.test"))
    assert "PRIVATE" not in first.output
    assert f"--dkim-selector two --dkim-key {file}" in first.output
