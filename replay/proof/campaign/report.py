"""What a verdict on the file of a campaign consists of (`replay.proof.campaign.verify`)."""

from replay.proof.campaign.own_words import SignedSeat
from replay.proof.histories import Fork
from replay.proof.report import FileReport, ProvenHead
from replay.proof.seen import WitnessReport


class CampaignReport(FileReport, frozen=True, kw_only=True):
    """The findings.

    `ended`, `signed`, `trusted`, `kid` as in `replay.proof.report.Report`. Of the `draws`, `bound` are of a round whose
    key is not disclosed yet. `judged` counts the inputs judged by the rules, `not_judged` are those that cannot be yet,
    because they or what follows from them is sealed. `looked` says that files of battles were given: `compared` are
    those that agree, `missing` those counted whose files are not there, `by_other_rules` those that this release cannot
    judge, `other_scenarios` those whose scenario it cannot compare. `signed_by` are the keys with which people have
    signed their lines, each signature checked; `unsigned` counts the lines of entrants without a key, `host_wrote` are
    the events in which an organiser or umpire without one has said something; `given` are the events by which the role
    of a silent organiser was given to another, on the host's word. `at_table` are the boards that
    were fought at a table, which nothing proves. `heads`, `two_histories` and `witnessed` as in
    `replay.proof.report.Report`.
    """

    campaign: str = ""
    heads: tuple[ProvenHead, ...] = ()
    two_histories: Fork | None = None
    witnessed: WitnessReport | None = None
    host: str = ""
    rules: str = ""
    events: int = 0
    head: str = ""
    ended: bool = False
    signed: bool = False
    key: str = ""
    fingerprint: str = ""
    kid: str = ""
    trusted: bool = False
    draws: int = 0
    bound: int = 0
    judged: int = 0
    signed_by: tuple[SignedSeat, ...] = ()
    unsigned: int = 0
    host_wrote: tuple[int, ...] = ()
    given: tuple[int, ...] = ()
    not_judged: tuple[int, ...] = ()
    counted: int = 0
    at_table: tuple[str, ...] = ()
    looked: bool = False
    compared: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    by_other_rules: tuple[str, ...] = ()
    other_scenarios: tuple[str, ...] = ()

    @property
    def is_unwitnessed(self) -> bool:
        """Whether the reader believes witnesses of whom too few have seen this history."""
        return self.witnessed is not None and self.witnessed.has_policy and not self.witnessed.before
