"""Files of a release, and the workflows that build and test them elsewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest
import yaml

from deploy.postgres_version_check import OLDEST_POSTGRES
from deploy.release import release_files, supply_chain
from deploy.release.supply_chain import ReleaseBuildError
from ftk_core import __version__

ROOT = Path(__file__).parents[2]
WORKFLOWS = [ROOT / ".gitlab-ci.yml", *(ROOT / ".github").rglob("*.yml")]
CHANGELOG = "# Changelog\n\n## [Unreleased]\n\nSoon.\n\n## [1.0.0] - 2026-12-01\n\n### Added\n\n- All.\n"


def commands_in(value: Any) -> list[str]:
    """Return all shell commands of a workflow."""
    if isinstance(value, dict):
        return [
            each
            for key, part in value.items()
            for each in ([part] if key == "run" and isinstance(part, str) else commands_in(part))
        ]
    if isinstance(value, list):
        return [each for part in value for each in ([part] if isinstance(part, str) else commands_in(part))]
    return []


def read_locked(name: str) -> set[str]:
    """Return the names of the packages of a lock file, as PyPI normalises them."""
    lines = (ROOT / "deploy/locks" / f"{name}.txt").read_text().splitlines()
    return {line.split("==")[0].split("[")[0].lower() for line in lines if "==" in line and not line.startswith(" ")}


@pytest.mark.slow
def test_make_run_and_the_container_image_need_no_developer_only_package() -> None:
    only_developers = read_locked("dev") - read_locked("server") - read_locked("build")
    blocked = sorted(
        module
        for module, packages in packages_distributions().items()
        if {re.sub(r"[-_.]+", "-", package).lower() for package in packages} <= only_developers
    )
    assert {"license_expression", "pytest", "mypy"} <= set(blocked)
    programs = (
        "deploy.release.handbook, deploy.release.nodejs_finder, deploy.i18n.site_catalogue, ftk_core.native.build,"
        " manage"
    )
    code = f"import sys; sys.modules.update(dict.fromkeys({blocked})); import {programs}, deploy.asgi, deploy.celery"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


def test_the_release_notes_of_a_version_are_its_section_of_the_changelog() -> None:
    assert release_files.read_notes(CHANGELOG, "1.0.0") == "### Added\n\n- All.\n"
    assert release_files.read_notes(CHANGELOG, "1.1.0") == "Soon.\n"
    version = release_files.read_version((ROOT / release_files.VERSION_FILE).read_text())
    assert release_files.read_notes((ROOT / "CHANGELOG.md").read_text(), version).count("\n- ") > 1


def test_every_file_that_repeats_the_version_number_agrees_with_the_python_package() -> None:
    assert release_files.read_version((ROOT / release_files.VERSION_FILE).read_text()) == __version__
    copies = {
        "frontend/ui/package.json": r'"version": "(.+)"',
        "deploy/container/compose.yaml": r"image: ftk-arena:(\S+)",
        "deploy/container/kubernetes/overlays/small/kustomization.yaml": r'newTag: "(.+)"',
        "deploy/container/kubernetes/overlays/fleet/kustomization.yaml": r'newTag: "(.+)"',
        "deploy/container/README.md": r" ftk-arena:([\d.]+) ",
        "deploy/README.md": r"/opt/ftk-releases/([\d.]+)/",
        "docs/learning.md": r"ftk_arena-([\d.]+)-py3",
        "docs/tutorial.md": r"ftk_arena-([\d.]+)-py3",
    }
    found = {file: {*re.findall(pattern, (ROOT / file).read_text())} for file, pattern in copies.items()}
    assert found == {file: {__version__} for file in copies}


def test_a_release_is_refused_if_the_version_tag_of_its_commit_names_another_version() -> None:
    release_files.check_tag("1.0.0", [])
    release_files.check_tag("1.0.0", ["demo", "v1.0.0"])
    with pytest.raises(ReleaseBuildError, match=r"has the tag v1\.0\.1, but ftk_core/__init__\.py the version 1\.0\.0"):
        release_files.check_tag("1.0.0", ["v1.0.1"])


def test_a_tagged_commit_without_a_section_of_the_changelog_for_its_version_is_not_released() -> None:
    release_files.check_changelog(CHANGELOG, "1.1.0", [])
    release_files.check_changelog(CHANGELOG, "1.0.0", ["v1.0.0"])
    with pytest.raises(ReleaseBuildError, match=r"CHANGELOG\.md has no section \[1\.1\.0\]: rename \[Unreleased\]"):
        release_files.check_changelog(CHANGELOG, "1.1.0", ["v1.1.0"])


def test_packing_the_same_handbook_files_twice_gives_identical_bytes(tmp_path: Path) -> None:
    packed = []
    for number in range(2):
        folder = tmp_path / str(number) / "handbook"
        folder.mkdir(parents=True)
        for name in ("b.html", "a.html") if number else ("a.html", "b.html"):
            (folder / name).write_text(name)
        packed.append(release_files.pack_folder(folder, tmp_path / str(number) / "handbook-1.0.0.tar").read_bytes())
    assert packed[0] == packed[1]
    with tarfile.open(tmp_path / "0" / "handbook-1.0.0.tar") as tar:
        assert tar.getnames() == ["handbook-1.0.0/a.html", "handbook-1.0.0/b.html"]


def test_building_a_release_into_a_folder_that_is_not_empty_is_refused(tmp_path: Path) -> None:
    (tmp_path / "old.whl").write_bytes(b"")
    with pytest.raises(ReleaseBuildError, match="is not empty: remove it first"):
        release_files.build_release(tmp_path)


@pytest.mark.nightly
def test_a_release_contains_wheel_sdist_handbook_boms_release_notes_and_valid_checksums(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    handbook = tmp_path / "dist" / "handbook"
    handbook.mkdir(parents=True)
    (handbook / "index.html").write_text("handbook")
    monkeypatch.setattr(release_files, "ROOT", tmp_path)
    monkeypatch.setattr(supply_chain, "LOCKS", ("server",))
    folder = release_files.build_release(tmp_path / "release").parent
    subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=folder, check=True, capture_output=True)
    patterns = (
        r"ftk_arena-.*\.whl ftk_arena-.*\.tar\.gz handbook-.*\.tar licenses\.txt npm.*json server.*json NOTES\.md"
    )
    names = sorted(path.name for path in folder.iterdir() if path.name != "SHA256SUMS")
    assert len(names) == len(patterns.split())
    assert all(any(re.fullmatch(pattern, name) for name in names) for pattern in patterns.split())


def test_the_ci_workflows_run_only_commands_that_exist_in_this_repository() -> None:
    commands = [command for file in WORKFLOWS for command in commands_in(yaml.safe_load(file.read_text()))]
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    made = [target for command in commands for target in re.findall(r"\bmake ([a-z]+)", command)]
    assert set(made) <= targets
    assert {"release", "image", "audit"} <= set(made)
    assert sum("sh .ci/run" in command for command in commands) == 2
    assert (ROOT / ".ci/run").is_file()


def test_the_release_workflow_publishes_only_commits_whose_tests_have_passed() -> None:
    jobs = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())["jobs"]
    commands = commands_in(jobs["release"]["steps"])
    checked, published = (
        next(at for at, command in enumerate(commands) if part in command)
        for part in ("--status success", "release create")
    )
    assert checked < published
    assert set(jobs["release"]["needs"]) == {"kit", "image"}


def test_a_push_cancels_no_other_ci_run() -> None:
    concurrency = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())["concurrency"]
    assert "github.event_name }}-" in concurrency["group"]
    assert "github.event_name == 'push' && github.sha" in concurrency["group"]
    assert concurrency["cancel-in-progress"] == "${{ github.event_name == 'pull_request' }}"


def test_ci_allows_the_user_namespaces_that_it_requires() -> None:
    script = (ROOT / ".ci/run").read_text()
    assert "FTK_REQUIRE_CAGE=1" in script
    assert "/proc/sys/kernel/apparmor_restrict_unprivileged_userns" in script


@pytest.mark.parametrize("name", [".github/workflows/ci.yml", ".gitlab-ci.yml"])
def test_the_ci_workflows_test_every_supported_version_of_postgresql(name: str) -> None:
    versions = re.findall(r'"(1[5-9])"', (ROOT / name).read_text())
    assert versions == ["15", "16", "17", "18"]
    assert int(versions[0]) == OLDEST_POSTGRES
    assert f"| PostgreSQL | {versions[0]} to {versions[-1]} |" in (ROOT / "deploy/README.md").read_text()


def test_the_ci_workflows_test_every_supported_version_of_python() -> None:
    for name in (".github/workflows/ci.yml", ".gitlab-ci.yml"):
        assert re.findall(r'"(3\.\d+)"', (ROOT / name).read_text().partition("databases:")[0]) == [
            "3.11", "3.12", "3.13", "3.14",
        ]  # fmt: skip


def test_the_gitlab_pipeline_publishes_every_file_of_a_release_and_the_notes(tmp_path: Path) -> None:
    (script,) = [
        step for step in yaml.safe_load((ROOT / ".gitlab-ci.yml").read_text())["release"]["script"] if "curl" in step
    ]
    files = tmp_path / "dist/release"
    files.mkdir(parents=True)
    for name in (release_files.NOTES, "SHA256SUMS", "ftk_arena-9.0.0.tar.gz"):
        (files / name).write_text(name)
    (tmp_path / "curl").write_text('#!/bin/sh\nprintf "%s|" "$@" >>calls\necho >>calls\n')
    (tmp_path / "curl").chmod(0o755)
    variables = {"CI_COMMIT_TAG": "v9.0.0", "CI_API_V4_URL": "https://lab.example/api/v4", "CI_PROJECT_ID": "7"}
    env = {**variables, "CI_JOB_TOKEN": "secret", "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    subprocess.run(["sh", "-ec", script], cwd=tmp_path, env=env, check=True)
    calls = (tmp_path / "calls").read_text().splitlines()
    project = "https://lab.example/api/v4/projects/7"
    for name in (release_files.NOTES, "SHA256SUMS", "ftk_arena-9.0.0.tar.gz"):
        put = f"--upload-file|dist/release/{name}|{project}/packages/generic/ftk-arena/9.0.0/{name}|"
        assert any(call.endswith(put) for call in calls)
    assert calls[-1].endswith(
        f"tag_name=v9.0.0|--data-urlencode|description@dist/release/{release_files.NOTES}|{project}/releases|"
    )
    assert all("JOB-TOKEN: secret|" in call for call in calls)
