"""Check of FTK_SECURITY_CONTACT, the contact address for reports of security problems."""

from __future__ import annotations

from django.core.exceptions import ImproperlyConfigured

SCHEMES = ("mailto:", "https://", "tel:")


def read_contact(text: str) -> str:
    """Check a contact URI for security.txt and return it; raises ImproperlyConfigured if RFC 9116 forbids it."""
    if text and not (text.startswith(SCHEMES) and text.isprintable() and " " not in text):
        raise ImproperlyConfigured(
            f"FTK_SECURITY_CONTACT must be like mailto:security@arena.example, not {text[:80]!r}"
        )
    return text
