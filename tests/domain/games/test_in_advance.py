"""What a game suggests for the next time is a standing order that it reads."""

import pytest

from domain.basics.commands import Standing
from domain.catalogue import RULESETS


@pytest.mark.parametrize("code", sorted(RULESETS))
def test_each_suggestion_is_a_standing_order(code: str) -> None:
    orders = RULESETS[code].orders
    assert orders.in_advance
    for kind, pattern in orders.in_advance.items():
        command = orders.parse(pattern.format(unit="R1"))
        assert isinstance(command, Standing), kind
        assert orders.parse(orders.write(command, "fr")) == command
