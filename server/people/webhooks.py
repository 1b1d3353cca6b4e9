"""Webhooks: an owner has another program told what happens, over HTTPS.

The owner is an account, or whoever else may have one (`OwnerKind`). Each webhook has a secret that signs what it is
told; it is made from the host's first key, so the store alone does not reveal it.
"""

import re
from collections.abc import Iterable, Sequence
from urllib.parse import urlsplit

from domain.basics.errors import Refusal
from replay.telling.words import LANGUAGES
from replay.writing.clock import Clock
from replay.writing.entropy import Entropy, new_id
from server.people.addresses import host_secret
from server.people.keys import Keyring
from server.people.players import Player
from server.people.programs import require_person
from server.settings import Settings
from server.store.contract import TableRows
from server.store.tables import accounts, clubs, webhooks
from server.store.tables.accounts import Account
from server.store.tables.webhooks import HookOwner, OwnerKind, Webhook

BEGUN, ENDED = "begun", "ended"
WHAT = ("turn", "decision", BEGUN, ENDED)
"""What a webhook may be told: your turn has begun, you are asked something, a battle of yours has begun, is over."""
WHAT_OF = {OwnerKind.ACCOUNT: WHAT, OwnerKind.CLUB: (BEGUN, ENDED), OwnerKind.CAMPAIGN: (BEGUN, ENDED)}
"""What those of each kind of owner may be told: of others than a player, when battles begin and end."""
TEST = "test"
"""What it is told when its owner tries it."""
PLAIN, DISCORD = "plain", "discord"
FORMS = (PLAIN, DISCORD)
"""The forms of a body: ours, and that which a webhook of Discord takes."""
LONGEST_URL = 500
PORTS = (443, 8443)
"""The ports that are written to: what a host has at others is not meant for strangers."""
_URL = re.compile(r"[!-\[\]-~]+")
_HOST = re.compile(r"(?=.{1,253}\Z)(?:(?!-)[a-z0-9-]{1,63}(?<!-)\.)+(?!-)[a-z][a-z0-9-]{0,62}(?<!-)")
"""A name in the DNS, with a dot. What ends in a number is an address, in one of its many spellings."""


def owner_of(player: Player) -> HookOwner:
    """A player as the owner of webhooks."""
    return HookOwner(OwnerKind.ACCOUNT, player.id)


def people_of(store: TableRows, owner: HookOwner) -> Sequence[Account]:
    """The accounts that are written to about the webhooks of an owner: their own, or those of a club's organisers."""
    people = [owner.id] if owner.kind == OwnerKind.ACCOUNT else []
    if owner.kind == OwnerKind.CLUB:
        people = [member.player for member in clubs.members(store, owner.id) if member.role == clubs.ORGANISER]
    found = (accounts.by_player(store, player) for player in people)
    return [account for account in found if account is not None]


def called(owner: HookOwner, host: str) -> str:
    """What a letter calls a webhook: the host that it leads to, and the club whose it is."""
    return host if owner.kind == OwnerKind.ACCOUNT else f"{host} ({owner.id})"


def require_webhooks(settings: Settings, player: Player) -> None:
    """Refuse who may have no webhook.

    Raises: Refusal core.no-webhooks, core.bot-account, core.guest-webhooks
    """
    if not settings.webhooks:
        raise Refusal("core.no-webhooks", "CORE-ACCESS")
    require_person(player)
    if not player.email:
        raise Refusal("core.guest-webhooks", "CORE-ACCESS")


def new_webhook(
    store: TableRows,
    clock: Clock,
    entropy: Entropy,
    most: int,
    owner: HookOwner,
    url: str,
    what: Iterable[str],
    form: str,
    lang: str,
) -> Webhook:
    """A webhook of an owner, to be added; `most` of one owner, 0: any number.

    Raises: Refusal core.webhook-url, core.webhook-what, core.webhook-form, core.webhook-lang, core.too-many-webhooks
    """
    target, host = require_url(url)
    asked, known = set(what), WHAT_OF[owner.kind]
    if not asked or asked - set(known):
        raise Refusal("core.webhook-what", "CORE-PARSE", known=known)
    if form not in FORMS:
        raise Refusal("core.webhook-form", "CORE-PARSE", known=FORMS)
    if lang not in LANGUAGES:
        raise Refusal("core.webhook-lang", "CORE-PARSE", known=LANGUAGES)
    if most and len(webhooks.of_owner(store, owner)) >= most:
        raise Refusal("core.too-many-webhooks", "CORE-ACCESS", most=most)
    id_, words = f"h{new_id(entropy)}", webhooks.words_of([word for word in known if word in asked])
    return Webhook(id_, owner.kind, owner.id, target, host, form, lang, words, clock.now())


def require_url(url: str) -> tuple[str, str]:
    """An address that may be written to, in the one form in which it is kept, and the name of its host.

    Raises: Refusal core.webhook-url
    """
    refused = Refusal("core.webhook-url", "CORE-PARSE", ports=PORTS, longest=LONGEST_URL)
    if len(url) > LONGEST_URL or not _URL.fullmatch(url):
        raise refused
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").lower(), PORTS[0] if parts.port is None else parts.port
    except ValueError:
        raise refused from None
    is_bare = "@" not in parts.netloc and "#" not in url
    if parts.scheme != "https" or not is_bare or port not in PORTS or not _HOST.fullmatch(host):
        raise refused
    at = host if port == PORTS[0] else f"{host}:{port}"
    return f"https://{at}{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}", host


def own_webhook(store: TableRows, owner: HookOwner, id_: str) -> Webhook:
    """A webhook of an owner.

    Raises: Refusal core.no-such-webhook
    """
    found = webhooks.find(store, id_)
    if found is None or (found.owner_kind, found.owner) != owner:
        raise Refusal("core.no-such-webhook", "CORE-ACCESS")
    return found


def secret_of(keys: Keyring, hook: str) -> str:
    """The secret of a webhook, 64 hex digits."""
    return host_secret(keys, f"phalera/webhook {hook}".encode()).hex()
