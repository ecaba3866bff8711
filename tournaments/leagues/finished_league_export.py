"""Export of a finished league as a tar file that anybody can verify."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from django.db import transaction
from django.utils.translation import gettext

from ftk_core.kit.verify.public_keys import public_pem
from ftk_core.league.league_state import CommandRejected, LeagueState
from ftk_core.league.publication import league_export
from ftk_core.league.publication.signed_merkle_roots import list_unsigned_scopes, matches_of
from ftk_core.log_entries import stream_of
from ftk_core.match_log_file import dump_pages
from ftk_core.tar_files import File, pack
from replays.event_stream_storage import pages_of
from replays.queries import read_heads
from tournaments.leagues.league_event_appending import lock_league, sign_closed_parts
from tournaments.leagues.league_event_projection import load
from tournaments.models import League


def stream_export(slug: str) -> Iterator[bytes]:
    """Return an iterator over the bytes of a league's tar file.

    Raises League.DoesNotExist, or CommandRejected for an unfinished or unsigned league.
    """
    # Only one match is in memory at a time.
    league = League.objects.get(slug=slug)
    _, state = load(league)
    if not state.closed:
        raise CommandRejected(
            gettext("%(league)s is not over; it can be exported once its last round is closed")
            % {"league": league.name}
        )
    if list_unsigned_scopes(state):
        raise CommandRejected(
            gettext(
                "%(league)s is not signed yet; run `manage.py export`, which also signs a league"
                " that was closed before the server signed leagues"
            )
            % {"league": league.name}
        )
    return pack(_yield_files(league.stream_id, state))


def _yield_files(stream_id: str, state: LeagueState) -> Iterator[File]:
    matches = matches_of(state, None)
    yield league_export.README, league_export.README_TEXT
    yield league_export.KEY, public_pem(state.signed[-1].key)
    yield league_export.STREAM, _read_log(stream_id)
    yield league_export.RESULTS, league_export.build_results_file(state)
    yield league_export.ROOTS, league_export.build_roots_file(state, read_heads(matches))
    for match_id in matches:
        yield league_export.match_file_name(match_id), _read_log(stream_of(match_id))


def _read_log(stream_id: str) -> bytes:
    return b"".join(dump_pages(pages_of(stream_id)))


@transaction.atomic
def sign_roots(league_id: int) -> None:
    """Sign all closed rounds of a league that have no signature, and the league if it is closed."""
    # Signatures are missing in leagues that were played before the server signed leagues.
    league = lock_league(league_id)
    stream, state = load(league)
    sign_closed_parts(league, stream, state)


def export_league(slug: str, target: Path) -> int:
    """Sign a finished league, write it to a tar file, and return the file's size in bytes.

    Raises League.DoesNotExist, OSError, or CommandRejected for an unfinished league or if `target` is not a regular
    file.
    """
    # The file appears only when it is complete.
    if target.exists() and not target.is_file():
        raise CommandRejected(
            gettext("%(target)s exists and is not a file, so the export cannot replace it; name another file")
            % {"target": target}
        )
    sign_roots(League.objects.get(slug=slug).pk)
    pieces, draft = stream_export(slug), target.with_name(f".{target.name}.part")
    with draft.open("wb") as out:
        size = sum(out.write(piece) for piece in pieces)
    draft.replace(target)
    return size
