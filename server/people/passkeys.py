"""Passkeys: what a browser is asked for, and whether what comes back may add one, or let somebody in (WebAuthn 2).

A device signs a challenge of ours together with the origin of the page that asked. `webauthn` checks that; here stand
the rules of this server. Attestation is not asked for: which make of device it is concerns nobody.
"""

import binascii
from base64 import urlsafe_b64decode
from collections.abc import Callable, Sequence
from typing import Annotated, Any, NamedTuple, TypeVar

import msgspec
from msgspec import Meta, Struct, field, to_builtins

from domain.basics.decoding import decode
from domain.basics.errors import Refusal
from server.people.challenges import LASTS_S, Challenges
from server.people.players import Player, require_name
from server.store.contract import TableRows
from server.store.tables import passkeys
from server.store.tables.passkeys import StoredPasskey

RULE = "CORE-ACCESS"
SHOWN_AS = "Phalera"
MOST_OF_PLAYER = 20
"""Passkeys of one player."""
Id = Annotated[str, Meta(max_length=1400)]  # base64url of 1023 bytes, the most that the standard allows
Bytes = Annotated[str, Meta(max_length=8 * 1024)]
Name = Annotated[str, Meta(max_length=200)]
T = TypeVar("T")


class Party(NamedTuple):
    """The site that asks for a passkey. `id`: the host name it is bound to; `origin`: that of its pages."""

    id: str
    origin: str


class Wanted(Struct, frozen=True):
    """That a player wants a passkey, and their word for it."""

    name: Name


class MadeResponse(Struct, frozen=True):
    """What a device says when it has made a passkey; base64url."""

    client_data: Bytes = field(name="clientDataJSON")
    attestation: Bytes = field(name="attestationObject")


class NewPasskey(Struct, frozen=True):
    """A new passkey, as a browser sends it; `name` is the player's word for it."""

    id: Id
    response: MadeResponse
    name: Name = ""


class SignedResponse(Struct, frozen=True):
    """What a device has signed; base64url. `user_handle` is the player for whom it made the passkey."""

    client_data: Bytes = field(name="clientDataJSON")
    authenticator_data: Bytes = field(name="authenticatorData")
    signature: Bytes
    user_handle: Annotated[str, Meta(max_length=100)] | None = field(name="userHandle", default=None)


class PasskeyAnswer(Struct, frozen=True):
    """The answer of a passkey to a challenge, as a browser sends it."""

    id: Id
    response: SignedResponse


class _ClientData(Struct, frozen=True):
    challenge: str


def load() -> None:
    """Import what checks passkeys: a tenth of a second, once, for a server that is asked for it; not on its loop."""
    import webauthn  # noqa: F401  # imported to be there


def to_make(challenges: Challenges, party: Party, player: Player, held: Sequence[StoredPasskey]) -> dict[str, Any]:
    """What the browser of a player is asked for: a passkey that knows for whom it is, on a device that has none of
    theirs.

    Raises: Refusal core.too-many-passkeys
    """
    from webauthn import generate_registration_options
    from webauthn.helpers import options_to_json_dict
    from webauthn.helpers.structs import (
        AttestationConveyancePreference,
        AuthenticatorSelectionCriteria,
        PublicKeyCredentialDescriptor,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    require_room(held)
    options = generate_registration_options(
        rp_id=party.id,
        rp_name=SHOWN_AS,
        user_id=player.id.encode(),
        user_name=player.name,
        user_display_name=player.name,
        challenge=challenges.new(player.id),
        timeout=LASTS_S * 1000,
        attestation=AttestationConveyancePreference.NONE,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.PREFERRED
        ),
        exclude_credentials=[PublicKeyCredentialDescriptor(id=one.credential) for one in held],
    )
    return options_to_json_dict(options)


def to_sign(challenges: Challenges, party: Party) -> dict[str, Any]:
    """What a browser is asked for to log in: the signature of any passkey of this server."""
    from webauthn import generate_authentication_options
    from webauthn.helpers import options_to_json_dict
    from webauthn.helpers.structs import UserVerificationRequirement

    return options_to_json_dict(
        generate_authentication_options(
            rp_id=party.id,
            challenge=challenges.new(),
            timeout=LASTS_S * 1000,
            user_verification=UserVerificationRequirement.PREFERRED,
        )
    )


def require_room(held: Sequence[StoredPasskey]) -> None:
    """Refuse one more passkey than a player may have.

    Raises: Refusal core.too-many-passkeys
    """
    if len(held) >= MOST_OF_PLAYER:
        raise Refusal("core.too-many-passkeys", RULE, most=MOST_OF_PLAYER)


def made(challenges: Challenges, party: Party, player: Player, answer: NewPasskey, id_: str, now: str) -> StoredPasskey:
    """The passkey that a browser has made for a player who asked for one; `id_` is its name for us.

    Raises: Refusal core.passkey-late, core.passkey-refused, core.bad-name
    """
    from webauthn import verify_registration_response

    name = require_name(answer.name)
    challenge = _taken(challenges, answer.response.client_data, player.id)
    verified = _checked(
        lambda: verify_registration_response(
            credential=_credential(answer),
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=party.origin,
        )
    )
    return StoredPasskey(
        id_, player.id, verified.credential_id, verified.credential_public_key, verified.sign_count, name, now
    )


def signed(challenges: Challenges, party: Party, store: TableRows, answer: PasskeyAnswer) -> tuple[StoredPasskey, int]:
    """The passkey that has answered a challenge, and how often it says that it has signed by now.

    A count that does not grow is refused: somebody else may have a copy of the passkey. A passkey answers for the
    player for whom it was made, and for nobody else.

    Raises: Refusal core.passkey-late, core.passkey-refused
    """
    from webauthn import verify_authentication_response

    challenge = _taken(challenges, answer.response.client_data)
    known = passkeys.find(store, _bytes_of(answer.id))
    if known is None or _bytes_of(answer.response.user_handle or "") != known.player.encode():
        raise Refusal("core.passkey-refused", RULE)
    verified = _checked(
        lambda: verify_authentication_response(
            credential=_credential(answer),
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=party.origin,
            credential_public_key=known.key,
            credential_current_sign_count=known.uses,
        )
    )
    return known, verified.new_sign_count


def _taken(challenges: Challenges, client_data: str, owner: str = "") -> bytes:
    """The challenge that a device has signed, now used up.

    Raises: Refusal core.passkey-late for one that is not open, core.passkey-refused
    """
    try:
        challenge = _bytes_of(decode(_bytes_of(client_data), _ClientData).challenge)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Refusal("core.passkey-refused", RULE) from None
    if not challenges.take(challenge, owner):
        raise Refusal("core.passkey-late", RULE)
    return challenge


def _bytes_of(text: str) -> bytes:
    """The bytes of a base64url text without padding.

    Raises: Refusal core.passkey-refused
    """
    try:
        return urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError):
        raise Refusal("core.passkey-refused", RULE) from None


def _credential(answer: NewPasskey | PasskeyAnswer) -> dict[str, Any]:
    """The answer of a browser in the form that the library reads."""
    return {**to_builtins(answer), "rawId": answer.id, "type": "public-key"}


def _checked(check: Callable[[], T]) -> T:
    """What a check of the library gives.

    Raises: Refusal core.passkey-refused
    """
    try:
        return check()
    except Exception:  # it reads what a stranger has sent: whatever it stumbles over, nobody gets in
        raise Refusal("core.passkey-refused", RULE) from None
