"""Hidden information: no stream, sentence, page or API reveals hidden information to a viewer.

Two matches are compared that differ only in a viewer's hidden information (`tests.support.laws.worlds`): all bytes sent
to this viewer must be the same. The URLs are those of the site, new ones included.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from bots.models import BotVersion
from bots.remote_bots import get_bot_by_hand
from ftk_core.facts import PUBLIC, encode
from ftk_core.games import game as game_of, list_games
from ftk_core.kit.protocol.protocol_lines import QuestionLine
from ftk_core.log_entries import ChoiceMade, GameFactRecorded, MatchOpened, read
from ftk_core.match_fork import has_secrets
from ftk_core.match_replay_frames import MatchFrames
from ftk_core.match_state_from_log import fact_in, state_before_deal
from replays.event_stream_storage import EventAppender
from replays.models import Match, SeatQuestionMailbox
from tests.support.addresses import list_url_patterns
from tests.support.factories import AuthorFactory, create_active_version, create_waiting_match
from tests.support.laws.by_game import options_for, other_world
from tests.support.laws.rigged import WorldImpossible
from tests.support.laws.tables import GAMES_AND_SIZES
from tests.support.laws.worlds import compare_worlds, play_world
from tests.support.lengths import nightly
from tests.support.live import LiveMatch

pytestmark = pytest.mark.slow

LANGUAGES = ("en", "zh-Hant")
Lines = list[bytes]
HIDING = [name for name, row in list_games().items() if has_secrets(row)]
"""Games with hidden information besides the outcomes of future draws."""
SIZES = [row for row in GAMES_AND_SIZES if row[0] in HIDING]
TRIES = 8
PASSING = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)|\b\d\d:\d\d\b|csrfmiddlewaretoken.*?>")
"""Parts of a response that differ at every request: times and tokens."""


def is_middle(name: str, seats: int) -> bool:
    return {(name, seats - 1), (name, seats + 1)} <= set(SIZES)


def worlds(name: str, seats: int, viewer: int) -> Iterator[tuple[Lines, Lines]]:
    """Yield pairs of logs that differ, but not for this viewer."""
    world, diary = play_world(game_of(name), seats, options_for(name, seats, viewer + 2), viewer + 2, viewer)
    draw = Random(viewer)
    for _ in range(TRIES):
        try:
            twin, facts = compare_worlds(world, diary, other_world(name)(world, viewer, draw))
        except WorldImpossible:
            continue
        if twin.lines(facts) != world.lines(facts):
            yield world.lines(facts), twin.lines(facts)


def shown(lines: Lines, viewer: int, language: str) -> Lines:
    """Return all frames of a match, and the last one in full, as sent to a spectator who opens it there."""
    reel = MatchFrames(viewer, language)
    reel.extend(line.rstrip(b"\n") for line in lines)
    span = reel.span(-1)
    return [*reel.frames(span, whole=False), *reel.frames(span[-1:], whole=True)]


@pytest.mark.parametrize(
    ("name", "seats"), [one for row in SIZES for one in (nightly(row) if is_middle(*row) else [row])]
)
def test_no_frame_or_sentence_reveals_information_hidden_from_its_viewpoint(name: str, seats: int) -> None:
    for viewer in (PUBLIC, 0, seats - 1):
        for number, (one, other) in enumerate(islice(worlds(name, seats, viewer), 2)):
            language = LANGUAGES[(viewer + number) % 2]
            assert shown(one, viewer, language) == shown(other, viewer, language)


def live(lines: Lines, versions: list[BotVersion]) -> Match:
    """Return a match in progress with this log."""
    match = create_waiting_match(versions)
    EventAppender(match.stream_id).append(lines, 0)
    Match.objects.filter(pk=match.pk).update(status=Match.Status.PLAYING)
    return match


def filled(path: str, match: Match) -> str:
    """Return a URL with the match, one of its bots or its game filled in."""
    bot = match.seats.get(seat=0).version
    fill = {
        "match_id": match.pk,
        "pk": match.pk if "match" in path else "0",
        "number": str(bot.number),
        "name": match.game,
        "game": match.game,
    }
    fill |= {"slug": bot.bot.slug, "bot": "random"}
    return re.sub(r"<(?:\w+:)?(\w+)>", lambda found: fill.get(found[1], bot.bot.slug), path)


def read_every_url(client: Client, match: Match, alike: dict[str, str]) -> dict[str, str]:
    """Return the response of every URL about a match; words in `alike` are replaced before the comparison."""
    asked = {path: filled(path, match) for path in list_url_patterns()}
    asked |= {"watch": f"/watch/?match={match.pk}", "oembed": f"/oembed/?url=http://testserver/matches/{match.pk}/"}
    asked |= {"list": f"/api/v1/matches/?game={match.game}&status=playing", "search": f"/search/?game={match.game}"}
    asked |= {eyes: f"/api/v1/matches/{match.pk}/decision/?eyes={eyes}&at=9999" for eyes in ("public", "all", "0")}
    said = {path: client.get(address).content.decode(errors="replace") for path, address in asked.items()}
    for word, same in alike.items():
        said = {path: text.replace(word, same) for path, text in said.items()}
    return {path: PASSING.sub("", text) for path, text in said.items()}


@pytest.mark.django_db
@pytest.mark.parametrize("name", HIDING)
def test_no_page_or_api_reveals_hidden_information_of_a_live_match(name: str) -> None:
    said, seats = [], max(game_of(name).seats)
    versions = [create_active_version(game=name) for _ in range(seats)]
    for lines in next(islice(worlds(name, seats, PUBLIC), 1), ()):
        before = transaction.savepoint()
        match = live(lines, versions)
        alike = {match.pk: "<match>", match.stream_id: "<stream>"}
        said.append(read_every_url(Client(), match, alike))  # a new client has no messages from the other world
        assert "/matches/<match>/" in "".join(said[-1].values())
        assert not any(bytes(match.seed).hex() in text for text in said[-1].values())
        transaction.savepoint_rollback(before)
    different = [path for path in said[0] if said[0][path] != said[1][path]]
    assert not different, [(said[0][path], said[1][path]) for path in different]


def question(lines: Lines, seat: int) -> tuple[Lines, str, int]:
    """Return the log up to a seat's last question, and that question with its items as in the mailbox."""
    entries = [read(line) for line in lines]
    last = max(at for at, entry in enumerate(entries) if isinstance(entry, ChoiceMade) and entry.seat == seat)
    opened = entries[0]
    assert isinstance(opened, MatchOpened)
    rules = game_of(opened.game)
    state = state_before_deal(rules, opened)
    for entry in entries[:last]:
        if isinstance(entry, GameFactRecorded):
            state = rules.apply(state, fact_in(rules, entry))
    menu = rules.legal(state, seat)
    ask = QuestionLine(id=1, view=rules.view(state, seat), news=(), menu=menu, bank_ms=0)
    return lines[:last], encode(ask).decode(), len(menu)


