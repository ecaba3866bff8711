"""Public Ed25519 keys, and verification of their signatures if the package `cryptography` is installed."""

from __future__ import annotations

from base64 import b64encode
from gettext import gettext as _

PREFIX = bytes.fromhex("302a300506032b6570032100")
"""DER prefix of the 32 bytes of an Ed25519 key in its SubjectPublicKeyInfo (RFC 8410)."""
KEY_BYTES = 32


class CryptographyPackageMissing(Exception):
    """Raised if signatures cannot be checked because `cryptography` is not installed."""

    def __init__(self) -> None:
        super().__init__(_("signatures were NOT checked: this needs `pip install cryptography`"))


def public_pem(key: str) -> bytes:
    """Convert a public key from hexadecimal to PEM format; raises ValueError for an invalid key."""
    raw = bytes.fromhex(key)
    if len(raw) != KEY_BYTES:
        raise ValueError(_("an Ed25519 key is {key_bytes} bytes, not {raw}").format(key_bytes=KEY_BYTES, raw=len(raw)))
    return b"-----BEGIN PUBLIC KEY-----\n" + b64encode(PREFIX + raw) + b"\n-----END PUBLIC KEY-----\n"


def is_signature(key: str, signature: str, statement: bytes) -> bool:
    """Return True if an Ed25519 signature over `statement` was made with a key.

    Key and signature are in hexadecimal; if one is malformed, return False. Raises CryptographyPackageMissing.
    """
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError as error:
        raise CryptographyPackageMissing from error
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(signature), statement)
    except (ValueError, InvalidSignature):
        return False
    return True


def try_public_pem(key: str) -> bytes:
    """Return the same as `public_pem`, but empty bytes if `key` is not a valid key."""
    try:
        return public_pem(key)
    except ValueError:
        return b""
