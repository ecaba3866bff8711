"""Kubernetes manifests, built from a kustomize overlay as `kustomize build` does.

Only the features that the project's overlays use are supported.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import jsonpatch
import yaml

KUBERNETES = Path("deploy/container/kubernetes")
OVERLAYS = sorted(path.parent for path in KUBERNETES.glob("overlays/*/kustomization.yaml"))
KNOWN = {"apiVersion", "kind", "namespace", "resources", "images", "patches"}
"""Supported keys of a kustomization file; others are errors, so that none is ignored silently."""
Manifest = dict[str, Any]


def build_manifests(folder: Path) -> list[Manifest]:
    """Return the manifests that kustomize would build from a folder; raises AssertionError for unsupported features."""
    said = yaml.safe_load((folder / "kustomization.yaml").read_text())
    assert set(said) <= KNOWN, folder
    found: list[Manifest] = []
    for resource in said["resources"]:
        path = folder / resource
        found += build_manifests(path) if path.is_dir() else list(yaml.safe_load_all(path.read_text()))
    for manifest in found if "namespace" in said else ():
        manifest["metadata"]["namespace"] = said["namespace"]
    for patch in said.get("patches", ()):
        _patch(found, patch)
    for image in said.get("images", ()):
        _name_image(found, image)
    return found


def _patch(manifests: list[Manifest], patch: dict[str, Any]) -> None:
    """Apply a JSON patch (RFC 6902) to all manifests whose kind and name match the patch's target."""
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
        for container in (
            *find_pod_spec(manifest).get("containers", ()),
            *find_pod_spec(manifest).get("initContainers", ()),
        ):
            if container["image"] == image["name"]:
                container["image"] = f"{image['newName']}:{image['newTag']}"


def find_pod_spec(manifest: Manifest) -> dict[str, Any]:
    """Return the pod specification in a manifest; empty if it contains none."""
    found: dict[str, Any] = manifest.get("spec", {}).get("template", {}).get("spec", {})
    return found


def of_kind(manifests: list[Manifest], kind: str) -> dict[str, Manifest]:
    """Return the manifests of one kind as a dict: name -> manifest."""
    return {manifest["metadata"]["name"]: manifest for manifest in manifests if manifest["kind"] == kind}
