"""Replies of real mail programs to a letter about several battles, each quoting in its own way."""

import json
import shlex
import smtplib
import subprocess
import sys
from collections.abc import AsyncIterator
from email.message import EmailMessage
from email.utils import parseaddr
from pathlib import Path

import pytest

from server.mail.verdict import Verdict
from tests.mailhost.loopback import HOST, program
from tests.mailhost.mutt import MuttUser
from tests.mailhost.person import Person
from tests.server.mail.digested import TURN, Digested
from tests.server.mail.e2e.conftest import Programs
from tests.server.mail.office import opened, text_of
from tests.support.waiting import LIMIT_S, until

pytestmark = pytest.mark.usefixtures("everything")

EDITOR = """\
import json, re, sys
where, file = json.load(open(sys.argv[1])), sys.argv[2]
lines = [where.get("top", "")]
for line in open(file, encoding="utf-8").read().split("\\n"):
    lines.append(line)
    if found := re.match(r"> -----8<----- battle (\\d+),", line):
        lines += ["", *where.get(found[1], "").split("\\n"), ""]
open(file, "w", encoding="utf-8").write("\\n".join([*lines, where.get("end", "")]))
"""
"""Writes lines above the quoted letter, below the mark of each battle, and at its end, as a person does."""


class Near(Digested):
    """The server has a mailbox beside those of the players."""

    host = people = "players.test"


class Writer(MuttUser):
    """Somebody at mutt who writes where they like."""

    def writes(self, where: dict[str, str]) -> None:
        self.folder.joinpath("where.json").write_text(json.dumps(where))
        script = self.folder / "script"
        script.write_text(EDITOR)
        command = shlex.join([sys.executable, str(script), str(self.folder / "where.json")])
        self.folder.joinpath("editor.sh").write_text(f'#!/bin/sh\n{command} "$1"\n')


@pytest.fixture
async def office(tmp_path: Path) -> AsyncIterator[Near]:
    async with opened(tmp_path / "data", kind=Near) as running:
        assert isinstance(running, Near)
        yield running


def posted(programs: Programs, letter: EmailMessage) -> None:
    with smtplib.SMTP(HOST, programs.postfix.port, timeout=LIMIT_S) as client:
        client.send_message(letter)


def received(programs: Programs, count: int) -> bytes:
    """The newest mail in the server's mailbox."""
    return until("the reply", lambda: programs.dovecot.raw("play")[count:])[-1]


async def replied(office: Near, programs: Programs, writer: Writer, where: dict[str, str]) -> Verdict:
    letter, before = await office.opened(3), len(programs.dovecot.raw("play"))
    posted(programs, letter)
    until("the letter", writer.waiting)
    writer.writes(where)
    shown = writer.read()
    writer.reply("", shown)
    return await office.accept(received(programs, before))


@pytest.mark.parametrize(
    "where",
    [
        {"top": f"battle 1\n{TURN}\nbattle 3\n3"},
        {"1": TURN, "3": "3"},
        {"end": f"battle 1\n{TURN}\nbattle 3\n3"},
        {"top": f"Hello,\n\nbattle 1\n{TURN}", "3": "3", "end": "Cheers\nAnna"},
    ],
    ids=["above", "within", "below", "everywhere"],
)
async def test_mutt(office, programs, tmp_path, where):
    writer = Writer(tmp_path / "anna", "anna@players.test", "Anna", programs.dovecot, programs.postfix.port)
    verdict = await replied(office, programs, writer, where)
    assert [(one.what, one.battle) for one in verdict.sections] == [
        ("played", office.lives[0].id),
        ("played", office.lives[2].id),
    ]
    assert (office.orders(1)[-1], office.orders(2), office.orders(3)) == ("end turn", [], ["end turn"])
    answer = await office.letter("Anna")
    assert answer["In-Reply-To"] in answer["References"]
    assert "wanted in battle 2." in text_of(answer)


async def test_mutt_answers_the_answer(office, programs, tmp_path):
    writer = Writer(tmp_path / "anna", "anna@players.test", "Anna", programs.dovecot, programs.postfix.port)
    await replied(office, programs, writer, {"2": "R1 ahead"})
    posted(programs, await office.letter("Anna"))
    before = len(programs.dovecot.raw("play"))
    until("the answer", writer.waiting)
    writer.writes({"top": "battle 1\n3\nbattle 3\n3", "2": "end turn"})
    writer.reply("", writer.read())
    verdict = await office.accept(received(programs, before))
    assert [one.what for one in verdict.sections] == ["played", "played", "played"]
    assert (office.orders(1), office.orders(2)[-1], office.orders(3)) == (["end turn"], "end turn", ["end turn"])


S_NAIL = (
    "v15-compat",
    "smtp-auth=none",
    "from=anna@players.test",
    "hostname=client.test",
    "nosave",
    "sendwait",
    "reply-to-honour",
    "indentprefix=> ",
)


@pytest.mark.parametrize("quotes", ["~m 1", "quote"], ids=["above", "below"])
async def test_s_nail(office, programs, tmp_path, quotes):
    """It puts the quote where one asks for it (`~m`), or above what is typed (`quote`)."""
    letter, before = await office.opened(2), len(programs.dovecot.raw("play"))
    box = tmp_path / "box"
    box.write_bytes(b"From phalera Mon Nov 23 12:00:00 2026\n" + letter.as_bytes() + b"\n")
    typed = ["reply 1", "battle 2", *TURN.split("\n"), "battle 1", "3"]
    typed += [quotes, "~.", "exit"] if quotes.startswith("~") else ["~.", "exit"]
    settings = (*S_NAIL, f"mta=smtp://{HOST}:{programs.postfix.port}", *(() if quotes.startswith("~") else (quotes,)))
    command = [program("s-nail"), "-:/", "-R", "-#", *(part for setting in settings for part in ("-S", setting))]
    done = subprocess.run(
        [*command, "-f", str(box)],
        input="\n".join([*typed, ""]),
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    verdict = await office.accept(received(programs, before))
    assert [one.what for one in verdict.sections] == ["played", "played"]
    assert office.orders(1) == ["end turn"]


async def test_a_quick_mail_program(office, programs):
    letter, before = await office.opened(2), len(programs.dovecot.raw("play"))
    anna = Person("anna@players.test", "Anna", programs.dovecot, programs.postfix.port)
    posted(programs, letter)
    read = anna.read()
    assert parseaddr(str(letter["Reply-To"]))[1] == read.reply_to
    anna.reply(f"battle 1\n{TURN}\nbattle 2\n{TURN}", read)
    verdict = await office.accept(received(programs, before))
    assert [one.what for one in verdict.sections] == ["played", "played"]
