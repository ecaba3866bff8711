"""What our figures are held against."""

from __future__ import annotations

import json
from hashlib import sha256


def bare_loop(lines: list[bytes]) -> float:
    """Do what any engine that logs in JSON must do at the least: parse, print and hash each line."""
    head = b""
    for line in lines:
        head = sha256(head + json.dumps(json.loads(line)).encode()).digest()
    return 1.0
