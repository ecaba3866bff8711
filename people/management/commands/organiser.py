"""``manage.py organiser [NAME]``: print the sign-up link of the first organiser, or give or take roles."""

from __future__ import annotations

import getpass
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import CommandParser
from django.db import transaction
from django.urls import reverse

from foundation.management_commands import ArenaCommand, InvalidCommandInputError
from people import staff_audit_trail
from people.invitations import invite_first
from people.person_roles import RoleMissing, dismiss_organiser, dismiss_staff, has_organiser, make_organiser, make_staff


class Command(ArenaCommand):
    """Command that grants or revokes roles. Without a name, it prints a sign-up link if nobody is an organiser yet."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the arguments of the command."""
        parser.add_argument("name", nargs="?", help="of an account that there is")
        parser.add_argument(
            "--staff", action="store_true", help="make the account staff, too: who bans and sees /staff/"
        )
        parser.add_argument(
            "--dismiss", action="store_true", help="take the role away; with --staff that of staff alone"
        )
        parser.add_argument("--url", default=settings.SITE, help="of the arena")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Give or take a role, or print the sign-up link.

        Raises InvalidCommandInputError for an option without a name, an unknown person or a missing role.
        """
        if options["name"]:
            change_role = self._dismiss if options["dismiss"] else self._make
            change_role(_find_user(options["name"]), staff=options["staff"])
        elif options["dismiss"] or options["staff"]:
            raise InvalidCommandInputError("say whose role: manage.py organiser NAME")
        elif not has_organiser():
            link = options["url"].rstrip("/") + reverse("invitation", args=[invite_first()])
            self.stdout.write(
                f"There is no organiser yet. The person who opens this link and signs up becomes one:\n  {link}"
            )

    def _dismiss(self, user: User, *, staff: bool) -> None:
        role_text = "not staff any more" if staff else "no organiser any more"
        try:
            with transaction.atomic():
                (dismiss_staff if staff else dismiss_organiser)(user)
                staff_audit_trail.record_staff_act(
                    staff_audit_trail.make_shell_actor(getpass.getuser()), "dismiss", role_text, user
                )
        except RoleMissing as error:
            raise InvalidCommandInputError(error) from None
        self.stdout.write(f"{user} is {role_text}.")

    def _make(self, user: User, *, staff: bool) -> None:
        staff_user, role_text = (
            staff_audit_trail.make_shell_actor(getpass.getuser()),
            "an organiser and staff" if staff else "an organiser",
        )
        with transaction.atomic():
            make_organiser(user)
            if staff:
                make_staff(user)
            staff_audit_trail.record_staff_act(staff_user, "appoint", role_text, user)
        self.stdout.write(f"{user} is {role_text}.")


def _find_user(name: str) -> User:
    user = User.objects.filter(username=name, is_active=True).first()
    if user is None:
        raise InvalidCommandInputError(f"There is no account {name[:160]!r}: the person must sign up first.")
    return user
