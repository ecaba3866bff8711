"""``manage.py token NAME``: create an author's account if needed, and print a new token to sign in and upload with."""

from __future__ import annotations

import argparse
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.management.base import CommandParser
from django.db import transaction

from bots.access.api_tokens import LIFETIME_DAYS, MAX_LIFETIME_DAYS, MAX_NAME_LETTERS, TokenQuotaExceeded, create_token
from foundation.management_commands import ArenaCommand, InvalidCommandInputError, whole_number
from ftk_core.kit.client.api_token_format import DEFAULT_SCOPES, SCOPES, read_scopes
from people.account_erasure import is_name_of_erased_person
from people.mail_addresses import confirm_mail_address


class Command(ArenaCommand):
    """Prints a new token; creates the account if it does not exist."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the arguments for the author and their mail address, and the token's name, scopes and lifetime."""
        parser.add_argument("name")
        parser.add_argument(
            "--called", type=parse_token_name, default="from the organiser", help="what it is listed as"
        )
        parser.add_argument(
            "--scopes",
            type=parse_scopes,
            default=DEFAULT_SCOPES,
            help=f"of {', '.join(SCOPES)}; by default {','.join(DEFAULT_SCOPES)}",
        )
        ends = parser.add_mutually_exclusive_group()
        ends.add_argument(
            "--days",
            type=whole_number(1, MAX_LIFETIME_DAYS),
            default=LIFETIME_DAYS,
            help=f"until it expires; by default {LIFETIME_DAYS}",
        )
        ends.add_argument("--no-end", action="store_true", help="it does not expire")
        parser.add_argument(
            "--email", default="", help="mail address of the author, who can set a password with it (/password/)"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Create the token and print only its secret. Raises InvalidCommandInputError."""
        name = options["name"]
        try:
            User._meta.get_field("username").clean(name, None)
        except ValidationError:
            raise InvalidCommandInputError(
                f"{name[:160]!r} is no author's name: it has 1 to 150 letters, digits and @.+-_"
            ) from None
        known = User.objects.filter(username__iexact=name).values_list("username", flat=True).first()
        if known not in (None, name) or (known is None and is_name_of_erased_person(name)):
            taken = f"there is the author {known!r}" if known else "it belonged to an account that was deleted"
            raise InvalidCommandInputError(f"{name!r} cannot be the name of a new author: {taken}; choose another")
        days = None if options["no_end"] else options["days"]
        try:
            with transaction.atomic():
                author, _ = User.objects.get_or_create(username=name)
                if options["email"]:
                    confirm_mail_address(author, options["email"])
                token = create_token(author, options["called"], options["scopes"], days)
        except TokenQuotaExceeded as error:
            raise InvalidCommandInputError(error) from error
        except ValidationError as error:
            raise InvalidCommandInputError(f"--email {options['email'][:160]!r}: {error.messages[0]}") from error
        self.stdout.write(token)


def parse_token_name(text: str) -> str:
    """Return the name of a token if it is valid; raises ArgumentTypeError."""
    if not (text.strip() and len(text) <= MAX_NAME_LETTERS and text.isprintable()):
        raise argparse.ArgumentTypeError(f"must have 1 to {MAX_NAME_LETTERS} letters, not {text[:80]!r}")
    return text


def parse_scopes(text: str) -> tuple[str, ...]:
    """Parse the option that lists a token's scopes, and return them as a tuple; raises ArgumentTypeError."""
    try:
        return read_scopes(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
