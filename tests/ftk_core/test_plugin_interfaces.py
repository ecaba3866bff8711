"""Interfaces for plug-ins: within a version, fields are only added, and each added field has a default."""

from __future__ import annotations

import dataclasses
from typing import Any

import msgspec
import pytest

from ftk_core.game import Game
from ftk_core.league.formats import LeagueFormat
from ftk_core.league.scoring.tiebreaks import TieBreak
from ftk_core.plugins import INTERFACE_VERSIONS
from ftk_core.plugins.installed_language_packages import SiteLanguageDescription
from ftk_core.views.scene import ScenePiece, SceneZone, SeatComparison, SeatComparisonLine, SeatCounter, TableScene

RECORDED: dict[tuple[str, int], dict[str, tuple[str, str]]] = {
    ("Game", 1): {
        "Game": (
            "name title version seats actions facts setup deal turn legal decide apply view scene result say",
            (
                "follow quick resample veiled options worth longest_menu roles"
                " score_text labels about by_hand heading marks durations sounds"
            ),
        )
    },
    ("Scene", 1): {
        "TableScene": ("zones", "meters to_act contests"),
        "SceneZone": ("key label", "seat layout pieces note"),
        "ScenePiece": ("key kind", "face label tags"),
        "SeatCounter": ("key label values", ""),
        "SeatComparison": ("key title verdict", "about entries"),
        "SeatComparisonLine": ("value share", "seat label note leads"),
    },
    ("LeagueFormat", 1): {
        "LeagueFormat": (
            "next_round",
            "planned min_entries levels groups_title groups_text keeps_entry_order counted takes_late foreseen fixed",
        )
    },
    ("TieBreak", 1): {"TieBreak": ("slug name what kin values", "")},
    ("Language", 1): {"SiteLanguageDescription": ("name short locales", "")},
}
"""(interface, version) -> type -> (required fields, optional fields). No list ever changes; new versions are added."""
TYPES: dict[str, Any] = {
    kind.__name__: kind
    for kind in (
        Game,
        TableScene,
        SceneZone,
        ScenePiece,
        SeatCounter,
        SeatComparison,
        SeatComparisonLine,
        LeagueFormat,
        TieBreak,
        SiteLanguageDescription,
    )
}


def list_fields(kind: Any) -> dict[str, bool]:
    """Return the fields of a record by name, with True for those that have no default."""
    if dataclasses.is_dataclass(kind):
        missing = dataclasses.MISSING
        return {f.name: f.default is missing and f.default_factory is missing for f in dataclasses.fields(kind)}
    return {field.name: field.required for field in msgspec.structs.fields(kind)}


@pytest.mark.parametrize("interface", sorted(INTERFACE_VERSIONS))
def test_a_plugin_interface_gets_new_required_fields_only_with_a_new_interface_version(interface: str) -> None:
    for name, (required, optional) in RECORDED[interface, INTERFACE_VERSIONS[interface]].items():
        fields = list_fields(TYPES[name])
        assert {field for field, needed in fields.items() if needed} == set(required.split())
        assert set(optional.split()) <= {field for field, needed in fields.items() if not needed}
