"""Configuration of the Django app of rate limits."""

from __future__ import annotations

from django.apps import AppConfig
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured


class RateLimitsConfig(AppConfig):
    """Configuration of the app whose table stores the state of rate limits."""

    name = "foundation.ratelimits"
    label = "ratelimits"

    def ready(self) -> None:
        """Check the rates in the settings; raise ImproperlyConfigured for an invalid one."""
        from foundation.ratelimits.limits import read_rate

        for scope, rate in settings.THROTTLES.items():
            try:
                read_rate(rate)
            except ValueError as error:
                raise ImproperlyConfigured(f"FTK_THROTTLE_{scope.upper().replace('-', '_')}: {error}") from None
