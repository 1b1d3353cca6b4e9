"""The commands with which a host looks after its visitors: tags, bans of networks, complaints, the log of moderation.

They work on the data folder, as those of server.cli.host. Only typer is imported at the top, as in server.cli.main.
"""

from enum import StrEnum
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from server.cli.console import Failed, in_sentences, say, say_json
from server.cli.deeds import deed_of_host
from server.cli.host import Data, Db, opened
from server.cli.options import AsJson
from server.cli.serve import seconds_of

DAY_S = 24 * 3600
MOST_LISTED = 200
ADD = "add"


class OutcomeMade(StrEnum):
    """What came of a complaint."""

    ACTED = "acted"
    DISMISSED = "dismissed"


class BanGroup(TyperGroup):
    """A group whose first word may be left out: `ban NETWORK` is `ban add NETWORK`."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """The command that the first word names, else `add`."""
        first = [] if args[0] in self.commands else [ADD]
        return super().resolve_command(ctx, [*first, *args])


ban = typer.Typer(help="Networks from which nobody is answered: add, list, lift.", no_args_is_help=True, cls=BanGroup)
complaints = typer.Typer(help="What players have reported: list, settle.", no_args_is_help=True)
Network = Annotated[str, typer.Argument(metavar="NETWORK", help="An address, or a network.", show_default=False)]


def add_to(main: typer.Typer) -> None:
    """Put these commands beside the others."""
    main.command("tag")(tag)
    main.command("deeds")(list_deeds)
    main.command("notice")(notice)
    main.add_typer(ban, name="ban")
    main.add_typer(complaints, name="complaints")


@in_sentences
def tag(
    of: Annotated[list[str], typer.Argument(metavar="ADDRESS|NAME…", help="Clients and players.", show_default=False)],
    data: Data = "",
    db: Db = "",
    as_json: AsJson = False,
) -> None:
    """Say what the log calls clients and players this month."""
    from server.cli.player import account_of
    from server.clock import SystemClock
    from server.people.keys import read_keys
    from server.people.tags import Tags
    from server.web.networks import counted_as, is_address

    with opened(data, db) as (settings, store):
        tags = Tags(read_keys(settings).oldest, SystemClock())
        found = {
            name: tags.client(counted_as(name)) if is_address(name) else tags.account(account_of(store, name).player)
            for name in of
        }
    if as_json:
        say_json([{"of": name, "tag": made} for name, made in found.items()])
        return
    for name, made in found.items():
        say(f"{made}  {name}")


# --- bans of networks


@ban.command(ADD)
@in_sentences
def ban_add(
    network: Network,
    time: Annotated[
        str, typer.Option("--for", metavar="TIME", help="How long: 12h, 7d; without it until it is lifted.")
    ] = "",
    reason: Annotated[str, typer.Option(metavar="TEXT", help="A note for yourself.", show_default=False)] = "",
    data: Data = "",
    db: Db = "",
) -> None:
    """Answer nobody from an address or a network any more, but for the checks of health.

    A running server notices within a second, and closes their streams. This machine and trusted proxies are never
    banned.
    """
    from server.clock import SystemClock
    from server.entropy import SystemEntropy
    from server.people.bans import planned
    from server.store.tables import bans

    days = seconds_of(time) / DAY_S if time else 0
    with opened(data, db) as (_, store):
        made = planned(network, days, reason, SystemClock().now(), SystemEntropy(), trusted=())
        store.write_now(bans.add(made), deed_of_host("ban-network", made.id, made.reason))
    say(f"Nobody from {made.network} is answered{f' until {made.until[:16]} UTC' if made.until else ''}.")


@ban.command("lift")
@in_sentences
def ban_lift(network: Network, data: Data = "", db: Db = "") -> None:
    """End the ban of a network before its time."""
    from server.people.bans import found
    from server.store.tables import bans

    with opened(data, db) as (_, store):
        known = found(store, network)
        store.write_now(bans.lift(known.network), deed_of_host("lift-network", known.id))
    say(f"{known.network} is answered again.")


@ban.command("list")
@in_sentences
def ban_list(data: Data = "", db: Db = "", as_json: AsJson = False) -> None:
    """List the banned networks, the newest first."""
    from server.clock import SystemClock
    from server.people.bans import ends
    from server.store.tables import bans

    with opened(data, db) as (_, store):
        now = SystemClock().now()
        listed = [one for one in bans.all_of(store) if not ends(one, now)]
    if as_json:
        say_json([one._asdict() for one in listed])
        return
    for one in listed:
        end = f"until {one.until[:16]}" if one.until else "until it is lifted"
        say(f"{one.network:<24}  since {one.at[:16]}  {end:<22}  {one.reason}".rstrip())


# --- complaints


@complaints.command("list")
@in_sentences
def complaints_list(
    settled: Annotated[bool, typer.Option("--settled", help="Those that are settled.")] = False,
    data: Data = "",
    db: Db = "",
    as_json: AsJson = False,
) -> None:
    """List what players have reported and nobody has settled, the oldest first."""
    from server.store.tables import accounts
    from server.store.tables import complaints as table

    with opened(data, db) as (_, store):
        listed = table.latest(store, MOST_LISTED) if settled else table.waiting(store, MOST_LISTED)
        names = {one.about: getattr(accounts.by_player(store, one.about), "name", one.battle) for one in listed}
    if as_json:
        say_json([one._asdict() for one in listed])
        return
    for one in listed:
        why = " ".join(one.why.split())[:60]
        say(f"{one.id}  {one.at[:16]}  {one.kind:<7}  {names[one.about]:<24}  {one.outcome or 'open':<9}  {why}")


@complaints.command("settle")
@in_sentences
def complaints_settle(
    id_: Annotated[str, typer.Argument(metavar="ID", help="The complaint.", show_default=False)],
    outcome: Annotated[OutcomeMade, typer.Argument(help="What came of it.", show_default=False)],
    answer: Annotated[str, typer.Option(metavar="TEXT", help="Goes to the reporter.", show_default=False)] = "",
    data: Data = "",
    db: Db = "",
) -> None:
    """Settle a complaint; the reporter gets a letter if they have an address."""
    from server.clock import SystemClock
    from server.people.complaining import settled
    from server.store.tables import complaints as table
    from server.store.tables.complaints import ComplaintOutcome
    from server.store.tables.deeds import HOST

    with opened(data, db) as (_, store):
        found = table.find(store, id_)
        if found is None:
            raise Failed(f"There is no complaint {id_}.")
        store.write_now(*settled(found, ComplaintOutcome(outcome.value), answer, HOST, SystemClock().now()))
    say(f"Complaint {id_} is settled.")


# --- the notice


@in_sentences
def notice(
    text: Annotated[str, typer.Argument(metavar="[TEXT]", help="What everybody is told.", show_default=False)] = "",
    french: Annotated[str, typer.Option("--fr", metavar="TEXT", help="The same in French.", show_default=False)] = "",
    since: Annotated[
        str, typer.Option("--from", metavar="TIME", help="From when: 2026-11-24T22:00 (UTC), 2h.", show_default=False)
    ] = "",
    until: Annotated[
        str, typer.Option(metavar="TIME", help="Until when; without it until it is cleared.", show_default=False)
    ] = "",
    clear: Annotated[bool, typer.Option("--clear", help="Tell nothing any more.")] = False,
    data: Data = "",
    db: Db = "",
) -> None:
    """Tell everybody something for a time, or show what is told.

    It stands on each page, in the API and in `phalera remote`.

    A running server notices within a second. Where the notice has no French, French readers see the other one.
    """
    from server.clock import SystemClock
    from server.people.announcements import planned
    from server.store.tables import announcements

    if clear and (text or french or since or until):
        raise Failed("--clear takes nothing else.", 2)
    with opened(data, db) as (_, store):
        if clear:
            store.write_now(*announcements.replace([]), deed_of_host("clear-notice", ""))
            say("Nothing is told any more.")
        elif text or french:
            made = planned({"en": text, "fr": french}, since, until, SystemClock().now())
            store.write_now(*announcements.replace(made), deed_of_host("notice", "", made[0].text))
        for one in announcements.all_of(store):
            end = f" until {one.until[:16]}" if one.until else ""
            say(f"{one.lang}, from {one.since[:16]}{end} UTC: {one.text}")


# --- the log of moderation


@in_sentences
def list_deeds(
    about: Annotated[str, typer.Argument(metavar="[ID]", help="Only about one thing.", show_default=False)] = "",
    most: Annotated[int, typer.Option(min=1, help="How many.")] = 50,
    data: Data = "",
    db: Db = "",
    as_json: AsJson = False,
) -> None:
    """List the deeds of administrators and of the host."""
    from server.store.tables import accounts, deeds

    with opened(data, db) as (_, store):
        listed = deeds.latest(store, most, about=about)
        names = {one.actor: accounts.by_player(store, one.actor) for one in listed}
    if as_json:
        say_json([one._asdict() for one in listed])
        return
    for one in listed:
        account = names[one.actor]
        actor = account.name if account else one.actor or "the host"
        say(f"{one.at[:16]}  {actor:<20}  {one.deed:<14}  {one.about:<16}  {one.why}".rstrip())
