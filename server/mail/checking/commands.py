"""Run a check on a data folder, beside its server."""

import asyncio
from collections.abc import Callable

from server.mail.checking.check import HostCheck, Means
from server.mail.checking.finding import MailFinding
from server.settings import Settings
from server.store import EventStore


def check(
    settings: Settings, to: str, trust: str, outside: str, wait_s: float, tell: Callable[[MailFinding], None]
) -> list[MailFinding]:
    """Check the way of a mail to an address or, if `trust` is a name, whether it can be forged. `tell` gets each
    finding at once; all are returned.

    Raises: BadSetting, Unusable, StoreError
    """
    return asyncio.run(_check(settings, to, trust, outside, wait_s, tell))


async def _check(
    settings: Settings, to: str, trust: str, outside: str, wait_s: float, tell: Callable[[MailFinding], None]
) -> list[MailFinding]:
    found = []
    with EventStore.open(settings.store(), asyncio.get_running_loop()) as store:
        one = HostCheck(settings, store, Means(), wait_s)
        if trust:
            found = [await one.stamp(trust, outside)]
            tell(found[0])
            return found
        async for finding in one.mail(to):
            found.append(finding)
            tell(finding)
    return found
