"""Key with which the server signs rounds and results of leagues: Ed25519, in a file."""
# The file is created on first use.

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


class SigningKeyError(Exception):
    """Raised if the key file contains no valid key."""

    # The message names the file and never shows its content.


class LeagueLogSigner:
    """Signer of statements about leagues, with one Ed25519 private key."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key

    @property
    def public(self) -> str:
        """Raw public key in hexadecimal."""
        return self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()

    def sign(self, statement: bytes) -> str:
        """Return the Ed25519 signature of a message in hexadecimal."""
        return self._key.sign(statement).hex()


def load_signer() -> LeagueLogSigner:
    """Return a signer with the server's key.

    Raises SigningKeyError for an invalid key, or OSError if the file is not accessible.
    """
    return _load_signer(Path(settings.SIGNING_KEY))


@cache
def _load_signer(file: Path) -> LeagueLogSigner:
    if not file.exists():
        _create_key(file)
    try:
        key = load_pem_private_key(file.read_bytes(), password=None)
    except (ValueError, TypeError):
        raise SigningKeyError(f"{file} holds no private key in PEM without a password") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise SigningKeyError(f"{file} holds another kind of key than Ed25519")
    return LeagueLogSigner(key)


def _create_key(file: Path) -> None:
    """Create a key file that only its owner may read; keep a file that exists already."""
    file.parent.mkdir(parents=True, exist_ok=True)
    pem = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    # a temporary file is private to its owner; linking it is atomic, and fails if the key file exists already
    with NamedTemporaryFile(dir=file.parent, prefix=f".{file.name}.") as draft:
        draft.write(pem)
        draft.flush()
        with suppress(FileExistsError):
            os.link(draft.name, file)
