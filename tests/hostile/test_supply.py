"""The supply chain, the security contact, and the table of threats with their tests."""

from __future__ import annotations

import json
import os
import re
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from deploy.config import contact
from deploy.release import supply_chain
from tests.support.lengths import short_or_long


def test_the_threat_model_refers_to_exactly_the_test_modules_of_this_folder() -> None:
    named = set(re.findall(r"`(test_\w+\.py)`", Path("docs/threats.md").read_text()))
    assert named == {file.name for file in Path("tests/hostile").glob("test_*.py")}


@pytest.mark.django_db
def test_security_txt_contains_the_configured_contact_address(client: Client, settings: Any) -> None:
    settings.SECURITY_CONTACT = "mailto:security@arena.example"
    answer = client.get("/.well-known/security.txt")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    said = dict(line.split(": ", 1) for line in answer.content.decode().splitlines())
    assert said["Contact"] == "mailto:security@arena.example"
    assert said["Canonical"] == "http://testserver/.well-known/security.txt"
    until = datetime.strptime(said["Expires"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    assert timedelta(days=1) < until - datetime.now(UTC) < timedelta(days=365)
    settings.SECURITY_CONTACT = ""
    assert client.get("/.well-known/security.txt").status_code == 404


@pytest.mark.parametrize("text", ["me@arena.example", "http://arena.example", "mailto:a@b\nContact: c", "https://a b"])
def test_an_invalid_security_contact_is_refused(text: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="FTK_SECURITY_CONTACT must be like"):
        contact.read_contact(text)


@pytest.mark.nightly
def test_each_sbom_lists_all_locked_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        supply_chain, "LOCKS", short_or_long(("server",), supply_chain.LOCKS)
    )  # the long form includes the other locks
    supply_chain.write_sboms(tmp_path)
    bills = {file.name: json.loads(file.read_text()) for file in tmp_path.glob("*.json")}
    assert {bill["bomFormat"] for bill in bills.values()} == {"CycloneDX"}
    for lock in supply_chain.LOCKS:
        locked = set(
            re.findall(r"^([\w.-]+(?:\[[\w,]+\])?)==(\S+)", Path(f"deploy/locks/{lock}.txt").read_text(), re.MULTILINE)
        )
        listed = {(part["name"], part["version"]) for part in bills[f"{lock}.cdx.json"]["components"]}
        assert {(re.sub(r"\[.*", "", name), version) for name, version in locked} == listed
    packages = json.loads(Path("frontend/ui/package-lock.json").read_text())["packages"]
    assert len(bills["npm.cdx.json"]["components"]) > len(packages) / 2


@pytest.mark.nightly
def test_the_dependency_audit_reports_network_errors_and_fails_on_vulnerabilities(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy", "npm_config_registry"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("npm_config_fetch_retries", "0")
    monkeypatch.delenv("NO_PROXY", raising=False)
    assert supply_chain.main(["audit"]) == 2
    assert supply_chain.main(["audit", "--allow-offline"]) == 0
    assert "These lock files were not audited: server.txt" in capsys.readouterr().err
    flaw = {"id": "PYSEC-1", "fix_versions": ["2"]}
    told = json.dumps({"dependencies": [{"name": "a", "version": "1", "vulns": [flaw]}], "vulnerabilities": {}})
    monkeypatch.setattr(supply_chain, "run_command", lambda *_words: (1, told, ""))
    assert supply_chain.main(["audit"]) == 1
    assert "server: a 1: PYSEC-1, mended in ['2']" in capsys.readouterr().out
    monkeypatch.setattr(supply_chain, "run_npm", lambda *_words: (1, "", "no such registry"))
    assert supply_chain.main(["audit", "--allow-offline"]) == 1
    assert "These lock files were not audited: package-lock.json (no such registry)" in capsys.readouterr().err
    monkeypatch.setattr(supply_chain, "find_spec", lambda _name: None)
    assert supply_chain.main(["audit", "--allow-offline"]) == 2, "no auditor"


@pytest.mark.nightly
def test_building_a_wheel_is_reproducible(tmp_path: Path) -> None:
    built = []
    for number, mask in enumerate((0o022, 0o077)):
        before = os.umask(mask)
        try:
            built.append(supply_chain.build_wheel(tmp_path / str(number)))
        finally:
            os.umask(before)
    assert built[0].read_bytes() == built[1].read_bytes()
    digest = sha256(built[0].read_bytes()).hexdigest()
    assert (built[0].parent / "SHA256SUMS").read_text() == f"{digest}  {built[0].name}\n"
