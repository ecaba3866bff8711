"""Settings of sign-up, sign-in and outgoing mail; all other settings of allauth keep their defaults."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from deploy.environment import env

SIGNUP_MODES = ("open", "invite", "closed")
MAIL_SECONDS = 15
"""Timeout in seconds for connections to the mail server, unless EMAIL_URL sets another."""
TO_TERMINAL = "deploy.mail_to_terminal.EmailBackend"


def read_signup_mode() -> str:
    """Return the sign-up policy (open, invite or closed) from FTK_SIGNUP; raises ImproperlyConfigured."""
    said = str(env.str("FTK_SIGNUP", default="invite"))
    if said not in SIGNUP_MODES:
        raise ImproperlyConfigured(f"FTK_SIGNUP must be one of {', '.join(SIGNUP_MODES)}, not {said[:40]!r}")
    return said


def has_mail_server() -> bool:
    """Return True if EMAIL_URL names a mail server; without one, mails are printed to the terminal."""
    return bool(env.str("EMAIL_URL", default=""))


def read_mail_settings() -> dict[str, Any]:
    """Return Django's mail settings. Without a mail server, mails are printed to the terminal.

    Raises ImproperlyConfigured if EMAIL_URL is set without EMAIL_FROM.
    """
    if not has_mail_server():
        return {"EMAIL_BACKEND": TO_TERMINAL, "DEFAULT_FROM_EMAIL": "arena@localhost"}
    told: dict[str, Any] = env.email_url("EMAIL_URL")
    sender = env.str("EMAIL_FROM", default="")
    if not sender:
        raise ImproperlyConfigured("EMAIL_URL needs EMAIL_FROM beside it, like EMAIL_FROM=arena@arena.example")
    known = {name: value for name, value in told.items() if name.startswith("EMAIL_") and name != "EMAIL_FILE_PATH"}
    known.setdefault("EMAIL_TIMEOUT", MAIL_SECONDS)
    return {**known, "DEFAULT_FROM_EMAIL": sender, "SERVER_EMAIL": sender}


def read_providers() -> dict[str, dict[str, Any]]:
    """Return allauth's settings for the external sign-in providers.

    Raises ImproperlyConfigured if a provider's environment variables are incomplete.
    """
    found = {}
    for name, more in (("github", ()), ("gitlab", ("URL",)), ("openid_connect", ("NAME", "URL"))):
        word = "OIDC" if name == "openid_connect" else name.upper()
        client = env.str(f"FTK_{word}_ID", default="")
        if client:
            said = {part: env.str(f"FTK_{word}_{part}", default="") for part in ("SECRET", *more)}
            if missing := [part for part, value in said.items() if not value and (part, name) != ("URL", "gitlab")]:
                raise ImproperlyConfigured(f"FTK_{word}_ID needs FTK_{word}_{missing[0]} beside it")
            found[name] = {"APPS": [_provider_app(name, client, said)]}
    return found


def _provider_app(name: str, client: str, said: dict[str, str]) -> dict[str, Any]:
    told: dict[str, Any] = {"client_id": client, "secret": said["SECRET"]}
    if name == "gitlab" and said["URL"]:
        told["settings"] = {"gitlab_url": said["URL"]}
    if name == "openid_connect":
        told |= {"provider_id": "oidc", "name": said["NAME"], "settings": {"server_url": said["URL"]}}
    return told


def read_origins(found: dict[str, dict[str, Any]]) -> list[str]:
    """Return the URL origins of the sign-in providers, for the form-action of the Content-Security-Policy.

    FTK_OIDC_ORIGINS adds origins to which the sign-in page of an OpenID Connect provider leads on.
    """
    usual = {"github": "https://github.com", "gitlab": "https://gitlab.com"}
    urls = []
    for name, row in found.items():
        told = row["APPS"][0].get("settings", {})
        urls.append(urlsplit(told.get("gitlab_url") or told.get("server_url") or usual.get(name, "")))
    more = env.list("FTK_OIDC_ORIGINS", default=[]) if "openid_connect" in found else []
    return [*(f"{url.scheme}://{url.netloc}" for url in urls), *more]


ACCOUNT_ADAPTER = "people.allauth_adapter.AccountAdapter"
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = (
    True  # a code is typed on the page that requested it, and unlike a link it does not appear in logs
)
ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_RESEND = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_LOGIN_ON_PASSWORD_RESET = False
ACCOUNT_PASSWORD_RESET_BY_CODE_ENABLED = True
ACCOUNT_PASSWORD_RESET_BY_CODE_TIMEOUT = 15 * 60
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*"]
ACCOUNT_USERNAME_BLACKLIST = ["house"]  # the account in people.built_in_bot_owner
ACCOUNT_USERNAME_MIN_LENGTH = 2
ACCOUNT_USERNAME_VALIDATORS = "people.allauth_adapter.NAME_VALIDATORS"
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
SOCIALACCOUNT_AUTO_SIGNUP = False  # people choose their name in a form
SOCIALACCOUNT_PROVIDERS = read_providers()
APPS = [
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    *(f"allauth.socialaccount.providers.{name}" for name in SOCIALACCOUNT_PROVIDERS),
]
VALIDATION = "django.contrib.auth.password_validation"
AUTH_PASSWORD_VALIDATORS: list[dict[str, Any]] = [
    {"NAME": f"{VALIDATION}.UserAttributeSimilarityValidator"},
    {"NAME": f"{VALIDATION}.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": f"{VALIDATION}.CommonPasswordValidator"},
]
BEAT_ENTRIES: dict[str, dict[str, Any]] = {
    "people.delete_expired_sessions": {"task": "people.delete_expired_sessions", "schedule": 3600.0}
}
"""Celery beat entries. Every hour delete expired sessions, and the sign-ins of ended sessions."""
ACCOUNT_SETTINGS = {
    name: value for name, value in globals().items() if name.startswith(("ACCOUNT_", "AUTH_", "MFA_", "SOCIAL"))
}
ACCOUNT_SETTINGS |= read_mail_settings()
