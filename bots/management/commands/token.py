"""``manage.py token NAME``: give an author an account and a token for uploads."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.core.management.base import CommandParser

from bots.tokens import TooMany, new_token
from common.shell import ArenaCommand, Refusal


class Command(ArenaCommand):
    """Prints a new token; the account is made if there is none of that name."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the author's name."""
        parser.add_argument("name")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Make the token and print it, and nothing else, so that a shell can take it."""
        name = options["name"]
        try:
            get_user_model()._meta.get_field("username").clean(name, None)
        except ValidationError:
            raise Refusal(f"{name[:160]!r} is no author's name: it has 1 to 150 letters, digits and @.+-_") from None
        author, _ = get_user_model().objects.get_or_create(username=name)
        try:
            self.stdout.write(new_token(author))
        except TooMany as error:
            raise Refusal(error) from error
