"""What an owner does with webhooks: add one, try it, switch it on again, remove it."""

from collections.abc import Iterable

from domain.basics.errors import Refusal
from server.acts.services import Services
from server.people.notices import AccountEvent, notice_to
from server.people.webhooks import TEST, called, new_webhook, own_webhook, people_of, secret_of
from server.store import Unmatched
from server.store.tables import webhooks
from server.store.tables.webhooks import HookNews, HookOwner, Webhook


async def add_webhook(
    services: Services, owner: HookOwner, url: str, what: Iterable[str], form: str, lang: str
) -> tuple[Webhook, str]:
    """A new webhook of an owner, and its secret, which is told this once; those who own it get a letter. Whether they
    may have one is asked before.

    Raises: as `new_webhook`
    """
    battles = services.battles
    most, clock, entropy = battles.settings.limits.webhooks, battles.clock, battles.entropy
    hook = new_webhook(services.store, clock, entropy, most, owner, url, what, form, lang)
    letters = [
        statement
        for account in people_of(services.store, owner)
        for statement in notice_to(
            clock, entropy, account, AccountEvent.WEBHOOK, called(owner, hook.host), bool(battles.settings.mail)
        )
    ]
    await services.store.write(webhooks.add(hook), *letters)
    services.ring()
    return hook, secret_of(battles.keys, hook.id)


async def try_webhook(services: Services, owner: HookOwner, id_: str) -> Webhook:
    """Have something told to a webhook, to see whether it arrives.

    Raises: Refusal core.no-such-webhook, core.webhook-waits
    """
    hook = own_webhook(services.store, owner, id_)
    try:
        await services.store.write(webhooks.tell_one(owner, id_, HookNews(TEST), services.now()))
    except Unmatched:
        raise Refusal("core.webhook-waits", "CORE-ACCESS", most=webhooks.MOST_WAITING) from None
    services.ring_webhooks()
    return hook


async def switch_on(services: Services, owner: HookOwner, id_: str) -> Webhook:
    """Have a webhook told what happens from now on; one that is left alone for a while is tried at once.

    Raises: Refusal core.no-such-webhook
    """
    try:
        await services.store.write(webhooks.switch_on(owner, id_))
    except Unmatched:
        raise Refusal("core.no-such-webhook", "CORE-ACCESS") from None
    services.ring_webhooks()
    return own_webhook(services.store, owner, id_)


async def remove_webhook(services: Services, owner: HookOwner, id_: str) -> None:
    """Remove a webhook; what waits for it is forgotten.

    Raises: Refusal core.no-such-webhook
    """
    try:
        await services.store.write(*webhooks.remove(owner, id_))
    except Unmatched:
        raise Refusal("core.no-such-webhook", "CORE-ACCESS") from None
