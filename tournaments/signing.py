"""Signature of the server: an Ed25519 key in a separate file, created on first use."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import NamedTemporaryFile

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)
from django.conf import settings


class WrongKey(Exception):
    """Raised when the key file holds something else; the message names the file, not its content."""


class Signer:
    """Signer with one key."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key

    @property
    def public(self) -> str:
        """Public key in hexadecimal."""
        return self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()

    def sign(self, statement: bytes) -> str:
        """Return the signature of these bytes in hexadecimal."""
        return self._key.sign(statement).hex()


def signer() -> Signer:
    """Return the signer of this server; raises WrongKey, or OSError if the key cannot be read or stored."""
    return _signer(Path(settings.SIGNING_KEY))


@cache
def _signer(file: Path) -> Signer:
    if not file.exists():
        _make(file)
    try:
        key = load_pem_private_key(file.read_bytes(), password=None)
    except (ValueError, TypeError):
        raise WrongKey(f"{file} holds no private key in PEM without a password") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise WrongKey(f"{file} holds another kind of key than Ed25519")
    return Signer(key)


def _make(file: Path) -> None:
    """Write a new key that only its owner may read, unless another process is quicker."""
    file.parent.mkdir(parents=True, exist_ok=True)
    pem = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    # a temporary file is private to its owner, and linking it is atomic: it appears whole or fails if one exists
    with NamedTemporaryFile(dir=file.parent, prefix=f".{file.name}.") as draft:
        draft.write(pem)
        draft.flush()
        with suppress(FileExistsError):
            os.link(draft.name, file)
