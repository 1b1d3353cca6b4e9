"""Open a campaign on a server."""

from msgspec import Struct

from replay.writing.entropy import Entropy
from server.remote.connection import ServerConnection
from server.remote.once import send_once
from server.remote.signing import read_or_make_key
from server.remote.state import ServerFolder


class _CampaignOpened(Struct, frozen=True):
    campaign: str


async def open_on(
    connection: ServerConnection,
    server: ServerFolder,
    toml: str,
    example: str,
    entropy: Entropy,
    *,
    signs: bool = False,
) -> str:
    """Open a campaign from the text of its file, or from an example; its id. The same again after no answer is the
    same campaign. Whoever `signs` organises it with their key on this server.

    Raises: Refused, Unanswered (the same again goes on), NotDone
    """
    body = {"toml": toml} if toml else {"example": example}
    body |= {"signer": read_or_make_key(server.key_file, entropy).public} if signs else {}
    return (await send_once(connection, server, "/campaigns", body, _CampaignOpened, entropy)).campaign
