"""Public Ed25519 keys and what they signed, as far as that can be checked on this machine."""

from __future__ import annotations

from base64 import b64encode

PREFIX = bytes.fromhex("302a300506032b6570032100")
"""What stands before the 32 bytes of an Ed25519 key in its public key info (RFC 8410)."""
KEY_BYTES, SIGNATURE_BYTES = 32, 64


class NoCryptography(Exception):
    """Raised when signatures cannot be checked here; the message says how to get what is missing."""

    def __init__(self) -> None:
        super().__init__("signatures were NOT checked: this needs `pip install cryptography` (or ftk-arena[verify])")


def public_pem(key: str) -> bytes:
    """Return the PEM file of a public key in hexadecimal; raises ValueError for what is no key."""
    raw = bytes.fromhex(key)
    if len(raw) != KEY_BYTES:
        raise ValueError(f"an Ed25519 key is {KEY_BYTES} bytes, not {len(raw)}")
    return b"-----BEGIN PUBLIC KEY-----\n" + b64encode(PREFIX + raw) + b"\n-----END PUBLIC KEY-----\n"


def signs(key: str, signature: str, statement: bytes) -> bool:
    """Return whether the signature (in hexadecimal, as the key) is for these bytes; raises NoCryptography."""
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError as error:
        raise NoCryptography from error
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(signature), statement)
    except (ValueError, InvalidSignature):
        return False
    return True
