"""The programs that the other tests of this folder rely on work together, without Phalera."""

import smtplib
from email.message import EmailMessage

import pytest

from tests.mailhost.clients import s_nail, swaks
from tests.mailhost.loopback import HOST, Absent, free_ports, require
from tests.mailhost.mutt import MuttUser
from tests.mailhost.person import Person
from tests.mailhost.postman_between import Habits, postman_between
from tests.support.waiting import until

pytestmark = pytest.mark.usefixtures("everything")


def test_what_is_missing_is_named_with_its_package(monkeypatch):
    monkeypatch.setattr("shutil.which", lambda name, path=None: None)
    with pytest.raises(Absent) as absent:
        require("dovecot", "swaks")
    assert "dovecot-imapd dovecot-lmtpd" in str(absent.value)
    assert "swaks is not installed" in str(absent.value)


def test_daemons_need_root(monkeypatch):
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    with pytest.raises(Absent, match="must be started by root"):
        require("postfix")


def test_two_people_at_mutt_write_to_each_other(programs, tmp_path):
    anna, bob = (
        MuttUser(tmp_path / name, f"{name}@players.test", name.title(), programs.dovecot, programs.postfix.port)
        for name in ("ada", "bruno")
    )
    anna.write("bruno+anything@players.test", "An old friend", "Shall we fight?\n")
    asked = bob.read()
    assert asked.header("Subject") == "An old friend"
    assert asked.body.strip() == "Shall we fight?"
    bob.reply("R1 ahead\nend turn", asked)
    answer = anna.read()
    assert answer.body.startswith("R1 ahead\nend turn\n")
    assert "Ada wrote:\n> Shall we fight?" in answer.body
    (raw,) = programs.dovecot.raw("ada")
    assert f"In-Reply-To: <{asked.message_id}>".encode() in raw
    assert f"References: <{asked.message_id}>".encode() in raw
    assert bob.waiting() == []


def test_the_quick_mail_program_writes_the_same_mail_as_mutt(programs):
    carl = Person("carl@players.test", "Carl", programs.dovecot, programs.postfix.port)
    dora = Person("dora@players.test", "Dora", programs.dovecot, programs.postfix.port)
    carl.write("dora@players.test", "Hello", "Shall we fight?\n")
    asked = dora.read()
    dora.reply("end turn", asked)
    answer = carl.read()
    assert str(answer.mail["In-Reply-To"]) == f"<{asked.message_id}>"
    assert answer.text.startswith("end turn\n")
    assert "> Shall we fight?" in answer.text


def test_swaks_and_s_nail_send(programs):
    sent = swaks("eva@players.test", "x@players.test", "by swaks", port=programs.postfix.port)
    assert (sent.code, sent.status("RCPT"), sent.status(".")) == (0, ["250"], ["250"])
    assert s_nail("eva@players.test", "x@players.test", "by s-nail", programs.postfix.port).code == 0
    eva = Person("eva@players.test", "Eva", programs.dovecot, programs.postfix.port)
    until("both mails", lambda: len(eva.letters()) == 2)
    assert {letter.text.strip() for letter in eva.letters()} == {"by swaks", "by s-nail"}


def test_mail_for_an_unknown_domain_is_refused(programs):
    assert swaks("eva@elsewhere.test", "x@players.test", "lost", port=programs.postfix.port).status("RCPT") == ["550"]


@pytest.mark.parametrize("lmtp", [True, False])
def test_the_postman_has_his_habits_by_his_seed(programs, lmtp):
    """What he says he did is what arrives: nothing of what he lost, twice what he doubled, the rest once."""
    target = programs.dovecot.lmtp_port if lmtp else programs.postfix.port
    user = f"postman-{'lmtp' if lmtp else 'smtp'}"
    habits = Habits(lose=20, delay=20, double=20, swap=20, delay_s=0.3)
    with postman_between(target, 5, habits, lmtp) as postman:
        for number in range(30):
            mail = EmailMessage()
            mail["From"], mail["To"], mail["Subject"] = "x@players.test", f"{user}@players.test", str(number)
            mail["Message-ID"] = f"<{number}@players.test>"
            with (smtplib.LMTP if lmtp else smtplib.SMTP)(HOST, postman.port) as client:
                client.send_message(mail)
        until("all is carried", postman.is_idle)
        fates = [mail.fate for mail in postman.carried]
    copies = {"lost": 0, "doubled": 2}
    due = sorted(str(number) for number, fate in enumerate(fates) for _ in range(copies.get(fate, 1)))
    person = Person(f"{user}@players.test", user, programs.dovecot, programs.postfix.port)
    until("all that is due", lambda: len(person.letters()) >= len(due))
    order = [str(letter.mail["Subject"]) for letter in person.letters()]
    assert sorted(order) == due
    assert order != due and {*fates} == {"passed", "lost", "delayed", "doubled", "swapped"}
    with postman_between(target, 5, habits, lmtp) as again:
        assert [again._fate(number) for number in range(30)] == fates


def test_the_postman_waits_for_a_server_that_is_down(programs):
    """Nothing that he passes on is lost while the other side is killed and started again."""
    (port,) = free_ports(1)
    with postman_between(port, 1, Habits(double=1)) as postman:
        with smtplib.LMTP(HOST, postman.port) as client:
            client.sendmail("x@players.test", ["late@players.test"], b"Message-ID: <late@x>\r\n\r\nlate\r\n")
        assert not postman.is_idle()
        postman.target = programs.dovecot.lmtp_port
        until("it is carried", postman.is_idle)
        assert [answer.code for answer in postman.answered] == [250]
