"""``manage.py organiser [NAME]``: print the link that makes the first organiser, or give that role or take it."""

from __future__ import annotations

import getpass
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import CommandParser
from django.db import transaction
from django.urls import reverse

from foundation.shell import ArenaCommand, Refusal
from people import acts_of_staff
from people.invitations import invite_first
from people.roles import HasNoRole, dismiss_organiser, dismiss_staff, has_organiser, make_organiser, make_staff


class Command(ArenaCommand):
    """Prints a link that is valid until it is used or the next one is printed; nothing if an organiser exists."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the arguments: an account's name, the roles, and the address of the arena."""
        parser.add_argument("name", nargs="?", help="of an account that there is")
        parser.add_argument(
            "--staff", action="store_true", help="make the account staff, too: who bans and sees /staff/"
        )
        parser.add_argument(
            "--dismiss", action="store_true", help="take the role away; with --staff that of staff alone"
        )
        parser.add_argument("--url", default="http://127.0.0.1:8000", help="of the arena")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Give or take a role, or print the link."""
        if options["name"]:
            do = self._dismiss if options["dismiss"] else self._make
            do(_find(options["name"]), staff=options["staff"])
        elif options["dismiss"] or options["staff"]:
            raise Refusal("say whose role: manage.py organiser NAME")
        elif not has_organiser():
            link = options["url"].rstrip("/") + reverse("invitation", args=[invite_first()])
            self.stdout.write(f"There is no organiser yet. Whoever opens this link and signs up becomes one:\n  {link}")

    def _dismiss(self, user: User, *, staff: bool) -> None:
        words = "not staff any more" if staff else "no organiser any more"
        try:
            with transaction.atomic():
                (dismiss_staff if staff else dismiss_organiser)(user)
                acts_of_staff.note(acts_of_staff.at_the_shell(getpass.getuser()), "dismiss", words, user)
        except HasNoRole as error:
            raise Refusal(error) from None
        self.stdout.write(f"{user} is {words}.")

    def _make(self, user: User, *, staff: bool) -> None:
        by, words = acts_of_staff.at_the_shell(getpass.getuser()), "an organiser and staff" if staff else "an organiser"
        with transaction.atomic():
            make_organiser(user)
            if staff:
                make_staff(user)
            acts_of_staff.note(by, "appoint", words, user)
        self.stdout.write(f"{user} is {words}.")


def _find(name: str) -> User:
    user = User.objects.filter(username=name, is_active=True).first()
    if user is None:
        raise Refusal(f"nobody is called {name[:160]!r}; whoever it is signs up first")
    return user
