"""Postfix, configured as docs/mail-hosting.md says, hands mail over, takes letters, and refuses what it must."""

import asyncio
import re
from pathlib import Path

import pytest

from server.mail.incoming.reading.caps import MOST_BYTES
from server.mail.incoming.receiver import Receiver
from tests.mailhost.clients import swaks
from tests.mailhost.loopback import HOST, common_folder
from tests.mailhost.postfix import postfix
from tests.server.mail.conftest import TOKEN
from tests.support.waiting import until

PAGE = Path(__file__).parents[4] / "docs" / "mail-hosting.md"
DOMAIN = "pbem.example.org"
OURS = ("relay_domains", "transport_maps")


def documented(name):
    """The lines of a block of the page."""
    (block,) = re.findall(rf"^```{re.escape(name)}\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    return block.splitlines()


async def test_postfix_as_documented_refuses_at_rcpt_and_at_the_size(needs, kept):
    needs("postfix", "swaks")
    receiver = Receiver(f"play@{DOMAIN}", kept)
    port = await receiver.listen(f"{HOST}:0", is_lmtp=True)
    lines = documented("main.cf")
    assert f"transport_maps = inline:{{ {{ {DOMAIN} = lmtp:[127.0.0.1]:2424 }} }}" in lines
    rest = [line for line in lines if not line.startswith(OURS)]
    more = "\n".join([*rest, "address_verify_poll_delay = 1s"])

    def talk(mta):
        good = swaks(f"play+{TOKEN}@{DOMAIN}", "a@x.test", "R1 ahead", port=mta.port)
        lost = swaks(f"nobody@{DOMAIN}", "a@x.test", "R1 ahead", port=mta.port)
        big = Path(mta.folder) / "big.bin"
        big.write_bytes(b"\0" * MOST_BYTES)
        large = swaks(f"play@{DOMAIN}", "a@x.test", "R1 ahead", port=mta.port, attach=big)
        out = swaks("anna@players.test", f"play@{DOMAIN}", "It is your turn", port=mta.port)
        until("the mail is handed over", lambda: kept.raw)
        return good, lost, large, out

    with common_folder("hosting") as folder:
        enter = postfix(folder / "postfix", {DOMAIN: f"lmtp:[{HOST}]:{port}"}, more)
        mta = await asyncio.to_thread(enter.__enter__)
        try:
            good, lost, large, out = await asyncio.to_thread(talk, mta)
        finally:
            await asyncio.to_thread(enter.__exit__, None, None, None)
    await receiver.close()
    assert good.code == 0, good.said
    assert lost.status("RCPT") == ["550"], lost.said
    assert "552" in large.said
    assert "no route to this domain" in out.said, out.said  # relayed, if this Postfix knew anybody
    assert len(kept.raw) == 1
    assert kept.raw[0].startswith(f"Return-Path: <a@x.test>\r\nDelivered-To: play+{TOKEN}@{DOMAIN}\r\n".encode())


def test_the_recipe_trusts_no_stamp_that_nobody_makes():
    command = PAGE.read_text(encoding="utf-8").partition("## Behind Postfix")[2].split("```")[1]
    assert "phalera serve" in command
    assert "--mail-trust" not in command


@pytest.mark.parametrize(
    "option",
    [
        *("--mail-address", "--smtp-out", "--imap", "--listen-smtp", "--listen-lmtp"),
        *("--mail-trust", "--dkim-selector", "--dkim-key"),
    ],
)
def test_the_page_names_every_option(option):
    page = PAGE.read_text(encoding="utf-8")
    assert f"`{option} " in page
    assert f"`PHALERA_{option[2:].upper().replace('-', '_')}`" in page
