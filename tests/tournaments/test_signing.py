"""What is closed is signed: every round and the whole league, with a key that only the server has."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection, transaction
from django.test import Client, override_settings

from ftk_core.kit.keys import public_pem, signs
from ftk_core.kit.verify_league import verify_export
from ftk_core.league.roots import matches_of, root_over, statement_of, unsigned
from ftk_core.league.signatures import LeagueSigned, RoundSigned
from ftk_core.league.state import NotNow
from ftk_core.log import lines_of
from replays.models import Match, Page, Stream
from replays.playing.runner import play_match
from replays.queries import read_heads
from replays.store import StreamLog
from tests.support.leagues import entrants, new_league, play_all
from tournaments import services
from tournaments.export import archive
from tournaments.models import League
from tournaments.projections import load
from tournaments.signing import WrongKey, signer


@pytest.fixture
def key(tmp_path: Path) -> Iterator[Path]:
    file = tmp_path / "keys" / "signing-key"
    with override_settings(SIGNING_KEY=file):
        yield file


def signatures(league: League) -> list[RoundSigned | LeagueSigned]:
    return list(load(league)[1].signed)


@pytest.mark.django_db(transaction=True)
def test_each_round_and_the_league_are_signed_over_the_heads_of_their_matches(key: Path) -> None:
    league = new_league(entrants())
    play_all(league)
    folded = load(league)[1]
    first, second, whole = folded.signed
    assert [fact.matches for fact in folded.signed] == [2, 2, 4]
    for scope, fact in ((1, first), (2, second), (None, whole)):
        assert fact.root == root_over(read_heads(matches_of(folded, scope)))
        assert signs(fact.key, fact.signature, statement_of("night", fact))
        assert not signs(fact.key, fact.signature, statement_of("other", fact))
    assert unsigned(folded) == []


@pytest.mark.django_db(transaction=True)
def test_the_last_signature_covers_everything_the_stream_says_before_it(key: Path) -> None:
    league = new_league(entrants(2), rounds=1)
    play_all(league)
    pages = list(Page.objects.filter(stream=league.stream_id).order_by("first"))
    assert bytes(pages[-1].body).startswith(b'{"kind":"league_signed"')
    assert pages[-1].first == pages[-1].last
    assert signatures(league)[-1].after == bytes(pages[-2].head).hex()


@pytest.mark.django_db(transaction=True)
def test_a_changed_key_is_seen_in_the_stream_and_told_by_the_verifier(key: Path, tmp_path: Path) -> None:
    league = new_league(entrants(2), rounds=2)
    first = Match.objects.get(status=Match.Status.WAITING).pk
    assert play_match(first)
    assert services.record_match(first)
    with override_settings(SIGNING_KEY=key.with_name("another")):
        play_all(league)
        after = signer().public
    assert [fact.key for fact in signatures(league)] == [signer().public, after, after]
    services.export_league("night", tmp_path / "night.tar")
    report = verify_export(tmp_path / "night.tar")
    assert not report.flaws
    assert "the key changed" in report.notes[0]


@pytest.mark.django_db(transaction=True)
def test_a_league_from_before_there_were_signatures_is_signed_when_it_is_exported(key: Path, tmp_path: Path) -> None:
    league = new_league(entrants(2), rounds=1)
    before = StreamLog(league.stream_id).length
    play_all(league)
    _forget_signatures(league, before)
    with pytest.raises(NotNow, match="not signed"):
        archive("night")
    services.export_league("night", tmp_path / "night.tar")
    assert not verify_export(tmp_path / "night.tar").flaws


def _forget_signatures(league: League, length: int) -> None:
    """Write the end of a stream again as it was written before there were signatures."""
    lines = [line + b"\n" for line in lines_of(StreamLog(league.stream_id), length - 1) if b"_signed" not in line]
    head = bytes(Page.objects.get(stream=league.stream_id, last=length - 1).head)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = 'replica'")
        Page.objects.filter(stream=league.stream_id, first__gte=length).delete()
    Stream.objects.filter(pk=league.stream_id).update(length=length, head=head)
    StreamLog(league.stream_id).append(lines, length)


@pytest.mark.django_db(transaction=True)
def test_signing_again_adds_nothing(key: Path) -> None:
    league = new_league(entrants(2), rounds=1)
    play_all(league)
    before = list(lines_of(StreamLog(league.stream_id)))
    services.sign_roots(league.pk)
    assert list(lines_of(StreamLog(league.stream_id))) == before


@pytest.mark.django_db
def test_the_key_is_made_once_for_its_owner_only_and_its_public_half_is_published(key: Path) -> None:
    answer = Client().get("/.well-known/ftk-signing-key")
    assert answer.status_code == 200
    assert answer.content == public_pem(signer().public)
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert [file.name for file in key.parent.iterdir()] == ["signing-key"]


@pytest.mark.parametrize("content", ["", "secret", public_pem("00" * 32).decode()])
def test_a_file_that_is_no_key_is_named_and_not_shown(key: Path, content: str) -> None:
    key.parent.mkdir()
    key.write_text(content)
    with pytest.raises(WrongKey, match="signing-key holds no private key") as caught:
        signer()
    assert not content or content not in str(caught.value)
