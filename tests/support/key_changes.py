"""The signature of a change of key. No host changes its key yet; readers know the form, so that one may."""

from base64 import b64decode, b64encode

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from replay.proof.notes import Signer


def sign_new_key(old: Signer, log_origin: str, new_key: str) -> str:
    """The `signature` of a `KeyChanged`: base64 by the old key over the origin, `key` and the new key.

    The second line is not a number, so this text is never a head.
    """
    seed = b64decode(old.secret_key().split("+", 4)[4])[1:]  # after the name, the id and the kind of key
    private = Ed25519PrivateKey.from_private_bytes(seed)
    return b64encode(private.sign(f"{log_origin}\nkey\n{new_key}\n".encode())).decode()
