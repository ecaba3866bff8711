"""Calendar files in the iCalendar format (RFC 5545)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

MAX_LINE_BYTES = 75
"""Maximum number of bytes in a line, without the line end (RFC 5545, section 3.1)."""
EVENT_COMPONENT = "VEVENT"


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarEvent:
    """An event in a calendar file; `ends` is None for an event without an end."""

    uid: str
    begins: datetime
    ends: datetime | None
    summary: str
    description: str
    url: str


def write_calendar(name: str, events: Iterable[CalendarEvent]) -> str:
    """Return the text of a calendar file with these events."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//ftk-arena//Rounds//EN", f"X-WR-CALNAME:{escape_text(name)}"]
    for event in events:
        lines += _list_event_lines(event)
    lines.append("END:VCALENDAR")
    return "".join(fold_line(line) + "\r\n" for line in lines)


def _list_event_lines(event: CalendarEvent) -> list[str]:
    ends = max(event.ends, event.begins + timedelta(seconds=1)) if event.ends else None
    return [
        f"BEGIN:{EVENT_COMPONENT}",
        f"UID:{escape_text(event.uid)}",
        f"DTSTAMP:{_format_time(event.begins)}",
        f"DTSTART:{_format_time(event.begins)}",
        *([f"DTEND:{_format_time(ends)}"] if ends else []),
        f"SUMMARY:{escape_text(event.summary)}",
        f"DESCRIPTION:{escape_text(event.description)}",
        f"URL:{event.url}",
        f"END:{EVENT_COMPONENT}",
    ]


def _format_time(time: datetime) -> str:
    return time.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def escape_text(text: str) -> str:
    """Return a text with the escapes of RFC 5545 for backslashes, semicolons, commas and line ends."""
    for mark in ("\\", ";", ","):
        text = text.replace(mark, f"\\{mark}")
    return text.replace("\r\n", "\\n").replace("\n", "\\n").replace("\r", "\\n")


def fold_line(line: str) -> str:
    """Break a long line into lines of at most 75 bytes (RFC 5545, section 3.1)."""
    parts, room = [""], MAX_LINE_BYTES
    for character in line:
        size = len(character.encode())
        if size > room:
            parts.append(" ")
            room = MAX_LINE_BYTES - 1
        parts[-1] += character
        room -= size
    return "\r\n".join(parts)
