"""Number of arrival orders that tests try (FTK_ORDERS); `make long` sets it to a hundred."""

from __future__ import annotations

import os

ORDERS = int(os.environ.get("FTK_ORDERS", "20"))
