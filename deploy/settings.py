"""The settings of every process. Nothing need be set: the defaults are one machine with its own PostgreSQL.

What the environment may say is listed in deploy/README.md; everything written at run time is under FTK_VAR.
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
"""The data of the embedded PostgreSQL, which runs when DATABASE_URL is not set."""

DEBUG = env.bool("FTK_DEBUG", default=False)
HTTPS = env.bool("FTK_HTTPS", default=False)
"""Whether browsers reach us by HTTPS, through a proxy that says so in X-Forwarded-Proto."""
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

# --- the database, the broker, the channel layer: all three the same PostgreSQL unless told otherwise
DATABASE_URL = env.str("DATABASE_URL", default="") or address.url_of(POSTGRES_FOLDER)
DATABASES = {"default": django_database(DATABASE_URL, pool=env.int("DATABASE_POOL", default=0))}
DATABASE_AT_HAND = "deploy.supervisor.at_hand.at_hand"
"""What our commands work in: it starts the embedded PostgreSQL for them while the arena is down."""
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", default="") or broker.OWN_DATABASE
CELERY_BROKER_TRANSPORT_OPTIONS = broker.transport_options(CELERY_BROKER_URL, conninfo_of(DATABASES["default"]))
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # for ever; after a hundred a worker would end
CELERY_BROKER_CONNECTION_TIMEOUT = broker.ANSWER_SECONDS
CELERY_BROKER_NATIVE_DELAYED_DELIVERY_QUEUE_TYPE = "classic"  # of 28 queues Celery makes for delays that we do not use
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_DEFAULT_QUEUE = "house"
CELERY_TASK_CREATE_MISSING_QUEUES = False
CELERY_TASK_QUEUES = broker.queues(CELERY_BROKER_URL)
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_LOST_WAIT = 1.0  # a worker whose process died takes no other match for so long; ten seconds by default
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
# without the database a match cannot go on; without a broker of its own nothing is missing but the doorbell
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = CELERY_BROKER_URL.startswith("pgmq://")
CELERY_TIMEZONE = "UTC"
SWEEP_SECONDS = 2.0
"""How often a sweeper looks for what nobody holds."""
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
"""Who may sign up: anybody (open), who was invited (invite), or nobody but the first organiser (closed)."""
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
LOGIN_URL, LOGIN_REDIRECT_URL, LOGOUT_REDIRECT_URL = "account_login", "account", "home"
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not HTTPS  # browsers hand out passkeys without HTTPS on localhost alone
CACHES = {  # of all processes together: allauth counts tries in it, and what was used up
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
"""How bots are contained: bwrap, forkserver or landlock; never changed silently, and recorded with each match."""
BOT_CGROUP = env.bool("BOT_CGROUP", default=None)
"""Whether each bot also gets a cgroup of its own, delegated to the worker by the machine; None: where it has been."""
METERED = env.bool("FTK_METERED", default=True)
"""Whether logs say what each decision cost; without, the same bots and seeds write the same bytes, as tests want."""
BOT_WHEELS = env.str("BOT_WHEELS", default="")
"""A folder with libraries that Python bots may import (as `pip install --target` makes it); empty for none."""
BOT_PREBUILT, BOT_ANSWER_GRID = env.bool("BOT_PREBUILT", default=False), env.int("BOT_ANSWER_GRID", default=4)
"""Permission for static ELF programs; factor between the times at which answers are released (0: at once)."""
SIGNING_KEY = Path(env.str("FTK_SIGNING_KEY", default=str(VAR / "signing-key"))).resolve()
"""The file with the key that signs leagues, made when it is first needed; all machines must have the same."""
ARCHIVE_URL, ARCHIVE_AFTER = archive.url_of(VAR), archive.AFTER
LEASE_SECONDS, WATCHDOG_SECONDS = env.int("FTK_LEASE_SECONDS", default=15), env.int("FTK_WATCHDOG_SECONDS", default=120)
"""How long a match stays its worker's without a sign of life, and how long its process lives on (0: for ever)."""
ATTEMPTS, LACK_SECONDS = 5, env.int("FTK_LACK_SECONDS", default=3600)
"""How many workers may die playing a match before it is given up, and how long it waits for one with its languages."""
TRIAL_SECONDS = 60
"""How long a trial stays its worker's without a sign of life."""
RUNNING_EACH = env.int("FTK_RUNNING_EACH", default=1)
"""How many trials of one author are played at the same time, and how many friendly matches."""
LADDER_RATE = env.int("FTK_LADDER_RATE", default=0)
"""How many bouts an hour the continuous ladder of a game calls for which staff has set nothing; 0 is none."""
BENCH_AFTER = env.int("FTK_BENCH_AFTER", default=5)
"""In how many matches of a continuous ladder in a row a version crashes before it is called no more; 0 is for ever."""
WEIGHTS = {"league": 4, "friendly": 1, "ladder": 1, "seats": 1, "trials": 4, "audits": 1, "reviews": 1}
"""How a worker that serves several kinds divides itself among those that wait."""

# --- the doors
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
"""How many proxies of ours stand before the web server; X-Forwarded-For is believed as far as that, else not at all."""
SECURITY_CONTACT = contact.read(env.str("FTK_SECURITY_CONTACT", default=""))
"""Where to report what is unsafe, for /.well-known/security.txt: an address that begins with mailto: or https:."""
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

# --- static files: Vite names what it builds by its content, so nothing need be collected
STATIC_URL = "/static/"
STATIC_ROOT = VAR / "static"
SERVESTATIC_USE_FINDERS = True
HANDBOOK = str(BASE_DIR / "dist" / "handbook")
"""Where `make docs` puts the site that `/docs/` serves."""
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
