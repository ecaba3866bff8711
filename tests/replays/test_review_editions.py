"""Editions of a review: results of two builds are never mixed in one stream."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ftk_core.analysis import playouts
from ftk_core.analysis.review_build_ids import review_build_of
from ftk_core.hash_chained_log import lines_of
from replays.event_stream_storage import EventAppender
from replays.reviews.review_computation import compute_review
from replays.reviews.review_requests import request_from_shell
from tests.support.reviewable import create_closed_match, create_reviewed_match

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_cached_build_id() -> Iterator[None]:
    """Compute the build id anew, and afterwards from the real files."""
    review_build_of.cache_clear()
    yield
    review_build_of.cache_clear()


@pytest.mark.parametrize("changed", [True, False])
def test_a_match_review_begun_with_other_simulation_code_is_restarted_in_a_new_edition(
    changed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = create_reviewed_match(create_closed_match())
    row = request_from_shell(create_closed_match().pk, "all")
    lines = [line + b"\n" for line in lines_of(EventAppender(whole.stream_id))]
    EventAppender(row.stream_id).append(lines[:5], 0)
    read, module = Path.read_bytes, Path(playouts.__file__)
    review_build_of.cache_clear()
    monkeypatch.setattr(Path, "read_bytes", lambda path: read(path) + b"\n" * (changed and path == module))
    assert compute_review(row.pk)
    row.refresh_from_db()
    assert (row.edition, row.status) == (2 if changed else 1, "done")
