"""Monitoring: dashboard and alerts use existing metrics, and each alert is tested and explained."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.cache import cache
from django.test import Client

from replays.models import Match, MatchAudit
from tests.support.prometheus import parse_samples, promtool

FOLDER = Path("deploy/observe")
TOKEN = "a-token-of-the-settings"
NAME = re.compile(r"\bftk_\w+")
ALERTS = [rule for group in yaml.safe_load((FOLDER / "alerts.yaml").read_text())["groups"] for rule in group["rules"]]
PANELS: list[dict[str, Any]] = json.loads((FOLDER / "dashboard.json").read_text())["panels"]
pytestmark = pytest.mark.django_db


@pytest.fixture
def sample_names(client: Client, settings: Any) -> set[str]:
    """Return the names of all samples of an arena with an audited match."""
    settings.METRICS_TOKEN = TOKEN
    cache.delete("metrics")
    closed = Match.objects.create(game="pig", status=Match.Status.CLOSED)
    MatchAudit.objects.create(match=closed, build="pig 1")
    # a counter with labels has no sample before its first increment, so count one page
    from replays import metrics

    metrics.count_page("match/of-this-test")
    text = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).content.decode()
    return {name for name, *_ in parse_samples(text)}


def expressions() -> Iterator[str]:
    yield from (rule["expr"] for rule in ALERTS)
    yield from (target["expr"] for panel in PANELS for target in panel["targets"])


def test_dashboard_and_alerts_use_exactly_the_exported_metrics(sample_names: set[str]) -> None:
    asked = {name for expression in expressions() for name in NAME.findall(expression)}
    assert sorted(asked - sample_names) == []
    ours = {
        name for name in sample_names if name.startswith("ftk_") and not name.endswith(("_created", "_sum", "_count"))
    }
    assert sorted(ours - asked) == []


@pytest.mark.nightly
def test_each_alert_fires_in_its_promtool_test() -> None:
    promtool("check", "rules", FOLDER / "alerts.yaml")
    promtool("test", "rules", FOLDER / "alerts_test.yaml")
    tried = yaml.safe_load((FOLDER / "alerts_test.yaml").read_text())["tests"]
    raised = {case["alertname"] for test in tried for case in test.get("alert_rule_test", ()) if case["exp_alerts"]}
    assert sorted(raised) == sorted(rule["alert"] for rule in ALERTS)


def test_each_alert_and_each_metric_is_explained(sample_names: set[str]) -> None:
    page = (FOLDER / "README.md").read_text()
    assert [rule["alert"] for rule in ALERTS if f"| `{rule['alert']}` |" not in page] == []
    explained = set(NAME.findall(page))
    parts, ours = re.compile(r"_(bucket|sum|count)$"), [name for name in sample_names if not name.endswith("_created")]
    assert sorted({parts.sub("", name) for name in ours if name.startswith("ftk_")} - explained) == []


def test_every_dashboard_expression_is_valid_promql(tmp_path: Path) -> None:
    rules = [
        {"record": f"panel:{number}", "expr": expression.replace("$__rate_interval", "5m")}
        for number, expression in enumerate(expressions())
    ]
    file = tmp_path / "rules.yaml"
    file.write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": rules}]}))
    promtool("check", "rules", file)
