"""``manage.py league open|enter|start|appoint|logo|show``: run a league from a shell."""

from __future__ import annotations

import getpass
from argparse import ArgumentTypeError
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import msgspec
from django.core.exceptions import ObjectDoesNotExist
from django.core.management.base import CommandParser

from bots.queries import find_newest_active
from foundation import time_control_fields
from foundation.branding.logo_pictures import convert_logo
from foundation.management_commands import (
    ArenaCommand,
    InvalidCommandInputError,
    OneLineErrorArgumentParser,
    parse_time,
)
from ftk_core.game import Worth
from ftk_core.league.event_fields import Deals, Granted, Release, RestValue, Ruling, Scored, Seeding, StageSettings, Who
from ftk_core.league.league_event_actors import LeagueActor
from ftk_core.league.league_state import CommandRejected
from tournaments.leagues import services
from tournaments.leagues.league_event_appending import now
from tournaments.leagues.league_settings import DEFAULT_BOTS_PER_AUTHOR, LeagueSettings
from tournaments.leagues.stage_seeding import parse_stages
from tournaments.models import League
from tournaments.models.organiser_roles import LeagueRole
from tournaments.organisers.league_logos import discard_logo, store_logo
from tournaments.organisers.organiser_action_definition import OrganiserActionRequest
from tournaments.organisers.organiser_actions import actions_by_verb
from tournaments.reports import league_page_queries
from tournaments.reports.league_lists import read_card

STAGES_HELP = """as JSON: '[{"format": "swiss", "seats": 4, "rounds": 3}, {"format": "knockout", "seats": 2}]'"""
WORTH_HELP = "rule for the points of matches, in each stage without a rule of its own; by default that of the game"


STAGE_DEFAULTS: dict[str, Any] = {
    "rounds": 5,
    "games": 1,
    "format": "swiss",
    "deals": "same",
    "scored": "matches",
    "tiebreaks": (),
    "seeding": "entry",
    "rest": "win",
}
"""Defaults of the options that describe the only stage of a league; they have no effect with ``--stages``."""
SEEDING_HELP = "how the first stage is seeded: by lot, or by court rating; entry is as usual"


def parse_list(text: str) -> tuple[str, ...]:
    """Parse words separated by commas; empty words are ignored."""
    return tuple(item.strip() for item in text.split(",") if item.strip())


def parse_stage_objects(text: str) -> list[dict[str, object]]:
    """Parse a JSON list of stages into dicts; raise ArgumentTypeError, with the position, for an invalid stage."""
    try:
        msgspec.json.decode(text, type=tuple[StageSettings, ...])
    except msgspec.DecodeError as error:
        raise ArgumentTypeError(f"these are no stages: {error}") from None
    objects: list[dict[str, object]] = msgspec.json.decode(text)
    return objects


def _add_entry_conditions(opening: CommandParser) -> None:
    """Add arguments about entries, failed matches, the start of rounds, and the release of replays."""
    opening.add_argument(
        "--question", action="append", dest="questions", default=[], help="asked at entry, such as 'Size? * | S | M'"
    )
    opening.add_argument("--late", type=int, default=0, help="the last round that can still be entered")
    opening.add_argument("--granted", choices=get_args(Granted), default="none", help="points for late entries")
    opening.add_argument(
        "--per-author",
        type=int,
        default=DEFAULT_BOTS_PER_AUTHOR,
        help="so many bots an author may enter; 0: any number",
    )
    opening.add_argument("--who", choices=get_args(Who), default="anybody", help="whose bots may enter")
    opening.add_argument("--rated-from", type=int, default=0, help="the least court rating to enter with; 0: any")
    opening.add_argument("--rated-to", type=int, default=0, help="the greatest; 0: any")
    opening.add_argument("--languages", type=parse_list, default=(), help="of bots that may enter, e.g. python,c")
    opening.add_argument("--kinds", type=parse_list, default=(), help="of bots that may enter: uploaded,remote,person")
    opening.add_argument("--mixed", action="store_true", help="it counts for all time though not all are uploaded")
    opening.add_argument("--tries", type=int, default=2, help="how often a void match is played again; 0: by hand")
    opening.add_argument("--ruling", choices=get_args(Ruling), default="share", help="on a match void too often")
    opening.add_argument("--held", action="store_true", help="each round waits for `manage.py organise ... begin`")
    opening.add_argument("--release", choices=get_args(Release), default="at_once", help="of its replays to all")


def _add_logo_arguments(logo: CommandParser) -> None:
    logo.add_argument("slug")
    logo.add_argument("picture", nargs="?", type=Path, help="a PNG, JPEG or WebP file; without one it is removed")


def _add_appointment_arguments(appointing: CommandParser) -> None:
    appointing.add_argument("slug")
    appointing.add_argument("person", help="name of an existing account")


