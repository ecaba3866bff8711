"""Two moderators of one league: a decision counts only for the state of the comment that the moderator saw."""

from __future__ import annotations

import pytest

from ftk_core.league.league_state import CommandRejected
from tests.support.factories import AuthorFactory
from tests.support.leagues import create_entrants, start_league
from tournaments.comments.queries import read_moderation
from tournaments.comments.services import add_comment, moderate_comment, record_report
from tournaments.models.comments import Comment, CommentReport
from tournaments.organisers.prediction_and_comment_settings import set_audience

pytestmark = pytest.mark.django_db


def test_a_moderator_with_an_old_page_neither_shows_a_hidden_comment_nor_drops_an_unread_report() -> None:
    start_league(create_entrants(2))
    staff, carl, fan = (
        AuthorFactory.create(username=name, is_staff=name != "fan") for name in ("staff", "carl", "fan")
    )
    set_audience(staff, "night", {"comments": "approved"})
    add_comment(fan, "night", "", "words")
    number = Comment.objects.get().pk
    (waiting,) = read_moderation(staff, "night").open
    moderate_comment(carl, "night", number, hide=True, why="an address", seen=waiting.state)
    with pytest.raises(CommandRejected, match="decided on or reported meanwhile; look at it again"):
        moderate_comment(staff, "night", number, hide=False, seen=waiting.state)
    assert Comment.objects.get().hidden_why == "an address"
    (hidden,) = read_moderation(staff, "night").hidden
    moderate_comment(staff, "night", number, hide=False, seen=hidden.state)
    record_report(carl, "night", number, "boring")
    (reported,) = read_moderation(staff, "night").open
    record_report(fan, "night", number, "contains my number")
    with pytest.raises(CommandRejected, match="look at it again"):
        moderate_comment(staff, "night", number, hide=False, seen=reported.state)
    assert CommentReport.objects.count() == 2
