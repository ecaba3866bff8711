"""Settings of every process. None is required: the default is one machine with its own PostgreSQL.

deploy/README.md lists the environment variables; all files written at run time are under FTK_VAR.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import environ
from csp.constants import NONE, SELF

from deploy import accounts, address, allowances, archive, contact, formats, logs, measures, openapi, outside
from deploy.allowances import BACKOFF, BODY_BYTES, BODY_BYTES_ELSEWHERE, GATE, REVIEWS, SEATS, THROTTLES, UPLOAD_ROOM
from deploy.database import conninfo_of, django_database
from deploy.messaging import broker
from deploy.secret import kept_secret

__all__ = ["BACKOFF", "BODY_BYTES", "BODY_BYTES_ELSEWHERE", "GATE", "REVIEWS", "SEATS", "THROTTLES", "UPLOAD_ROOM"]
env = environ.Env()
BASE_DIR = Path(__file__).resolve().parent.parent
VAR = Path(env.str("FTK_VAR", default=str(BASE_DIR / "var"))).resolve()
POSTGRES_FOLDER = VAR / "postgres"
"""Data folder of the embedded PostgreSQL, which runs if DATABASE_URL is not set."""

DEBUG = env.bool("FTK_DEBUG", default=False)
HTTPS = env.bool("FTK_HTTPS", default=False)
"""If True, browsers reach us by HTTPS through a proxy that sets X-Forwarded-Proto."""
SECRET_KEY = env.str("SECRET_KEY", default="") or kept_secret(VAR / "secret-key")
ALLOWED_HOSTS: list[str] = env.list("ALLOWED_HOSTS", default=["127.0.0.1", "localhost", "[::1]"])
CSRF_TRUSTED_ORIGINS: list[str] = env.list("CSRF_TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    "unfold.apps.BasicAppConfig",
    "django.contrib.admin.apps.SimpleAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.sessions",
    "servestatic",
    "django.contrib.staticfiles",
    "channels",
    "csp",
    "django_filters",
    "django_htmx",
    "django_structlog",
    "django_vite",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "rest_framework",
    "people",
    "bots",
    "replays",
    "tournaments",
    "notices",
    "frontend",
    "deploy",
    *accounts.APPS,
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "servestatic.middleware.ServeStaticMiddleware",
    "foundation.tongues.Tongue",
    "foundation.throttles.ByAddress",
    "foundation.allowances.Allowances",
    "foundation.problems.Unchanged",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "django_structlog.middlewares.RequestMiddleware",
    "foundation.words.KnownWords",
    "allauth.account.middleware.AccountMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
ROOT_URLCONF = "deploy.urls"
ASGI_APPLICATION = "deploy.asgi.application"

# --- the database, the broker, the channel layer: all three the same PostgreSQL by default
DATABASE_URL = env.str("DATABASE_URL", default="") or address.url_of(POSTGRES_FOLDER)
DATABASES = {"default": django_database(DATABASE_URL, pool=env.int("DATABASE_POOL", default=0))}
DATABASE_AT_HAND = "deploy.supervisor.at_hand.at_hand"
"""Context manager around our commands: it starts the embedded PostgreSQL while the arena is down."""
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", default="") or broker.OWN_DATABASE
CELERY_BROKER_TRANSPORT_OPTIONS = broker.transport_options(CELERY_BROKER_URL, conninfo_of(DATABASES["default"]))
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # retry forever; by default a worker would end after a hundred attempts
CELERY_BROKER_CONNECTION_TIMEOUT = broker.ANSWER_SECONDS
CELERY_BROKER_NATIVE_DELAYED_DELIVERY_QUEUE_TYPE = "classic"  # for Celery's 28 queues for delays, which we do not use
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_DEFAULT_QUEUE = "house"
CELERY_TASK_CREATE_MISSING_QUEUES = False
CELERY_TASK_QUEUES = broker.queues(CELERY_BROKER_URL)
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_LOST_WAIT = 1.0  # pause of a worker whose process died; ten seconds by default
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
# without the database a match cannot go on; without a separate broker only task messages are missing
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = CELERY_BROKER_URL.startswith("pgmq://")
CELERY_TIMEZONE = "UTC"
SWEEP_SECONDS = 2.0
"""Interval at which the sweepers look for work that nobody holds."""
CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    task: {"task": task, "schedule": SWEEP_SECONDS, "options": {"expires": SWEEP_SECONDS}}
    for task in ("bots.sweep", "tournaments.sweep", "replays.count")
}
CELERY_BEAT_SCHEDULE |= outside.BEAT | archive.BEAT
SITE, WEBHOOK_PRIVATE = outside.SITE, outside.WEBHOOK_PRIVATE

CHANNEL_LAYER_URL = env.str("CHANNEL_LAYER_URL", default="")
CHANNEL_LAYERS = {"default": broker.channel_layer(CHANNEL_LAYER_URL, conninfo_of(DATABASES["default"]))}

# --- people
SIGNUP = accounts.sign_up()
"""Sign-up policy: anybody (open), people with an invitation (invite), or only the first organiser (closed)."""
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
LOGIN_URL, LOGIN_REDIRECT_URL, LOGOUT_REDIRECT_URL = "account_login", "account", "home"
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not HTTPS  # without HTTPS, browsers support passkeys on localhost only
CACHES = {  # shared by all processes: allauth counts attempts and used codes in it
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "people_cache",
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    }
}
globals().update(accounts.EVERYTHING)

# --- bots and matches
BOTS_FOLDER = VAR / "bots"
CAGE_FOLDER = VAR / "cage"
CLIPS, CLIPS_FOLDER = allowances.CLIPS, VAR / "clips"
BOT_CAGE = env.str("BOT_CAGE", default="bwrap")
"""Sandbox backend of bots: bwrap, forkserver or landlock; never changed silently, and recorded with each match."""
BOT_CGROUP = env.bool("BOT_CGROUP", default=None)
"""If True, each bot gets its own cgroup, delegated to the worker by the machine; None: if delegation exists."""
METERED = env.bool("FTK_METERED", default=True)
"""If True, logs record the cost of each decision; if False, the same bots and seeds write the same bytes, for tests."""
BOT_WHEELS = env.str("BOT_WHEELS", default="")
"""Folder with libraries that Python bots may import (made by `pip install --target`); empty for none."""
BOT_PREBUILT, BOT_ANSWER_GRID = env.bool("BOT_PREBUILT", default=False), env.int("BOT_ANSWER_GRID", default=4)
"""Permission for static ELF programs; factor between the times at which answers are released (0: at once)."""
SIGNING_KEY = Path(env.str("FTK_SIGNING_KEY", default=str(VAR / "signing-key"))).resolve()
"""File with the key that signs leagues, created on first use; all machines must have the same."""
ARCHIVE_URL, ARCHIVE_AFTER = archive.url_of(VAR), archive.AFTER
LEASE_SECONDS, WATCHDOG_SECONDS = env.int("FTK_LEASE_SECONDS", default=15), env.int("FTK_WATCHDOG_SECONDS", default=120)
"""Seconds until a lease expires, and until the watchdog ends a process that does not respond (0: never)."""
ATTEMPTS, LACK_SECONDS = 5, env.int("FTK_LACK_SECONDS", default=3600)
"""Attempts of a match before it is given up, and how long it waits for a worker with its languages."""
TRIAL_SECONDS = 60
"""Seconds until the lease of a trial expires."""
RUNNING_EACH = env.int("FTK_RUNNING_EACH", default=1)
"""Maximum number of concurrent trials of one author, and of concurrent friendly matches."""
LADDER_RATE = env.int("FTK_LADDER_RATE", default=0)
"""Bouts an hour of a continuous ladder for which staff has set no rate; 0 is none."""
BENCH_AFTER = env.int("FTK_BENCH_AFTER", default=5)
"""Number of crashes in a row after which a version is benched on a continuous ladder; 0 is never."""
WEIGHTS = {"league": 4, "friendly": 1, "ladder": 1, "seats": 1, "trials": 4, "audits": 1, "reviews": 1}
"""Weights by which a worker of several kinds divides its time among those that have work."""

# --- the web interface and the API
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "bots.scopes.ByToken",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["bots.scopes.InScope"],
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_PAGINATION_CLASS": "foundation.words.Pages",
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "PAGE_SIZE": 100,
    "DEFAULT_THROTTLE_CLASSES": ["foundation.allowances.ByPerson"],
    "EXCEPTION_HANDLER": "foundation.problems.handle",
}
PROXIES = env.int("FTK_PROXIES", default=0)
"""Number of our proxies before the web server, whose X-Forwarded-For entries are trusted; 0 trusts none."""
SECURITY_CONTACT = contact.read(env.str("FTK_SECURITY_CONTACT", default=""))
"""Contact for /.well-known/security.txt: an address that begins with mailto: or https:."""
SPECTACULAR_SETTINGS = openapi.SETTINGS
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
FILE_UPLOAD_PERMISSIONS = 0o600
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "base-uri": [NONE],
        "connect-src": [SELF],
        "font-src": [SELF],
        "form-action": [SELF, *accounts.origins(accounts.SOCIALACCOUNT_PROVIDERS)],
        "frame-ancestors": [NONE],
        "img-src": [SELF, "data:"],
        "script-src": [SELF],
        "style-src": [SELF],
    }
}
SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

UNFOLD = {"SITE_TITLE": "The Court: staff", "SITE_HEADER": "The Court: staff", "SHOW_HISTORY": False}

# --- static files: Vite names its output by content, so collectstatic is not needed
STATIC_URL = "/static/"
STATIC_ROOT = VAR / "static"
SERVESTATIC_USE_FINDERS = True
HANDBOOK = str(BASE_DIR / "dist" / "handbook")
"""Folder of the site that `make docs` builds and `/docs/` serves."""
SERVESTATIC_AUTOREFRESH = DEBUG
DJANGO_VITE: dict[str, Any] = {
    "default": {
        "dev_mode": False,
        "static_url_prefix": "ui",
        "manifest_path": BASE_DIR / "frontend" / "static" / "ui" / "manifest.json",
    }
}

TIME_ZONE, USE_TZ = "UTC", True
METRICS_TOKEN, METRICS_PORT, METRICS_ADDRESS = measures.read(VAR)
TRACES_URL = measures.traces_url()
globals().update(formats.TONGUES)
LOGGING = logs.configure(level=env.str("FTK_LOG_LEVEL", default="INFO"))
