"""Django settings of every process. No environment variable is required.

deploy/README.md lists the environment variables.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from csp.constants import NONE, SELF

from deploy import formats
from deploy.config import accounts, contact, database_address, limits, logs, match_archive, openapi, telemetry, webhooks
from deploy.config.brand import read_brand_settings
from deploy.config.database import conninfo_of, django_database
from deploy.config.django_secret_key_file import stored_secret
from deploy.config.limits import BACKOFF, BODY_BYTES, BODY_BYTES_UNDER, GATE, REVIEWS, SEATS, THROTTLES, UPLOAD_ROOM
from deploy.environment import env
from deploy.messaging import broker

__all__ = ["BACKOFF", "BODY_BYTES", "BODY_BYTES_UNDER", "GATE", "REVIEWS", "SEATS", "THROTTLES", "UPLOAD_ROOM"]
BASE_DIR = Path(__file__).resolve().parent.parent
VAR = Path(env.str("FTK_VAR", default=str(BASE_DIR / "var"))).resolve()
POSTGRES_FOLDER = VAR / "postgres"
"""Data folder of the embedded PostgreSQL, which runs if DATABASE_URL is not set."""

DEBUG = env.bool("FTK_DEBUG", default=False)
HTTPS = env.bool("FTK_HTTPS", default=False)
"""If True, browsers use HTTPS, and the proxy in front of the web server sets X-Forwarded-Proto."""
SECRET_KEY = env.str("SECRET_KEY", default="") or stored_secret(VAR / "secret-key")
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
    "django.contrib.sitemaps",
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
    "foundation.branding",
    "foundation.ratelimits",
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
    "deploy.http.health_probes.HealthProbeMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "foundation.response_language.LanguageMiddleware",
    "foundation.ratelimits.limits.AddressRateLimitMiddleware",
    "foundation.ratelimits.headers.RateLimitHeadersMiddleware",
    "deploy.http.api_etags.ApiETagMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "django_structlog.middlewares.RequestMiddleware",
    "foundation.query_parameters.QueryParameterCheckMiddleware",
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
            ],
            "builtins": ["frontend.templatetags.brand_tags"],
        },
    }
]
ROOT_URLCONF = "deploy.urls"
ASGI_APPLICATION = "deploy.asgi.application"

# --- the database, Celery's broker and the Channels layer, all in the same PostgreSQL by default
DATABASE_URL = env.str("DATABASE_URL", default="") or database_address.url_of(POSTGRES_FOLDER)
DATABASES = {"default": django_database(DATABASE_URL, pool=env.int("DATABASE_POOL", default=0))}
DATABASE_AT_HAND = "deploy.supervisor.temporary_database.reachable_database"
"""Context manager in which management commands run; it starts the embedded PostgreSQL if the arena is down."""
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", default="") or broker.OWN_DATABASE
CELERY_BROKER_TRANSPORT_OPTIONS = broker.transport_options(CELERY_BROKER_URL, conninfo_of(DATABASES["default"]))
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # retry forever; by default a worker would end after a hundred attempts
CELERY_BROKER_CONNECTION_TIMEOUT = broker.ANSWER_SECONDS
CELERY_BROKER_NATIVE_DELAYED_DELIVERY_QUEUE_TYPE = "classic"  # for Celery's 28 queues for delays, which are unused
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_DEFAULT_QUEUE = "house"
CELERY_TASK_CREATE_MISSING_QUEUES = False
CELERY_TASK_QUEUES = broker.queues(CELERY_BROKER_URL)
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_LOST_WAIT = 1.0  # seconds until the task of a dead pool process counts as lost; ten by default
CELERY_WORKER_ENABLE_REMOTE_CONTROL = CELERY_WORKER_HIJACK_ROOT_LOGGER = False
# a match cannot go on without the arena's database, also the default broker; it goes on without a separate broker
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = CELERY_BROKER_URL.startswith("pgmq://")
CELERY_TIMEZONE = "UTC"
SWEEP_SECONDS = 2.0
"""Interval of the periodic tasks that look for due work and for work whose lease has expired."""
CELERY_BEAT_SCHEDULER = "deploy.messaging.beat_scheduler:ClockSetbackTolerantScheduler"
CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    task: {"task": task, "schedule": SWEEP_SECONDS, "options": {"expires": SWEEP_SECONDS}}
    for task in ("bots.sweep", "tournaments.sweep", "replays.count")
}
CELERY_BEAT_SCHEDULE |= webhooks.BEAT_ENTRIES | match_archive.BEAT_ENTRIES | accounts.BEAT_ENTRIES
SITE, WEBHOOK_PRIVATE = webhooks.SITE, webhooks.WEBHOOK_PRIVATE

CHANNEL_LAYER_URL = env.str("CHANNEL_LAYER_URL", default="")
CHANNEL_LAYERS = {"default": broker.channel_layer(CHANNEL_LAYER_URL, conninfo_of(DATABASES["default"]))}

# --- people
SIGNUP = accounts.read_signup_mode()
"""Sign-up policy: anybody (open), people with an invitation (invite), or only the first organiser (closed)."""
HAS_MAIL_SERVER = accounts.has_mail_server()  # without one an invitation confirms the address of its account
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
globals().update(accounts.ACCOUNT_SETTINGS)

# --- bots and matches
BOTS_FOLDER = VAR / "bots"
CAGE_FOLDER = VAR / "cage"
CLIPS, CLIPS_FOLDER, COMMENTS = limits.CLIPS, VAR / "clips", limits.COMMENTS
BOT_CAGE = env.str("BOT_CAGE", default="bwrap")
"""Sandbox backend of bots: bwrap, forkserver or landlock. There is no fallback if the backend does not work."""
BOT_CGROUP = env.bool("BOT_CGROUP", default=None)
"""If True, each bot gets its own cgroup below the worker's; if None, only where the worker's cgroup is delegated."""
METERED = env.bool("FTK_METERED", default=True)
"""If True, logs record the time of each decision. Tests set False, so that equal bots and seeds write equal bytes."""
BOT_WHEELS = str(Path(wheels).resolve()) if (wheels := env.str("BOT_WHEELS", default="")) else ""
"""Folder with libraries that Python bots may import (made by `pip install --target`); empty for none."""
BOT_PREBUILT, BOT_ANSWER_GRID = env.bool("BOT_PREBUILT", default=False), env.int("BOT_ANSWER_GRID", default=4)
"""True if bots may be static ELF programs. Factor of the geometric series to whose terms the answer times of bots are
rounded up (0: not rounded)."""
SIGNING_KEY = Path(env.str("FTK_SIGNING_KEY", default=str(VAR / "signing-key"))).resolve()
"""File with the private key that signs leagues, created on first use; all machines must have the same key."""
ARCHIVE_URL, ARCHIVE_AFTER = match_archive.url_of(VAR), match_archive.ARCHIVE_AFTER_DAYS
LEASE_SECONDS, WATCHDOG_SECONDS = env.int("FTK_LEASE_SECONDS", default=15), env.int("FTK_WATCHDOG_SECONDS", default=120)
"""Seconds until a match's lease expires. Seconds until the watchdog kills a process that hangs (0: never)."""
ATTEMPTS, LACK_SECONDS = 5, env.int("FTK_LACK_SECONDS", default=3600)
"""Maximum attempts at a match, trial or task. Maximum seconds a match waits for a worker with its bots' languages."""
TRIAL_SECONDS = 60
"""Seconds until the lease of a bot's trial (test after its upload) expires."""
RUNNING_EACH = env.int("FTK_RUNNING_EACH", default=1)
"""Maximum number of concurrent trials of one author, and also of concurrent friendly matches of one author."""
LADDER_RATE = env.int("FTK_LADDER_RATE", default=0)
"""Rated matches per hour on a game's continuous ladder for which staff have set no rate; 0 means none."""
BENCH_AFTER = env.int("FTK_BENCH_AFTER", default=5)
"""Number of crashes in a row after which a continuous ladder no longer pairs a bot version; 0 means never."""
WEIGHTS = {"league": 4, "friendly": 1, "ladder": 1, "seats": 1, "trials": 4, "audits": 1, "reviews": 1}
"""Weights by which workers divide the number of their jobs among several kinds of work."""

