"""Signatures of webhook messages as specified by Standard Webhooks (1.0.0, "Signature scheme")."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from base64 import b64decode, b64encode
from collections.abc import Iterable

PREFIX = "whsec_"
SECRET_BYTES = 32


def make_secret() -> str:
    """Return a random signing secret: ``whsec_`` and 32 bytes in base64."""
    return PREFIX + b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def make_message_id() -> str:
    """Return a random id for a webhook message."""
    return f"msg_{secrets.token_hex(14)}"


def sign_headers(key: str, at: int, body: bytes, signers: Iterable[str]) -> dict[str, str]:
    """Return the HTTP headers that identify and sign a webhook message, with one signature per secret.

    `key` is the message id, `at` the Unix time in seconds, and `signers` contains the secrets.

    >>> headers = sign_headers("msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}',
    ...                          ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"])
    >>> headers["webhook-signature"]
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
    """
    signatures = [_sign(f"{key}.{at}.".encode() + body, secret) for secret in signers]
    return {"webhook-id": key, "webhook-timestamp": str(at), "webhook-signature": " ".join(signatures)}


def _sign(content: bytes, secret: str) -> str:
    digest = hmac.new(b64decode(secret.removeprefix(PREFIX)), content, hashlib.sha256).digest()
    return f"v1,{b64encode(digest).decode()}"
