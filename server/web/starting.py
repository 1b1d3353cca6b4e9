"""What a server does once it can be reached, and nobody has to wait for."""

import gc
import logging
from collections.abc import Iterator

from domain.catalogue import RULESETS
from server.people import setting_up
from server.release import commit, release
from server.running import Server
from server.settings import FORMER_DATA, Settings
from server.upkeep.folder import close_to_others
from server.web.pages.rendering import load_template

log = logging.getLogger("server.web.app")

EVERYWHERE = ("0.0.0.0", "::", "")
"""What binds to all addresses of a machine."""


def finish_start(settings: Settings) -> None:
    """Do what nobody has to wait for: load what forms the log, by its first lines, the games, and the templates of the
    largest page."""
    log.info("ready", extra={"version": release(), "commit": commit(), "data": str(settings.data)})
    for line in cautions(settings):
        log.warning("%s", line)
    tuple(RULESETS.values())
    load_template("battle/page.html")


def cautions(settings: Settings) -> list[str]:
    """What a host should know at the start: links that nobody can open, secrets that others can read."""
    said = close_to_others(settings)
    if not settings.url and settings.bind in EVERYWHERE:
        said.append(f"Links and letters begin with {settings.address}, which nobody can open: name yours by --url.")
    return said


def spare_collector() -> None:
    """Let the garbage collector, which the start did without, pass over what was loaded for good, and look less often:
    the states of battles live long and have no cycles, so that most of its looking was for nothing."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    gc.enable()


async def set_up_code(server: Server) -> tuple[str, ...]:
    """How the first administrator is made, as long as there is none: by a code of this start, said here alone."""
    if not setting_up.is_wanted(server.store):
        return ()
    code = setting_up.new_code(server.entropy)
    await server.store.write(*setting_up.renewed(code, server.clock.now()))
    return (
        "Nobody administers this server yet: the account that enters this code at /set-up will. It works once, until "
        "the next start.",
        f"Set-up code  {code}",
    )


def whereabouts(settings: Settings) -> Iterator[str]:
    """Where the data are, and where else some may be."""
    yield f"The data are in {settings.data.absolute()}"
    former = FORMER_DATA.absolute()
    if (former / settings.log.name).is_file() and former != settings.data.absolute():
        yield f"There are data of an earlier release in {former}: --data {FORMER_DATA} serves them."


def address_at(host: str, port: int) -> str:
    """The address of a listening socket."""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def addresses_of(settings: Settings, host: str, port: int) -> Iterator[str]:
    """Where players reach the server, and where a proxy does if that is not the same; a sentence each."""
    here = address_at(host, port)
    yield f"Phalera serves {settings.url or here}"
    if settings.url:
        yield f"It listens at {here}"
