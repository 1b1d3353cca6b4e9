"""What a probe tells that has come back: results, machines, times."""

import dkim
import pytest

from server.mail.checking.names import NoNames
from server.mail.checking.probe import Arrived
from server.mail.checking.returned import results_in, returned_findings
from server.mail.outgoing.signing import signer
from server.mail.signing_key import make_key, read_key
from server.people.addresses import Addresses

ADDRESSES = Addresses("play@pbem.example.org", b"s" * 32)
TOKEN = "abcdefghijklmnopqrstuvwx"
SENT, RECEIVED = "2026-05-01T12:00:00.000Z", "2026-05-01T12:00:09.000Z"
OUTSIDE = "from mail.example.org (mail.example.org [9.9.9.9]) by mx.example.net with ESMTPS id 1; "
INSIDE = "from localhost (localhost [127.0.0.1]) by mail.example.org with ESMTP id 2; "
NAMES = {
    ("9.9.9.9.in-addr.arpa", "PTR"): ("mail.example.org.",),
    ("mail.example.org", "A"): ("9.9.9.9",),
}


def ask(name, kind):
    return NAMES.get((name, kind), ())


def mail(*above, to=f"play+{TOKEN}@pbem.example.org"):
    fields = (
        "Return-Path: <play@pbem.example.org>",
        f"Delivered-To: {to}",
        *above,
        "From: play@pbem.example.org",
        f"To: play+{TOKEN}@pbem.example.org",
        "Subject: x",
    )
    return ("\r\n".join(fields) + "\r\n\r\nText.\r\n").encode()


def findings(raw, asked=ask, key=None):
    found = list(returned_findings(Arrived(raw, RECEIVED), SENT, TOKEN, ADDRESSES, asked, key))
    assert all(bool(one.advice) == (one.state != "ok") for one in found)
    return found


def finding(what, *above, asked=ask, **more):
    return next(one for one in findings(mail(*above, **more), asked) if one.what == what)


def hop(line, time="12:00:05"):
    return f"Received: {line}Fri, 1 May 2026 {time} +0000"


def test_a_probe_with_which_all_is_well():
    stamp = "Authentication-Results: mx.example.net; spf=pass smtp.mailfrom=x; dkim=pass header.d=y; dmarc=pass"
    found = findings(mail(stamp, hop(OUTSIDE), hop(INSIDE, "12:00:01")))
    assert {one.state for one in found} == {"ok"}
    assert [one.what for one in found] == ["loop", "plus", *["results"] * 3, "ptr", "clock"]
    assert found[0].said == "the probe came back after 9 s"


def test_an_address_that_has_lost_its_token_is_told():
    assert finding("plus", to="play@pbem.example.org").state == "unknown"


@pytest.mark.parametrize(
    ("value", "who", "results"),
    [
        (
            "mx.test; spf=pass (a; dkim=fail) smtp.helo=x;\r\n dkim=FAIL reason=z",
            "mx.test",
            {"spf": "pass", "dkim": "fail"},
        ),
        ('"mx.test" 1; dkim=fail; dkim=pass', "mx.test", {"dkim": "pass"}),
        ("mx.test; none", "mx.test", {}),
        ("", "", {}),
    ],
)
def test_results_are_read(value, who, results):
    assert results_in(value) == (who, results)


@pytest.mark.parametrize(("result", "state"), [("pass", "ok"), ("softfail", "fault"), ("none", "unknown")])
def test_a_result_is_judged(result, state):
    assert finding("results", f"Authentication-Results: mx.test; spf={result}").state == state


def test_without_results_a_mailbox_outside_is_advised():
    assert "phalera mail check" in finding("results").advice


@pytest.mark.parametrize(
    ("line", "names", "state", "said"),
    [
        (OUTSIDE, NAMES, "ok", "9.9.9.9 is mail.example.org"),
        (OUTSIDE, {}, "fault", "has no name"),
        (OUTSIDE, {**NAMES, ("mail.example.org", "A"): ("9.9.9.8",)}, "fault", "does not lead back"),
        (OUTSIDE.replace("from mail", "from localhost"), NAMES, "fault", "greets as localhost.example.org"),
        (INSIDE, NAMES, "unknown", "never left this machine"),
        ("by mx.example.net id 3; ", NAMES, "unknown", "never left this machine"),
    ],
)
def test_the_machine_that_the_world_sees_must_have_its_name(line, names, state, said):
    found = finding("ptr", hop(line), asked=lambda name, kind: names.get((name, kind), ()))
    assert found.state == state
    assert said in found.said


def test_without_a_name_server_the_name_is_not_known():
    def silent(name, kind):
        raise NoNames("no name server answers")

    assert finding("ptr", hop(OUTSIDE), asked=silent).state == "unknown"


@pytest.mark.parametrize(
    ("time", "state", "said"),
    [
        ("12:00:05", "ok", "agree"),
        ("11:59:30", "ok", "agree"),
        ("11:50:00", "fault", "600 s ahead of that of mx.example.net"),
        ("12:10:09", "fault", "600 s behind that of mx.example.net"),
    ],
)
def test_the_clock_is_held_against_those_of_others(time, state, said):
    found = finding("clock", hop(OUTSIDE, time))
    assert found.state == state
    assert said in found.said


def test_without_a_time_on_the_way_the_clock_is_not_known():
    assert finding("clock").state == "unknown"
    assert finding("clock", "Received: from x by y; some day").state == "unknown"


@pytest.mark.slow
def test_our_signature_is_looked_at_when_it_comes_back(tmp_path):
    make_key(tmp_path / "key")
    key = read_key(tmp_path / "key", "one", "pbem.example.org")
    letter = mail().partition(b"From:")
    raw = letter[0] + signer(key)(letter[1] + letter[2])
    assert dkim.verify(raw, dnsfunc=lambda name, timeout=0: key.record.encode())
    states = {
        name: next(one.state for one in findings(content, key=key) if one.what == "signature")
        for name, content in (("whole", raw), ("changed", raw + b"-- \r\nA footer\r\n"), ("unsigned", mail()))
    }
    assert states == {"whole": "ok", "changed": "fault", "unsigned": "fault"}
