"""Export of a finished league as one verifiable file: its stream, its matches, and the results."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext

from ftk_core.archive import File, pack
from ftk_core.entries import stream_of
from ftk_core.filelog import dump
from ftk_core.kit.keys import public_pem
from ftk_core.league import export
from ftk_core.league.roots import matches_of, unsigned
from ftk_core.league.state import LeagueState, NotNow
from replays.queries import read_heads
from replays.store import pages_of
from tournaments.models import League
from tournaments.projections import load


def archive(slug: str) -> Iterator[bytes]:
    """Yield a league's export in pieces, one match at a time.

    Raises League.DoesNotExist, and NotNow for a league that is not over: its secret and the seeds of its matches are
    confidential until then.
    """
    league = League.objects.get(slug=slug)
    _, state = load(league)
    if not state.closed:
        raise NotNow(
            gettext("%(league)s is not over; it can be exported once its last round is closed")
            % {"league": league.name}
        )
    if unsigned(state):
        raise NotNow(
            gettext("%(league)s is not signed yet; `manage.py export` signs what was closed before signing")
            % {"league": league.name}
        )
    return pack(_files(league.stream_id, state))


def _files(stream_id: str, state: LeagueState) -> Iterator[File]:
    matches = matches_of(state, None)
    yield export.README, export.README_TEXT
    yield export.KEY, public_pem(state.signed[-1].key)
    yield export.STREAM, _log(stream_id)
    yield export.RESULTS, export.results_file(state)
    yield export.ROOTS, export.roots_file(state, read_heads(matches))
    for match_id in matches:
        yield export.match_file(match_id), _log(stream_of(match_id))


def _log(stream_id: str) -> bytes:
    return b"".join(dump(pages_of(stream_id)))
