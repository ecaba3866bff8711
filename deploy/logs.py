"""How every process writes its log: one line per event, the same for our own and for others' loggers."""

from __future__ import annotations

import logging
import re
import shutil
from pathlib import Path
from typing import Any

import structlog

from ftk_core.kit.tokens import hidden


def hush(_logger: Any, _name: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """Leave out of a line what opens something; whoever is refused has its address written."""
    return {word: SECRET.sub(r"\1...", said) if isinstance(said, str) else said for word, said in event.items()}


SHARED: tuple[structlog.typing.Processor, ...] = (
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    hush,
)
SECRET = re.compile(r"(/invitation/|[?&](?:code|state)=)[^/&\s']+")
"""What stands in an address and opens something: an invitation's token, the code of another service."""
MOST_BYTES = 8 * 1024 * 1024
"""A log that is larger is put aside."""
KEPT = 3
"""How many that were put aside are kept of each."""


def configure(level: str) -> dict[str, Any]:
    """Set structlog up and return Django's LOGGING."""
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
    """Writes events as lines in which no token can be read, whoever put it there: not even in what a fault quotes."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, with what comes of a fault behind it."""
        return hidden(super().format(record))


def rotate(folder: Path) -> None:
    """Put aside what has grown too large: as ``web.log.1``, what was that as ``web.log.2``, and so on.

    The log is copied and emptied, as those who append to it hold it open.
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
