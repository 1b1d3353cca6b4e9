"""The commands of `phalera campaign` that take part in one on a server: enter, say, name.

Only typer is imported at the top, as in server.cli.main.
"""

from typing import Annotated

import typer

from server.cli.console import Failed, in_sentences, say
from server.cli.options import Lang

Url = Annotated[str, typer.Argument(metavar="URL", help="The address of the server.", show_default=False)]
Id = Annotated[str, typer.Argument(metavar="ID", help="The id of the campaign.", show_default=False)]


def add_to(campaign: typer.Typer) -> None:
    """Put these commands among those of `phalera campaign`."""
    campaign.command("enter")(campaign_enter)
    campaign.command("say")(campaign_say)
    campaign.command("name")(campaign_name)


@in_sentences
def campaign_enter(
    url: Url,
    campaign: Id,
    entrant: Annotated[str, typer.Option("--as", metavar="ENTRANT", help="The id you want; else the next one.")] = "",
    phrase: Annotated[str, typer.Option(metavar="TEXT", help="Your part of the chance of the lots.")] = "",
    sign: Annotated[bool, typer.Option("--sign", help="Sign this and all your lines with your key.")] = False,
    lang: Lang = "en",
) -> None:
    """Enter a campaign on a server."""
    from server.cli.remote_asking import answer_of, entropy
    from server.cli.remote_trust import home
    from server.remote.campaigning import enter_in

    server, source = home().server(url), entropy()
    entered, signer = answer_of(
        server, lambda asked: enter_in(asked, server, campaign, entrant, phrase, source, signs=sign), lang
    )
    say(f"You are {entered}.")
    if signer:
        say(f"You sign with the key {signer}. Its secret half is in {server.key_file}: keep a copy of it.")


@in_sentences
def campaign_say(
    url: Url,
    campaign: Id,
    lines: Annotated[list[str], typer.Argument(metavar="LINE...", help="Each a line in quotes.", show_default=False)],
    lang: Lang = "en",
) -> None:
    """Give lines to a campaign, as entrant, organiser or umpire; with your key they are signed."""
    from server.cli.remote_asking import answer_of, entropy
    from server.cli.remote_trust import home
    from server.remote.campaigning import say_in

    server, source, text = home().server(url), entropy(), "\n".join(lines)
    answers, is_signed = answer_of(server, lambda asked: say_in(asked, server, campaign, text, source), lang)
    for one in answers:
        say(f"{one.status}: {one.text}" + (f" ({one.detail})" if one.detail else ""))
    say("Signed with your key." if is_signed else "Not signed: you have no key in this campaign.")
    if any(one.status != "accepted" for one in answers):
        raise Failed("Not every line was accepted.")


@in_sentences
def campaign_name(
    url: Url,
    campaign: Id,
    role: Annotated[str, typer.Argument(metavar="ROLE", help="umpire or organiser.", show_default=False)],
    name: Annotated[str, typer.Argument(metavar="NAME", help="Their name on the server.", show_default=False)],
    lang: Lang = "en",
) -> None:
    """Name the umpire, or another organiser."""
    from server.cli.remote_asking import answer_of, entropy
    from server.cli.remote_trust import home
    from server.remote.campaigning import name_in

    server, source = home().server(url), entropy()
    answer_of(server, lambda asked: name_in(asked, server, campaign, role, name, source), lang)
    say(f"{name} is the {role} from here on.")
