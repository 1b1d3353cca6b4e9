"""How many invitations a server sends on a day, whoever they are from and to."""

from pathlib import Path

import pytest

from domain.basics.errors import Refusal
from server.acts.invitation_limits import require_few
from server.limits import Invitations, Limits
from tests.server.acts import inviting
from tests.server.acts.doors import Doors
from tests.server.acts.joining import anna_waits
from tests.support.serving import serving


async def test_the_limit_of_the_server_counts_all_players_and_addresses(tmp_path: Path) -> None:
    limits = Limits(invitations=Invitations(player=9, mailbox=9, server=1))
    async with serving(tmp_path / "data", mail=True, limits=limits) as server:
        doors = Doors(server, tmp_path)
        await doors.arrive("Anna")
        await anna_waits(doors)
        require_few(server.running.acts, "somebody else", b"another address")
        assert "battle" in await inviting.by_api()(doors)
        with pytest.raises(Refusal) as refused:
            require_few(server.running.acts, "somebody else", b"another address")
        assert (refused.value.code, refused.value.params["fault"]) == ("core.too-many-invitations", "server")
