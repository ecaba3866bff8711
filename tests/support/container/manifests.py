"""Kubernetes manifests as an overlay makes them: what `kustomize build` would do, as far as ours ask for it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import jsonpatch
import yaml

KUBERNETES = Path("deploy/container/kubernetes")
OVERLAYS = sorted(path.parent for path in KUBERNETES.glob("overlays/*/kustomization.yaml"))
KNOWN = {"apiVersion", "kind", "namespace", "resources", "images", "patches"}
"""What a kustomization may say here; anything else would be passed over in silence."""
Manifest = dict[str, Any]


def rendered(folder: Path) -> list[Manifest]:
    """Return the manifests of a folder with a kustomization; AssertionError for what is not read here."""
    said = yaml.safe_load((folder / "kustomization.yaml").read_text())
    assert set(said) <= KNOWN, folder
    found: list[Manifest] = []
    for resource in said["resources"]:
        path = folder / resource
        found += rendered(path) if path.is_dir() else list(yaml.safe_load_all(path.read_text()))
    for manifest in found if "namespace" in said else ():
        manifest["metadata"]["namespace"] = said["namespace"]
    for patch in said.get("patches", ()):
        _patch(found, patch)
    for image in said.get("images", ()):
        _name_image(found, image)
    return found


def _patch(manifests: list[Manifest], patch: dict[str, Any]) -> None:
    """Apply a patch (RFC 6902) where it is meant for; kustomize takes the names for patterns, too."""
    assert set(patch) == {"target", "patch"}
    assert set(patch["target"]) == {"kind", "name"}
    meant = [
        manifest
        for manifest in manifests
        if manifest["kind"] == patch["target"]["kind"]
        and re.fullmatch(patch["target"]["name"], manifest["metadata"]["name"])
    ]
    assert meant, patch["target"]
    for manifest in meant:
        jsonpatch.apply_patch(manifest, yaml.safe_load(patch["patch"]), in_place=True)


def _name_image(manifests: list[Manifest], image: dict[str, str]) -> None:
    for manifest in manifests:
        for container in pod(manifest).get("containers", ()):
            if container["image"] == image["name"]:
                container["image"] = f"{image['newName']}:{image['newTag']}"


def pod(manifest: Manifest) -> dict[str, Any]:
    """Return what a manifest says of its pods; empty where it makes none."""
    found: dict[str, Any] = manifest.get("spec", {}).get("template", {}).get("spec", {})
    return found


def of_kind(manifests: list[Manifest], kind: str) -> dict[str, Manifest]:
    """Return those of one kind by their names."""
    return {manifest["metadata"]["name"]: manifest for manifest in manifests if manifest["kind"] == kind}
