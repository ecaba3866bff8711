"""Signatures of webhooks by the Standard Webhooks specification (1.0.0, "Signature scheme")."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from base64 import b64decode, b64encode
from collections.abc import Iterable

PREFIX = "whsec_"
SECRET_BYTES = 32


def new_secret() -> str:
    """Return a random secret in the specification's format: ``whsec_`` and 32 bytes in base64."""
    return PREFIX + b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def new_key() -> str:
    """Return a random id for a message."""
    return f"msg_{secrets.token_hex(14)}"


def signed_headers(key: str, at: int, body: bytes, signers: Iterable[str]) -> dict[str, str]:
    """Return the headers of a message sent at a time (seconds since 1970), signed with each of the secrets.

    >>> headers = signed_headers("msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}',
    ...                          ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"])
    >>> headers["webhook-signature"]
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
    """
    signatures = [_signature(f"{key}.{at}.".encode() + body, secret) for secret in signers]
    return {"webhook-id": key, "webhook-timestamp": str(at), "webhook-signature": " ".join(signatures)}


def _signature(content: bytes, secret: str) -> str:
    digest = hmac.new(b64decode(secret.removeprefix(PREFIX)), content, hashlib.sha256).digest()
    return f"v1,{b64encode(digest).decode()}"
