"""What needs a broker of its own is not collected where there is none."""

from __future__ import annotations

from tests.support.brokers import REDIS

collect_ignore = [] if REDIS else ["test_brokers.py"]
