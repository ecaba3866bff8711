"""Public Ed25519 keys and verification of signatures, if the package `cryptography` is installed."""

from __future__ import annotations

from base64 import b64encode

PREFIX = bytes.fromhex("302a300506032b6570032100")
"""DER prefix of the 32 bytes of an Ed25519 key in its SubjectPublicKeyInfo (RFC 8410)."""
KEY_BYTES, SIGNATURE_BYTES = 32, 64


class NoCryptography(Exception):
    """Raised if signatures cannot be checked here; the message says what to install."""

    def __init__(self) -> None:
        super().__init__("signatures were NOT checked: this needs `pip install cryptography` (or ftk-arena[verify])")


def public_pem(key: str) -> bytes:
    """Return a public key in hexadecimal as a PEM file; raises ValueError for an invalid key."""
    raw = bytes.fromhex(key)
    if len(raw) != KEY_BYTES:
        raise ValueError(f"an Ed25519 key is {KEY_BYTES} bytes, not {len(raw)}")
    return b"-----BEGIN PUBLIC KEY-----\n" + b64encode(PREFIX + raw) + b"\n-----END PUBLIC KEY-----\n"


def signs(key: str, signature: str, statement: bytes) -> bool:
    """Verify a signature of these bytes (key and signature in hexadecimal); raises NoCryptography."""
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
