"""How often the first winner wins a linked campaign, as `benchmarks.campaign_balance` counts it."""

import pytest

from benchmarks.campaign_balance import CampaignPlayed, main, play_campaign, row


def test_a_row_counts_who_won_first_and_last() -> None:
    played = [
        CampaignPlayed(*each) for each in (("a", "a", 4), ("b", "a", 5), ("", "b", 3), ("a", "", 6), ("a", "a", 4))
    ]
    assert row("tree", played) == "| tree | 5 | 22 | 1 | 1 | 2 of 3 (66 %) | a 3, b 1 |"


@pytest.mark.parametrize("name", ["hannibal", "danube", "valley", "sicily"])
@pytest.mark.rule("CAM-LNK-04", "CAM-MAP-17")
def test_quick_campaigns_come_to_an_end_by_their_seed_alone(name: str) -> None:
    first, again = (play_campaign(name, 5, "easy", is_quick=True) for _ in range(2))
    assert first == again
    assert first.battles >= 2
    assert len({play_campaign(name, seed, "easy", is_quick=True) for seed in range(6)}) > 1


def test_the_command_prints_a_row_so_far(capsys: pytest.CaptureFixture[str]) -> None:
    main(["danube", "--campaigns", "2", "--quick"])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(" | ")[1] for line in lines] == ["1", "2"]
