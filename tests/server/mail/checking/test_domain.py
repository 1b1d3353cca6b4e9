"""What the DNS says of a domain, well and badly, and what a host is told to do."""

import pytest

from server.mail.checking.domain import domain_findings
from server.mail.checking.names import NoNames
from server.mail.signing_key import SigningKey

DOMAIN = "pbem.example.org"
KEY = SigningKey("one", DOMAIN, b"", "QUJD")
GOOD = {
    (DOMAIN, "MX"): ("20 backup.example.org.", "10 mx.example.org."),
    (DOMAIN, "TXT"): ("some other text", "v=spf1 mx include:_spf.provider.example -all"),
    ("_spf.provider.example", "TXT"): ("v=spf1 ip4:192.0.2.0/24 ~all",),
    (KEY.name, "TXT"): ("v=DKIM1; k=rsa; p=QU JD",),
    ("_dmarc.example.org", "TXT"): ("v=DMARC1; p=quarantine; rua=mailto:a@example.org",),
}


def findings(signs=KEY, **changes):
    """By the word of each; `changes` of the records, by the first word of their names."""
    names = {"mx": (DOMAIN, "MX"), "txt": (DOMAIN, "TXT"), "key": (KEY.name, "TXT")}
    names |= {"dmarc": ("_dmarc.example.org", "TXT"), "own": (f"_dmarc.{DOMAIN}", "TXT"), "a": (DOMAIN, "A")}
    zone = {**GOOD, **{names[name]: records for name, records in changes.items()}}
    found = list(domain_findings(lambda name, kind: zone.get((name, kind), ()), DOMAIN, signs))
    assert [one.what for one in found] == ["mx", "spf", "dkim", "dmarc"]
    assert all(bool(one.advice) == (one.state != "ok") for one in found)
    return {one.what: one for one in found}


def test_a_domain_where_all_is_well():
    found = findings()
    assert {one.state for one in found.values()} == {"ok"}
    assert found["mx"].said == f"mail for {DOMAIN} goes to mx.example.org, backup.example.org"


@pytest.mark.parametrize(
    ("what", "changes", "said"),
    [
        ("mx", {"mx": ()}, "nobody takes mail"),
        ("mx", {"mx": ("0 .",)}, "nobody takes mail"),
        ("spf", {"txt": ("v=spf10 -all",)}, "does not say who may send"),
        ("spf", {"txt": ("v=spf1 -all", "v=spf1 mx -all")}, "2 records"),
        ("spf", {"txt": ("v=spf1 +all",)}, "everybody may send"),
        ("spf", {"txt": ("v=spf1 all",)}, "everybody may send"),
        ("spf", {"txt": ("v=spf1 mx ?all",)}, "nothing of other senders"),
        ("spf", {"txt": (f"v=spf1 include:{DOMAIN} -all",)}, "more than 10"),
        ("spf", {"txt": ("v=spf1 " + "a:x.example " * 11 + "-all",)}, "more than 10"),
        ("dkim", {"key": ()}, "no key at one._domainkey"),
        ("dkim", {"key": ("v=DKIM1; p=QUJE",)}, "another key"),
        ("dkim", {"key": ("v=DKIM1; p=",)}, "another key"),
        ("dkim", {"key": ("v=DKIM1; p=QUJD", "v=DKIM1; p=QUJE")}, "2 records"),
        ("dmarc", {"dmarc": ()}, "no policy"),
        ("dmarc", {"own": ("v=DMARC1; p=sometimes",)}, "names no policy"),
        ("dmarc", {"own": ("v=DMARC1; p=none", "v=DMARC1; p=reject")}, "2 records"),
    ],
)
def test_what_is_wrong_is_named(what, changes, said):
    finding = findings(**changes)[what]
    assert finding.state == "fault"
    assert said in finding.said


def test_the_record_to_publish_is_in_the_advice():
    advice = findings(key=())["dkim"].advice
    assert 'one._domainkey.pbem.example.org. IN TXT ( "v=DKIM1; k=rsa; p=QUJD" )' in advice


def test_without_an_mx_the_address_of_the_domain_serves():
    assert findings(mx=(), a=("192.0.2.1",))["mx"].state == "ok"


def test_up_to_ten_questions_are_heeded():
    assert findings(txt=("v=spf1 " + "a:x.example " * 10 + "ip4:192.0.2.1 -all",))["spf"].state == "ok"


def test_where_nothing_is_signed_here_the_relay_may_sign():
    assert findings(signs=None)["dkim"].state == "unknown"


def test_without_a_name_server_it_is_said():
    def silent(name, kind):
        raise NoNames("no name server answers")

    found = list(domain_findings(silent, DOMAIN, KEY))
    assert [one.state for one in found] == ["unknown"] * 4
    assert all("no name server answers" in one.said and one.advice for one in found)