# --- the web interface and the API
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "bots.api.token_scope_permissions.HeaderTokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["bots.api.token_scope_permissions.ScopePermission"],
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_PAGINATION_CLASS": "foundation.query_parameters.StrictCursorPagination",
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["bots.api.strict_json_parser.StrictJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "PAGE_SIZE": 100,
    "DEFAULT_THROTTLE_CLASSES": ["foundation.ratelimits.headers.PersonThrottle"],
    "EXCEPTION_HANDLER": "foundation.problem_details.handle_exception",
}
PROXIES = env.int("FTK_PROXIES", default=0)
"""Number of proxies in front of the web server whose X-Forwarded-For entries are trusted."""
SECURITY_CONTACT = contact.read_contact(env.str("FTK_SECURITY_CONTACT", default=""))
"""Contact URI for /.well-known/security.txt, beginning with mailto:, https: or tel:."""
SPECTACULAR_SETTINGS = openapi.SETTINGS
BRAND, BRAND_LOGO, BRAND_SECONDS = read_brand_settings()
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
FILE_UPLOAD_PERMISSIONS = 0o600
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        **{name: [NONE] for name in ("default-src", "base-uri", "frame-ancestors")},
        **{name: [SELF] for name in ("connect-src", "font-src", "manifest-src", "script-src", "style-src")},
        "form-action": [SELF, *accounts.read_origins(accounts.SOCIALACCOUNT_PROVIDERS)],
        "img-src": [SELF, "data:"],
    }
}
SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_REFERRER_POLICY, X_FRAME_OPTIONS = "same-origin", "DENY"

UNFOLD = {"SHOW_HISTORY": False}
# --- static files: Vite names its output by content, so collectstatic is not needed
STATIC_URL, STATIC_ROOT = "/static/", VAR / "static"
HANDBOOK = str(BASE_DIR / "dist" / "handbook")
"""Folder of the documentation site, which `make docs` builds and `/docs/` serves."""
SERVESTATIC_USE_FINDERS, SERVESTATIC_AUTOREFRESH = True, DEBUG
DJANGO_VITE: dict[str, Any] = {
    "default": {
        "dev_mode": False,
        "static_url_prefix": "ui",
        "manifest_path": BASE_DIR / "frontend/static/ui/manifest.json",
    }
}

TIME_ZONE, USE_TZ = "UTC", True
METRICS_TOKEN, METRICS_PORT, METRICS_ADDRESS = telemetry.read_metrics_port(VAR)
TRACES_URL = telemetry.traces_url()
globals().update(formats.SETTINGS)
LOGGING = logs.configure(level=env.str("FTK_LOG_LEVEL", default="INFO"))
