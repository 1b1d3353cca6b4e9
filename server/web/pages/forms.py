"""Read a posted form."""

import re
from collections import Counter
from hashlib import sha256

from aiohttp import web
from msgspec import Struct, json

from domain.basics.errors import Refusal
from domain.events.battle import Seen
from domain.run.own_word import OwnWord, Signed
from replay.writing.entropy import Entropy
from server.entropy import new_secret
from server.play.scripts import MOST_LINES
from server.store.tables.drafts import Returned
from server.web.bodies import fields_of

PostedForm = dict[str, list[str]]
"""Each field with its values in their order."""
POSTED: web.RequestKey[list[tuple[str, str]]] = web.RequestKey("posted", list)
"""The member of a request that holds the fields of its form, as they came."""
MENUS = "menu-"
"""Prefix of the names of menus."""
MOST_SERIALS = 1 << 32
OWN_ADDRESS = re.compile(r"/(?:[!-.0-\[\]-~][!-\[\]-~]*)?")
LONGEST_ADDRESS = 2000
SEED_BYTES = 4
_SIGNATURE = re.compile(r"([1-9]\d{0,9}) ([A-Za-z0-9+/]{86}==)", re.ASCII)


class OrderDraft(Struct, frozen=True):
    """The order box as submitted. `key` makes it play once, `expect` is the event its page showed, `seen` that event's
    head; `signatures` are those of a seat with a key. `returned` is a line that has come back into the box, `was` the
    draft that the page knew of, None if it does not say."""

    orders: str
    key: str
    expect: int | None
    phrase: str
    seal: str
    side: str
    seen: Seen | None = None
    signatures: tuple[Signed, ...] = ()
    returned: Returned | None = None
    was: str | None = None


async def form_of(request: web.Request) -> PostedForm:
    """The values of each field of a form.

    Raises: Refusal core.bad-request, and as `bytes_of`
    """
    fields: PostedForm = {}
    request[POSTED] = posted = await fields_of(request)
    for name, value in posted:
        fields.setdefault(name, []).append(value)
    return fields


def text(form: PostedForm, name: str) -> str:
    """The last value of a field that is not empty, or ""."""
    return next((value for value in reversed(form.get(name, [])) if value), "")


def form_key(form: PostedForm, entropy: Entropy) -> str:
    """The key of the act that a form asks for: sent twice it is done once, with anything changed it is another. The
    browser draws the phrase anew each time. A form without a `key` of its page is another each time."""
    if not text(form, "key"):
        return new_secret(entropy)
    said = [(name, value) for name, value in sorted(form.items()) if name != "phrase"]
    return sha256(json.encode(said)).hexdigest()


def seed_of(form: PostedForm, entropy: Entropy) -> int:
    """The seed of a form that names none; the same for the same form."""
    return int.from_bytes(sha256(form_key(form, entropy).encode()).digest()[:SEED_BYTES])


def own_address(given: str) -> str:
    """Where a form may lead back to: an address of this server, without a host; "/" for anything else. Browsers leave
    out tabs and line breaks, and read a backslash as a slash: none of them is taken, nor what a header may not have."""
    return given if OWN_ADDRESS.fullmatch(given) and len(given) <= LONGEST_ADDRESS else "/"


def chosen(form: PostedForm) -> str:
    """The line chosen in the menu whose button was pressed, or ""."""
    menu = text(form, "choose")
    return text(form, menu) if menu.startswith(MENUS) else ""


def draft_of(form: PostedForm) -> OrderDraft:
    """Parse the order box.

    Raises: Refusal core.bad-request
    """
    expect = text(form, "expect")
    if expect and not (expect.isascii() and expect.isdigit() and len(expect) < 16):
        raise Refusal("core.bad-request", "CORE-PARSE", reason="expect is the number of an event")
    orders = text(form, "orders").replace("\r\n", "\n")
    return OrderDraft(
        orders=orders,
        key=text(form, "key"),
        expect=int(expect) if expect else None,
        phrase=text(form, "phrase"),
        seal=text(form, "seal"),
        side=text(form, "side"),
        seen=seen_in(form),
        signatures=signatures_in(form),
        was=form["was"][-1].replace("\r\n", "\n") if "was" in form else None,
    )


def seen_in(form: PostedForm) -> Seen | None:
    """The head that the page of a form showed; None if it names none.

    Raises: Refusal core.bad-request
    """
    written = text(form, "seen")
    found = re.fullmatch(r"([1-9]\d{0,14}) ([0-9a-f]{64})", written)
    if written and found is None:
        raise Refusal("core.bad-request", "CORE-PARSE", reason="seen is the number and the hash of an event")
    return Seen(found[2], int(found[1])) if found else None


def word_in(form: PostedForm) -> OwnWord:
    """A player's word for what they do beside orders: the head that the page showed, and its script's signature.

    Raises: Refusal core.bad-request
    """
    return OwnWord(seen_in(form), next(iter(signatures_in(form)), None))


def signatures_in(form: PostedForm) -> tuple[Signed, ...]:
    """The signatures that the script of a page has put into a form, each as `SERIAL BASE64`.

    Raises: Refusal core.bad-request
    """
    found = [_SIGNATURE.fullmatch(written) for written in form.get("signature", ())[: MOST_LINES + 1]]
    signatures = tuple(Signed(int(one[1]), one[2]) for one in found if one is not None and int(one[1]) < MOST_SERIALS)
    if len(signatures) != len(found) or len(found) > MOST_LINES:
        raise Refusal("core.bad-request", "CORE-PARSE", reason="a signature is a serial number and 64 bytes in base64")
    return signatures


def chosen_mode(form: PostedForm) -> str:
    """How a form without a book of seals wants its side: "plain" if that was chosen, else ""."""
    return "plain" if text(form, "chance") == "plain" else ""


def without_lines(orders: str, others: str) -> str:
    """The lines of an order box that are not in another, each counted once."""
    left = Counter(line.strip() for line in others.split("\n"))
    kept = []
    for line in orders.split("\n"):
        left[line.strip()] -= 1
        if line.strip() and left[line.strip()] < 0:
            kept.append(f"{line}\n")
    return "".join(kept)


def with_line(orders: str, line: str) -> str:
    """The order box with one more line."""
    kept = orders.rstrip()
    return f"{kept}\n{line}\n" if kept else f"{line}\n"
