"""Logging configuration of every process: one line per event, for our own loggers and others'."""

from __future__ import annotations

import logging
import re
import shutil
from pathlib import Path
from typing import Any

import structlog

from ftk_core.kit.tokens import hidden


def hush(_logger: Any, _name: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """Remove secrets from an event; a refused request has its URL logged."""
    return {word: SECRET.sub(r"\1...", said) if isinstance(said, str) else said for word, said in event.items()}


SHARED: tuple[structlog.typing.Processor, ...] = (
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    hush,
)
SECRET = re.compile(r"(/invitation/|[?&](?:code|state)=)[^/&\s']+")
"""Secrets in URLs: an invitation's token, the code of an external sign-in."""
MOST_BYTES = 8 * 1024 * 1024
"""Size at which a log is rotated."""
KEPT = 3
"""Number of rotated files kept per log."""


def configure(level: str) -> dict[str, Any]:
    """Configure structlog and return Django's LOGGING."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *SHARED,
            structlog.processors.format_exc_info,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    formatter = {
        "()": Lines,
        "processor": structlog.processors.KeyValueRenderer(key_order=["timestamp", "level", "logger", "event"]),
        "foreign_pre_chain": SHARED,
    }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": formatter},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["console"], "level": level},
        "loggers": {"django_structlog": {"level": "WARNING"}, "celery": {"level": "WARNING"}},
    }


class Lines(structlog.stdlib.ProcessorFormatter):
    """Formatter that removes every token from a line, even from quoted exceptions."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, followed by the traceback."""
        return hidden(super().format(record))


def rotate(folder: Path) -> None:
    """Rotate large logs: ``web.log`` becomes ``web.log.1``, that one ``web.log.2``, and so on.

    The log is copied and truncated, because its writers hold it open.
    """
    for log in folder.glob("*.log"):
        if log.stat().st_size <= MOST_BYTES:
            continue
        for number in range(KEPT, 1, -1):
            older = log.with_name(f"{log.name}.{number - 1}")
            if older.exists():
                older.replace(log.with_name(f"{log.name}.{number}"))
        aside = log.with_name(f"{log.name}.1")
        aside.touch(mode=0o600)
        shutil.copyfile(log, aside)
        with log.open("r+b") as emptied:
            emptied.truncate()
