"""The command `phalera watch`: follow the logs of other hosts.

Only typer is imported at the top, as in server.cli.main.
"""

from typing import TYPE_CHECKING, Annotated

import typer

from server.cli.console import Failed, in_sentences, say, say_json
from server.cli.host import Data
from server.cli.options import AsJson
from server.cli.witness import Policy, address_of, believed

if TYPE_CHECKING:
    import aiohttp

    from replay.proof.cosigned import NoteKey
    from replay.proof.policy import WitnessPolicy
    from server.settings import Settings
    from server.witness.reading import LogReader
    from server.witness.watch_file import FollowedLog, WatchFile
    from server.witness.watch_report import WatchedHost


Hosts = Annotated[
    list[str], typer.Argument(metavar="HOST|URL...", help="Hosts whose logs are watched.", show_default=False)
]
Keys = Annotated[
    list[str] | None,
    typer.Option(metavar="KEY", help="The key of one of the hosts, got from its operator. May be repeated."),
]


def add_to(main: typer.Typer) -> None:
    """Put the command beside the others."""
    main.command()(watch)


@in_sentences
def watch(
    hosts: Hosts,
    key: Keys = None,
    policy: Policy = "",
    patience: Annotated[
        int, typer.Option(metavar="SECONDS", min=0, help="How long a host may be away, or an entry be missing.")
    ] = 3600,
    every: Annotated[
        int, typer.Option(metavar="SECONDS", min=0, help="Look again and again until stopped; 0: look once.")
    ] = 0,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print only what is wrong.")] = False,
    afresh: Annotated[bool, typer.Option("--afresh", help="Forget what is known of these hosts first.")] = False,
    data: Data = "",
    as_json: AsJson = False,
) -> None:
    """Watch the logs of other hosts for forks and lost battles.

    It says when one forks, shrinks, stops or hides a battle. What was seen is kept in the data
    folder. Exit code 0: all is well. 1: a host has done what it must not. 2: it could not be tried.
    3: a host, or its witnesses, are away for too long.
    """
    import asyncio

    from replay.proof.cosigned import read_public_key
    from server.settings import Settings, make_folder
    from server.witness.host_log import log_key
    from server.witness.watch_file import FILE, WatchFile
    from server.witness.watch_report import exit_of

    settings = Settings.at(data or None)
    make_folder(settings)
    keys = [log_key(read_public_key(given).text()) for given in key or ()]
    file = WatchFile(settings.data / FILE)
    watcher = _Watcher(settings, file, keys, believed(policy), patience)
    try:
        while True:
            found = asyncio.run(watcher.look(hosts, afresh))
            _tell(found, quiet, as_json)
            if not every:
                raise typer.Exit(exit_of(found))
            afresh = False
            _wait(every)
    finally:
        file.close()


class _Watcher:
    """Looks at hosts, one beside the other."""

    def __init__(
        self,
        settings: "Settings",
        file: "WatchFile",
        keys: "list[NoteKey]",
        policy: "WitnessPolicy | None",
        patience_s: int,
    ) -> None:
        self._settings, self._file, self._keys, self._policy = settings, file, keys, policy
        self._patience_s = patience_s

    async def look(self, hosts: list[str], afresh: bool) -> "list[WatchedHost]":
        """What is found at each host."""
        import asyncio

        import aiohttp

        async with aiohttp.ClientSession() as session:
            return await asyncio.gather(*(self._look(session, host, afresh) for host in dict.fromkeys(hosts)))

    async def _look(self, session: "aiohttp.ClientSession", host: str, afresh: bool) -> "WatchedHost":
        import time

        from server.witness.reading import LogReader
        from server.witness.watch_report import watched_host
        from server.witness.watching import LogWatch

        address = address_of(host) if "://" in host else f"https://{host}"
        reader = LogReader(session, address)
        log = await self._log(reader, host, address, afresh)

        def now_s() -> int:
            return int(time.time())

        found = await LogWatch(self._file, self._settings.data / "watch", reader, now_s, self._policy).look(log)
        return watched_host(found, self._file.faults(log.origin), now_s(), self._patience_s)

    async def _log(self, reader: "LogReader", host: str, address: str, afresh: bool) -> "FollowedLog":
        """The log of a host: by the key that is given, by what is known, or by the host's own word.

        Raises: Failed for a host that is not known, and cannot be asked
        """
        from replay.proof.notes import BadNote
        from server.witness.host_log import log_key
        from server.witness.reading import NotRead

        named = "" if "://" in host else f"{host}/phalera"
        given = self._given(named, address)
        known = self._file.log(given.name if given else named, address)
        if known is not None and afresh:
            self._file.forget(known.origin)
        if given is None and (known is None or afresh):
            try:
                given = log_key(await reader.key())
            except (NotRead, BadNote) as reason:
                raise Failed(f"{host} is not known yet, and does not say its key: {reason}.") from None
            if named not in ("", given.name):
                raise Failed(f"{host} says the key of {given.name.rpartition('/')[0]}.")
            typer.echo(f"{host} says that its key is {given.text()}: compare it with its operator.", err=True)
        if given is not None:
            self._file.name(given.name, given.text(), address)
        found = self._file.log(given.name if given else named, address)
        assert found is not None, "it has just been named"
        return found

    def _given(self, named: str, address: str) -> "NoteKey | None":
        """The key that is given for a host; one alone is that of an address that nobody knows yet."""
        if named:
            return next((key for key in self._keys if key.name == named), None)
        known = self._file.log("", address)
        if known is not None:
            return next((key for key in self._keys if key.name == known.origin), None)
        return self._keys[0] if len(self._keys) == 1 else None


def _tell(found: "list[WatchedHost]", quiet: bool, as_json: bool) -> None:
    if as_json:
        say_json(found)
        return
    for host in found:
        for line in host.lines(quiet):
            say(line)


def _wait(seconds: int) -> None:
    import time

    try:
        time.sleep(seconds)
    except KeyboardInterrupt:
        raise typer.Exit(0) from None
