"""Calendars in the format of RFC 5545: lines of at most 75 bytes, special characters escaped."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

LONGEST = 75
"""Bytes in a line, without its end."""
EVENT = "VEVENT"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A calendar event; its end is optional."""

    uid: str
    begins: datetime
    ends: datetime | None
    summary: str
    description: str
    url: str


def calendar(name: str, events: Iterable[Event]) -> str:
    """Return a calendar as text, with the line ends of the format."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//The Court//Rounds//EN", f"X-WR-CALNAME:{escaped(name)}"]
    for event in events:
        lines += _lines_of(event)
    lines.append("END:VCALENDAR")
    return "".join(folded(line) + "\r\n" for line in lines)


def _lines_of(event: Event) -> list[str]:
    ends = max(event.ends, event.begins + timedelta(seconds=1)) if event.ends else None
    return [
        f"BEGIN:{EVENT}",
        f"UID:{escaped(event.uid)}",
        f"DTSTAMP:{_time(event.begins)}",
        f"DTSTART:{_time(event.begins)}",
        *([f"DTEND:{_time(ends)}"] if ends else []),
        f"SUMMARY:{escaped(event.summary)}",
        f"DESCRIPTION:{escaped(event.description)}",
        f"URL:{event.url}",
        f"END:{EVENT}",
    ]


def _time(time: datetime) -> str:
    return time.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def escaped(text: str) -> str:
    """Return a text with a backslash before special characters."""
    for mark in ("\\", ";", ","):
        text = text.replace(mark, f"\\{mark}")
    return text.replace("\r\n", "\\n").replace("\n", "\\n").replace("\r", "\\n")


def folded(line: str) -> str:
    """Return a line folded at its maximum length, never inside a character; continuations begin with a space."""
    parts, room = [""], LONGEST
    for character in line:
        size = len(character.encode())
        if size > room:
            parts.append(" ")
            room = LONGEST - 1
        parts[-1] += character
        room -= size
    return "\r\n".join(parts)
