"""What a scrape says, as Prometheus reads it, and what Prometheus' own tool says of it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families

Said = dict[tuple[str, ...], float]
"""By name and values of labels."""


def samples(text: str) -> Said:
    """Return every sample of a scrape."""
    families = text_string_to_metric_families(text)
    return {(one.name, *one.labels.values()): one.value for family in families for one in family.samples}


def promtool(*words: str | Path, sent: str = "") -> None:
    """Run Prometheus' own tool; raises AssertionError with all that it finds wrong."""
    tool = shutil.which("promtool")
    assert tool, "there is no promtool here, which Debian's package prometheus has: apt-get install prometheus"
    said = subprocess.run([tool, *words], input=sent, capture_output=True, text=True, check=False, timeout=60)
    assert said.returncode == 0, said.stdout + said.stderr


def check(text: str) -> None:
    """Let it check the names and help of a scrape; raises AssertionError."""
    promtool("check", "metrics", sent=text)
