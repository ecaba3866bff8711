"""Template filter for times in the formats that we added to those of Django."""

from __future__ import annotations

import re
from datetime import datetime
from functools import cache

from django import template
from django.utils.dateformat import format as format_datetime
from django.utils.formats import get_format
from django.utils.translation import get_language

register = template.Library()
DJANGO_FORMATS = {
    "LONG_DATETIME_FORMAT": "DATETIME_FORMAT",
    "EXACT_DATETIME_FORMAT": "DATETIME_FORMAT",
    "SHORT_EXACT_DATETIME_FORMAT": "SHORT_DATETIME_FORMAT",
}
"""Our format -> the format of Django that replaces it in the languages of plug-ins, whose formats are Django's own."""
MINUTE = re.compile(r"(?<=[GHgh])([.:])i")


@register.filter(expects_localtime=True)
def format_time(at: datetime, name: str) -> str:
    """Return a time in one of our formats, in the active language."""
    return format_datetime(at, find_format(name, get_language() or "en"))


@cache
def find_format(name: str, language: str) -> str:
    """Return one of our formats in a language; without it that of Django, with seconds if the name says "exact"."""
    chosen = str(get_format(name, language))
    if chosen != name:
        return chosen
    replacement = str(get_format(DJANGO_FORMATS[name], language))
    return MINUTE.sub(r"\1i\1s", replacement) if "EXACT" in name else replacement