class Command(ArenaCommand):
    """Command that announces a league, enters bots and starts it. After its start the league runs by itself."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the subcommands and their arguments."""
        subparsers = parser.add_subparsers(dest="do", required=True, parser_class=OneLineErrorArgumentParser)
        opening = subparsers.add_parser("open", help="announce a league")
        opening.add_argument("slug")
        opening.add_argument("game")
        opening.add_argument("--name")
        opening.add_argument("--seats", type=int, help="bots at a table; not needed with --stages")
        opening.add_argument("--rounds", type=int)
        opening.add_argument("--games", type=int, help="matches of each table; the seats turn")
        opening.add_argument("--format")
        time_control_fields.add_arguments(opening)
        opening.add_argument("--pace-ms", type=int, default=0, help="the least time between choices, for spectators")
        opening.add_argument("--season", help="the year by default; in a new season everybody starts anew")
        opening.add_argument(
            "--entries-until", type=parse_time, help="when it begins by itself: 2027-01-31T18:00, in UTC"
        )
        opening.add_argument("--description", default="", help="for its page, in Markdown")
        opening.add_argument("--worth", choices=get_args(Worth), help=WORTH_HELP)
        opening.add_argument("--options", default="", help="""the game's own, as JSON, e.g. '{"fake": true}'""")
        opening.add_argument("--deals", choices=get_args(Deals), help="of the matches of one table")
        opening.add_argument("--scored", choices=get_args(Scored), help="each, or a table's as one")
        opening.add_argument("--tiebreaks", type=parse_list, help="in their order, e.g. opposition,wins")
        opening.add_argument("--seeding", choices=get_args(Seeding), help=SEEDING_HELP)
        opening.add_argument("--rest", choices=get_args(RestValue), help="points for a bye")
        opening.add_argument("--stages", type=parse_stage_objects, default=(), help=STAGES_HELP)
        _add_entry_conditions(opening)
        entering = subparsers.add_parser("enter", help="enter the newest active version of bots")
        entering.add_argument("slug")
        entering.add_argument("bots", nargs="+")
        _add_logo_arguments(subparsers.add_parser("logo", help="set the logo of a league, or remove it"))
        _add_appointment_arguments(subparsers.add_parser("appoint", help="make a person the organiser of a league"))
        for verb, text in (("start", "pair the first round"), ("show", "print the standings")):
            subparsers.add_parser(verb, help=text).add_argument("slug")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Execute the subcommand; raises InvalidCommandInputError if it is impossible."""
        try:
            getattr(self, f"_{options['do']}")(options)
        except League.DoesNotExist:
            raise InvalidCommandInputError(f"there is no league {options['slug']!r}") from None
        except (CommandRejected, ObjectDoesNotExist) as error:  # no version of a bot is active
            raise InvalidCommandInputError(error) from error

    def _open(self, options: dict[str, Any]) -> None:
        slug, clock = options["slug"], time_control_fields.clock_from(options)
        words = {field.name for field in fields(LeagueSettings)} - {"slug", "name", "clock", "by"}
        terms: dict[str, Any] = {key: options[key] for key in words}
        terms["questions"] = tuple(terms["questions"])
        terms["stages"] = parse_stages(terms["stages"], terms["game"], terms["worth"])
        typed = [option for option in STAGE_DEFAULTS if terms[option] is not None]
        if typed and terms["stages"]:
            raise InvalidCommandInputError(f"--{typed[0]} has no effect with --stages: write it into the stages")
        terms |= {option: value for option, value in STAGE_DEFAULTS.items() if terms[option] is None}
        if terms["seats"] is None:
            if not terms["stages"]:
                raise InvalidCommandInputError(
                    "say how many bots sit at a table, with --seats, or the stages of the league, with --stages"
                )
            terms["seats"] = terms["stages"][0].seats
        name = slug if options["name"] is None else options["name"]
        league = services.open_league(LeagueSettings(slug=slug, name=name, clock=clock, by=getpass.getuser(), **terms))
        self.stdout.write(f"open: {league.name}; enter bots with `manage.py league enter {slug} BOT ...`")

    def _enter(self, options: dict[str, Any]) -> None:
        league = League.objects.get(slug=options["slug"])
        for bot in options["bots"]:
            version = find_newest_active(bot)
            services.enter_bot(league.pk, version)
            self.stdout.write(f"entered: {version.label}")

    def _appoint(self, options: dict[str, Any]) -> None:
        league, actor = League.objects.get(slug=options["slug"]), LeagueActor(by=getpass.getuser(), at=now())
        told = {"person": options["person"], "role": LeagueRole.Role.ORGANISER}
        actions_by_verb()["appoint"].perform(OrganiserActionRequest(league=league, arguments=told, actor=actor))
        self.stdout.write(f"appointed: {options['person']} is an organiser of {league.name}")

    def _logo(self, options: dict[str, Any]) -> None:
        league, picture = League.objects.get(slug=options["slug"]), options["picture"]
        if picture is None:
            discard_logo(league)
            self.stdout.write(f"removed: {league.name} has no logo any more")
            return
        try:
            upload = picture.read_bytes()
        except OSError as error:
            raise InvalidCommandInputError(f"{picture} cannot be read: {error.strerror}") from None
        store_logo(league, convert_logo(upload))
        self.stdout.write(f"set: {read_card(league.slug).logo_path}")

    def _start(self, options: dict[str, Any]) -> None:
        services.start(League.objects.get(slug=options["slug"]).pk)
        self._show(options)

    def _show(self, options: dict[str, Any]) -> None:
        page = league_page_queries.read_league(options["slug"])
        self.stdout.write(f"{page.name}: {page.status}, round {page.round} of {page.rounds}, season {page.season}")
        for standing in league_page_queries.list_standings(options["slug"]):
            self.stdout.write(f"{standing.place:>4}  {standing.name:<30} {standing.points:>8}")
