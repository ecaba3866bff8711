"""``manage.py audit``: rerun ended matches from their stored logs, and print all differences."""

from __future__ import annotations

import os
from typing import Any

from django.core.management.base import CommandError, CommandParser
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from foundation.management_commands import ArenaCommand, parse_time, whole_number
from replays.reports.match_audits import audit_matches, select_ended, select_not_audited


class Command(ArenaCommand):
    """Audits ended matches that were not audited with the current code of their game, or that showed a difference.

    If interrupted, run it again: it audits the rest.
    """

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the options for the number of processes and the selection of matches."""
        parser.add_argument(
            "--jobs", type=whole_number(1, 256), default=os.cpu_count() or 1, help="processes; all cores by default"
        )
        parser.add_argument("--since", type=parse_time, help="only what ended then or later, e.g. 2026-01-31")
        parser.add_argument("--again", action="store_true", help="also what was audited already")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Audit matches with a progress display; raises CommandError if an audit finds a difference."""
        matches = select_ended(options["since"])
        if not options["again"]:
            matches = select_not_audited(matches, differing=True)
        console = Console(highlight=False, soft_wrap=True)
        total, differing, skipped = matches.count(), 0, 0
        columns = (TextColumn("audited"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=console, transient=True) as progress:
            task = progress.add_task("audited", total=total)
            for finding in audit_matches(matches.iterator(chunk_size=100), options["jobs"]):
                differing, skipped = differing + bool(finding.differences), skipped + bool(finding.skipped)
                for line in (*finding.differences, *([f"not rerun: {finding.skipped}"] if finding.skipped else [])):
                    console.print(line, markup=False)
                progress.advance(task)
        console.print(f"{total} matches audited, {differing} differ, {skipped} could not be rerun")
        if differing:
            raise CommandError(f"{differing} of {total} matches are not what their logs and the rules say")
