"""Configuration of the Django app of rate limits."""

from __future__ import annotations

from django.apps import AppConfig


class RateLimitsConfig(AppConfig):
    """Configuration of the app whose table stores the state of rate limits."""

    name = "foundation.ratelimits"
    label = "ratelimits"
