"""In how many orders of arrival the same is tried; FTK_ORDERS says it, and `make chaos` says a hundred."""

from __future__ import annotations

import os

ORDERS = int(os.environ.get("FTK_ORDERS", "20"))