@pytest.mark.django_db
@pytest.mark.parametrize("name", HIDING)
def test_no_page_reveals_hidden_information_of_opponents_to_a_human_player(name: str) -> None:
    said, seats, seat = [], max(game_of(name).seats), 1
    person = AuthorFactory.create()
    versions = [create_active_version(game=name) for _ in range(seats)]
    versions[seat] = get_bot_by_hand(person, name)
    client = Client()
    client.force_login(person)
    for lines in next(islice(worlds(name, seats, seat), 1), ()):
        before = transaction.savepoint()
        past, line, items = question(lines, seat)
        match = live(past, versions)
        own = {"bot": versions[seat].bot, "number": 1, "line": line, "items": items, "asked_at": timezone.now()}
        SeatQuestionMailbox.objects.create(seat=match.seats.get(seat=seat), **own)
        alike = {match.pk: "<match>", match.stream_id: "<stream>"}
        asked = {eyes: f"/matches/{match.pk}/seat/{seat}/{eyes}" for eyes in ("", "?lang=zh-Hant")}
        told = {path: client.get(address).content.decode() for path, address in asked.items()}
        assert all('"asked": true' in text for text in told.values())
        said.append(told | read_every_url(client, match, alike))
        assert f'hand="{seat}"' in said[-1]["/matches/<slug:match_id>/"]
        transaction.savepoint_rollback(before)
    different = [path for path in said[0] if said[0][path] != said[1][path]]
    assert not different, [(said[0][path], said[1][path]) for path in different]


@pytest.mark.django_db(transaction=True)
def test_embeds_and_link_previews_are_the_same_before_and_after_the_end_of_a_match(client: Client) -> None:
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
