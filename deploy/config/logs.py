"""Logging configuration of every process: one line per event, for structlog and for standard library loggers."""

from __future__ import annotations

import errno
import logging
import re
import shutil
from pathlib import Path
from typing import Any

import structlog

from ftk_core.kit.client.api_token_format import redact_tokens


def redact_secrets(_logger: Any, _name: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """Mask secrets in the URLs of a log event, and return the event."""
    # The URL of a refused request may include an invitation or a sign-in code.
    return {word: SECRET_PATTERN.sub(r"\1...", said) if isinstance(said, str) else said for word, said in event.items()}


SHARED_PROCESSORS: tuple[structlog.typing.Processor, ...] = (
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    redact_secrets,
)
SECRET_PATTERN = re.compile(r"(/invitation/|[?&](?:code|state)=)[^/&\s']+")
"""Pattern of secrets in URLs: the token of an invitation, and the code or state of an external sign-in."""
MAX_LOG_BYTES = 8 * 1024 * 1024
"""Size at which a log file is rotated."""
MAX_ROTATED_FILES = 3
"""Number of rotated files kept per log file."""
DISK_FULL = {errno.ENOSPC, errno.EDQUOT}


def configure(level: str) -> dict[str, Any]:
    """Configure structlog and return the value for Django's setting LOGGING."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *SHARED_PROCESSORS,
            structlog.processors.format_exc_info,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    formatter = {
        "()": TokenRedactingFormatter,
        "processor": structlog.processors.KeyValueRenderer(key_order=["timestamp", "level", "logger", "event"]),
        "foreign_pre_chain": SHARED_PROCESSORS,
    }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": formatter},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["console"], "level": level},
        "loggers": {"django_structlog": {"level": "WARNING"}, "celery": {"level": "WARNING"}},
    }


class TokenRedactingFormatter(structlog.stdlib.ProcessorFormatter):
    """Formatter that removes every API token from a log line, even from tracebacks."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the log line, followed by the traceback if there is one, without tokens."""
        return redact_tokens(super().format(record))


def rotate(folder: Path) -> list[OSError]:
    """Rotate the log files in a folder that are larger than `MAX_LOG_BYTES`. Return the errors that occurred."""
    # Copy and truncate, because other processes hold the file open. If the disk is full, truncate without a copy.
    errors = []
    try:
        logs = list(folder.glob("*.log"))
    except OSError as error:
        return [error]
    for log in logs:
        try:
            if log.stat().st_size > MAX_LOG_BYTES:
                _rotate_file(log)
        except OSError as error:
            errors.append(error)
    return errors


def _rotate_file(log: Path) -> None:
    draft = log.with_name(f"{log.name}.0")
    try:
        draft.touch(mode=0o600)
        shutil.copyfile(log, draft)
    except OSError as error:
        if error.errno not in DISK_FULL:
            raise
        draft.unlink(missing_ok=True)
    else:
        for number in range(MAX_ROTATED_FILES, 0, -1):
            newer = log.with_name(f"{log.name}.{number - 1}")
            if newer.exists():
                newer.replace(log.with_name(f"{log.name}.{number}"))
    with log.open("r+b") as emptied:
        emptied.truncate()
