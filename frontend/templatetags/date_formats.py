"""Template filter for times in the date formats of `deploy.formats`, such as a format with seconds."""

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
"""Arena format -> the Django format that replaces it in the languages of plug-ins, which have no arena formats."""
MINUTE = re.compile(r"(?<=[GHgh])([.:])i")


@register.filter(expects_localtime=True)
def format_time(at: datetime, name: str) -> str:
    """Return a time in a date format of `deploy.formats`, such as ``LONG_DATETIME_FORMAT``, in the active language."""
    return format_datetime(at, find_format(name, get_language() or "en"))


@cache
def find_format(name: str, language: str) -> str:
    """Return the date format `name`, such as ``LONG_DATETIME_FORMAT``, of a language.

    If the language has no such format, return a similar format of Django. It includes seconds if `name` contains
    ``EXACT``.
    """
    chosen = str(get_format(name, language))
    if chosen != name:
        return chosen
    replacement = str(get_format(DJANGO_FORMATS[name], language))
    return MINUTE.sub(r"\1i\1s", replacement) if "EXACT" in name else replacement
