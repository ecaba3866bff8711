"""People who lose their role or their account: their rights and their invitations."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from people.invitations import (
    InvitationForbiddenError,
    invite,
)
from people.models import Invitation
from people.person_bans import ban_person
from people.person_roles import RoleMissing, dismiss_organiser, dismiss_staff
from tests.support.people import open_invitation

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("end", [lambda user: ban_person(user, "floods"), dismiss_organiser], ids=["ban", "dismissal"])
def test_unused_invitations_become_invalid_when_their_organiser_is_banned_or_dismissed(
    client: Client, organiser: User, end: Callable[[User], None]
) -> None:
    link = f"/invitation/{invite(organiser, 'organiser', 7)}/"
    invite(organiser, "author", 7)
    Invitation.objects.filter(role="author").update(used_at=timezone.now())
    end(organiser)
    assert "unknown, or was taken back" in open_invitation(client, link)
    assert list(Invitation.objects.values_list("role", flat=True)) == ["author"]
    with pytest.raises(InvitationForbiddenError):
        invite(User.objects.get(pk=organiser.pk), "organiser", 7)


def test_dismissed_staff_keep_no_rights_of_staff() -> None:
    olga = User.objects.create_superuser("olga")
    dismiss_staff(olga)
    olga.refresh_from_db()
    assert (olga.is_staff, olga.is_superuser) == (False, False)
    with pytest.raises(RoleMissing, match="olga is not staff"):
        dismiss_staff(olga)
