"""The command that prints the ledger of a campaign: its forces, and the service record of an element.

Only typer is imported at the top, as in server.cli.main.
"""

from typing import TYPE_CHECKING, Annotated

import typer

from server.cli.campaign_logs import campaign_log
from server.cli.console import Failed, in_sentences, say, say_json
from server.cli.options import AsJson, Lang

if TYPE_CHECKING:
    from projections.ledger.records import CampaignLedger
    from replay.telling.service import ServiceTeller

Log = Annotated[
    str, typer.Argument(metavar="FILE", help="The log of a campaign; - reads standard input.", show_default=False)
]
Force = Annotated[str, typer.Argument(metavar="FORCE", help="One force; without it all are listed.")]
Element = Annotated[str, typer.Argument(metavar="ELEMENT", help="A unit or leader of it: the service record.")]


def add_to(main: typer.Typer) -> None:
    """Put this command beside the others."""
    main.command()(ledger)


@in_sentences
def ledger(file: Log, force: Force = "", element: Element = "", lang: Lang = "en", as_json: AsJson = False) -> None:
    """Print the forces of a campaign: what each unit has been through.

    Battles with fates and dice, honours with the events that won them, promotions, who fell how. For example:
    phalera ledger war.campaign F1 R4
    """
    from domain.basics.errors import Refusal
    from projections.ledger.book import ledger_of
    from server.shown.ledger import force_in, record_in, service_teller
    from server.words import sentence_of

    log = campaign_log(file, lang)
    found = ledger_of(recorded.event for recorded in log.events)
    try:
        of_force = force_in(found, force) if force else None
        record = record_in(of_force, element) if of_force and element else None
    except Refusal as refused:
        raise Failed(sentence_of(refused, lang)) from None
    if as_json:
        say_json(record or of_force or found)
        return
    _tell(found, service_teller(log.state, lang), force, element)


def _tell(ledger: "CampaignLedger", teller: "ServiceTeller", force: str, element: str) -> None:
    from server.shown.ledger import force_in, force_lines, record_in, record_lines

    if not ledger.forces:
        say(teller.say("none"))
    elif element:
        say("\n".join(record_lines(teller, record_in(force_in(ledger, force), element))))
    else:
        shown = [force_in(ledger, force)] if force else ledger.forces
        say("\n\n".join("\n".join(force_lines(teller, one)) for one in shown))
