"""Metrics of a scrape as Prometheus parses them, and checks by Prometheus' own tool."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families

Said = dict[tuple[str, ...], float]
"""Values of samples, by the metric's name and the values of its labels."""


def parse_samples(text: str) -> Said:
    """Return every sample of a scrape."""
    families = text_string_to_metric_families(text)
    return {(one.name, *one.labels.values()): one.value for family in families for one in family.samples}


def promtool(*words: str | Path, sent: str = "") -> None:
    """Run promtool with this text as its input; raises AssertionError with its output if it fails."""
    tool = shutil.which("promtool")
    assert tool, "there is no promtool here, which Debian's package prometheus has: apt-get install prometheus"
    said = subprocess.run([tool, *words], input=sent, capture_output=True, text=True, check=False, timeout=60)
    assert said.returncode == 0, said.stdout + said.stderr


def check_metrics(text: str) -> None:
    """Check the names and help texts of a scrape with promtool; raises AssertionError."""
    promtool("check", "metrics", sent=text)
