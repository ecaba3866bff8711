"""Nobody is told by a stream, a sentence, a page or an API what the rules keep from them.

Two matches are compared in which hidden things are exchanged, so that to one viewer they are the same: everything
that is sent to this viewer, entry by entry, must be the same as well, to the byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from random import Random

import msgspec
import pytest
from django.test import Client

from ftk_core.entries import Happened, write
from ftk_core.facts import PUBLIC, Fact, encode, secrets_of, tell
from ftk_core.games import shelf
from ftk_core.match import opening
from ftk_core.rng import seed_of
from replays.gallery import Reel
from replays.models import Match
from replays.store import StreamLog
from tests.factories import active_version, waiting_match
from tests.laws.tables import EVERY, Story, told
from tests.laws.test_secrets import exchanged, unknown
from tests.laws.variants import options_for
from tests.live import LiveMatch

LANGUAGES = ("en", "zh-Hant")
Lines = list[bytes]
LARGEST = [(name, max(row.seats)) for name, row in shelf().items()]


def lines_of_world(match: Story, number: int, facts: list[Fact]) -> Lines:
    """Return the log of a match in which these facts happened."""
    names = [f"Player {seat}" for seat in range(match.seats)]
    options = options_for(match.game.name, match.seats, number)
    opened = opening(match.game, "match", names, seed_of("leaks"), options=options)
    entries = [Happened(seq, msgspec.Raw(encode(fact))) for seq, fact in enumerate(facts, 1)]
    return [write(entry) for entry in (opened, *entries)]


def worlds(name: str, seats: int, viewer: int) -> Iterator[tuple[Lines, Lines]]:
    """Yield pairs of logs that are different, but not to this viewer."""
    for number, match in enumerate(told(name, seats)):
        if not any(secrets_of(type(fact)) for fact in match.facts):
            continue  # a game of open cards
        hidden, draw = dict(unknown(match, viewer)), Random(viewer)
        spots = [at for at, names in hidden.items() if len(names) > 1]
        for at in draw.choices(spots, k=1) if spots else ():
            one, other = draw.sample(sorted(hidden[at]), 2)
            until = max(spot for spot, names in hidden.items() if {one, other} <= names)
            facts = match.facts[:until]
            changed = [exchanged(match, fact, one, other) for fact in facts]
            assert [tell(fact, viewer) for fact in changed] == [tell(fact, viewer) for fact in facts]
            yield lines_of_world(match, number, facts), lines_of_world(match, number, changed)


def shown(lines: Lines, viewer: int, language: str) -> Lines:
    """Return all frames of a match, the last one also whole, as somebody is sent it who opens it there."""
    reel = Reel(viewer, language)
    reel.extend(line.rstrip(b"\n") for line in lines)
    span = reel.span(-1)
    return [*reel.frames(span, whole=False), *reel.frames(span[-1:], whole=True)]


@pytest.mark.parametrize(("name", "seats"), EVERY)
def test_no_frame_and_no_sentence_tells_what_a_viewer_may_not_know(name: str, seats: int) -> None:
    for viewer in (PUBLIC, *range(seats)):
        for number, (one, other) in enumerate(worlds(name, seats, viewer)):
            language = LANGUAGES[(viewer + number) % 2]
            assert shown(one, viewer, language) == shown(other, viewer, language)


def live(lines: Lines, seats: int, game: str) -> Match:
    """Return a match that is being played, with this log."""
    match = waiting_match([active_version(game=game, slug=f"b{seat}-{Match.objects.count()}") for seat in range(seats)])
    StreamLog(match.stream_id).append([line.rstrip(b"\n") + b"\n" for line in lines], 0)
    Match.objects.filter(pk=match.pk).update(status=Match.Status.PLAYING)
    return match


def told_by_the_site(client: Client, match: Match, alike: dict[str, str]) -> dict[str, str]:
    """Return what every address says of a match; `alike` are words that stand for the same in both matches."""
    paths = ["/matches/{}/", "/embed/{}/", "/watch/?match={}", "/oembed/?url=http://testserver/matches/{}/"]
    paths += ["/api/matches/{}/", "/api/matches/{}/log/"]
    paths += [f"/api/matches/{{}}/decision/?eyes={eyes}&at=9999" for eyes in ("public", "all", "0")]
    said = {path: client.get(path.format(match.pk)).content.decode() for path in paths}
    for word, same in alike.items():
        said = {path: text.replace(word, same) for path, text in said.items()}
    return said


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "seats"), LARGEST)
def test_no_page_and_no_api_tells_of_a_live_match_what_the_public_may_not_know(
    name: str, seats: int, client: Client
) -> None:
    for one, other in islice(worlds(name, seats, PUBLIC), 1):
        matches = live(one, seats, name), live(other, seats, name)
        alike = {match.pk: "<match>" for match in matches}
        alike |= {row.version.bot.slug: f"<{row.seat}>" for match in matches for row in match.seats.all()}
        said = [told_by_the_site(client, match, alike) for match in matches]
        assert said[0] == said[1]
        assert not any(bytes(match.seed).hex() in text for match in matches for text in said[0].values())


@pytest.mark.django_db(transaction=True)
def test_what_is_shown_of_a_match_elsewhere_does_not_tell_how_it_ended(client: Client) -> None:
    match = LiveMatch("to_court_the_king", 3)
    match.grow(match.left - 1)
    paths = [f"/embed/{match.match.pk}/", f"/oembed/?url=http://testserver/matches/{match.match.pk}/"]
    before = [client.get(path).content.decode() for path in paths]
    match.grow()
    after = [re.sub(' head="[0-9a-f]{64}"', "", client.get(path).content.decode()) for path in paths]
    assert after == before
    head, _, _ = client.get(f"/matches/{match.match.pk}/").content.decode().partition("</head>")
    assert set(re.findall(r'"(?:og:)?description" content="([^"]*)"', head)) == {
        "To Court the King, 3 bots: watch every move."
    }
