"""Editions of a review: results of two builds are never mixed in one stream."""

from __future__ import annotations

import pytest

from ftk_core.hash_chained_log import lines_of
from replays.event_stream_storage import EventAppender
from replays.reviews.review_computation import compute_review
from replays.reviews.review_requests import request_from_shell
from tests.support.changed_code import one_line_more_in
from tests.support.reviewable import create_closed_match, create_reviewed_match

pytestmark = pytest.mark.django_db


def test_a_match_review_begun_with_other_simulation_code_is_restarted_in_a_new_edition() -> None:
    whole = create_reviewed_match(create_closed_match())
    row = request_from_shell(create_closed_match().pk, "all")
    lines = [line + b"\n" for line in lines_of(EventAppender(whole.stream_id))]
    EventAppender(row.stream_id).append(lines[:5], 0)
    with one_line_more_in("analysis/playouts.py"):
        assert compute_review(row.pk)
    row.refresh_from_db()
    assert (row.edition, row.status) == (2, "done")
