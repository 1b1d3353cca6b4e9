"""Commands about campaigns and clubs."""

from collections.abc import Mapping

from server.mail.desk import campaign_looks, campaigns, clubs
from server.mail.desk.command import ALWAYS, WITH_LINES, DeskCommand
from server.mail.desk.vocabulary import BATTLE

OF_A_CAMPAIGN = BATTLE * 2
"""Stands for the id of a campaign in an example."""

GATHERING: Mapping[str, DeskCommand] = {
    "campaigns": DeskCommand(
        words=("campaigns", "campagnes"),
        usage={"en": ("campaigns",), "fr": ("campagnes",)},
        show=campaigns.show_campaigns,
    ),
    "enter": DeskCommand(
        words=("enter", "entrer", "inscrire"),
        usage={
            "en": ("enter Autumn Cup", f"enter {OF_A_CAMPAIGN}", f"enter {OF_A_CAMPAIGN} reserve"),
            "fr": ("entrer Autumn Cup", f"entrer {OF_A_CAMPAIGN}", f"entrer {OF_A_CAMPAIGN} réserve"),
        },
        changes=ALWAYS,
        do=campaigns.enter,
        show=campaigns.show_campaign,
    ),
    "next": DeskCommand(
        words=("next", "prochaine", "prochain"),
        usage={"en": ("next",), "fr": ("prochaine",)},
        do=campaigns.look_up,
        show=campaigns.show_next,
    ),
    "standings": DeskCommand(
        words=("standings", "classement"),
        usage={"en": ("standings", f"standings {OF_A_CAMPAIGN}"), "fr": ("classement", f"classement {OF_A_CAMPAIGN}")},
        do=campaigns.look_up,
        show=campaigns.show_standings,
    ),
    "fixtures": DeskCommand(
        words=("fixtures", "rencontres"),
        usage={"en": ("fixtures", "fixtures 2"), "fr": ("rencontres", "rencontres 2")},
        do=campaigns.look_up,
        show=campaigns.show_fixtures,
    ),
    "map": DeskCommand(
        words=("map", "carte"),
        usage={"en": ("map", f"map {OF_A_CAMPAIGN} 3"), "fr": ("carte", f"carte {OF_A_CAMPAIGN} 3")},
        do=campaign_looks.look_at_map,
        show=campaign_looks.show_map,
    ),
    "ledger": DeskCommand(
        words=("ledger", "registre"),
        usage={
            "en": ("ledger", f"ledger {OF_A_CAMPAIGN} F1", "ledger F1 R4"),
            "fr": ("registre", f"registre {OF_A_CAMPAIGN} F1", "registre F1 R4"),
        },
        do=campaign_looks.look_at_ledger,
        show=campaign_looks.show_ledger,
    ),
    "campaign": DeskCommand(
        words=("campaign", "campagne"),
        usage={"en": (f"campaign {OF_A_CAMPAIGN}",), "fr": (f"campagne {OF_A_CAMPAIGN}",)},
        changes=WITH_LINES,
        confirmed=True,
        do=campaigns.order,
        show=campaigns.show_campaign,
    ),
    "club": DeskCommand(
        words=("club", "clubs"),
        usage={"en": ("club", "club chester"), "fr": ("club", "club chester")},
        do=clubs.look_up,
        show=clubs.show_club,
    ),
    "seat": DeskCommand(
        words=("seat", "place"),
        usage={"en": ("seat Anna Bob skirmish",), "fr": ("place Anna Bob skirmish",)},
        changes=ALWAYS,
        do=clubs.seat,
    ),
    "preview-lines": DeskCommand(do=campaigns.preview),
    "why-campaign": DeskCommand(show=campaign_looks.show_why),
}
