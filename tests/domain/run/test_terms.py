"""What a battle may be opened with: who rules, whether orders are taken back, how long it may be disputed."""

import pytest

from domain.basics.errors import Refusal
from domain.events.battle import BoardOfCampaign, UmpireNamed
from domain.run.terms import MOST_DAYS, Terms, require_terms


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        (Terms(takebacks="often"), "core.docket-terms"),
        (Terms(days=-1), "core.docket-days"),
        (Terms(days=MOST_DAYS + 1), "core.docket-days"),
        (Terms(umpire="Judge Anna", name="Anna"), "core.docket-unknown-player"),
    ],
)
def test_terms_that_nobody_can_keep_are_refused(terms: Terms, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        require_terms(terms)
    assert refused.value.code == code


@pytest.mark.parametrize("days", [0, MOST_DAYS])
def test_a_battle_may_be_disputed_for_no_day_and_for_a_year(days: int) -> None:
    require_terms(Terms(days=days))


def test_a_battle_of_a_campaign_names_its_board() -> None:
    board = BoardOfCampaign("2.3", "k3jz81aq")
    assert Terms(campaign=board).written() == {"campaign": board}
    assert "campaign" not in Terms().written()


def test_an_umpire_is_named_with_the_opening_and_nobody_without_one() -> None:
    assert Terms().facts() == ()
    (fact,) = Terms(umpire="p3kd81aq", name="Anna").facts()
    assert (fact.by, fact.event) == ("server", UmpireNamed("p3kd81aq", "Anna", "opening"))
