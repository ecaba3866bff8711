"""Signatures of the server for every closed round and every closed league."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection, transaction
from django.test import Client, override_settings

from ftk_core.hash_chained_log import lines_of
from ftk_core.kit.verify.league_export_verification import verify_export
from ftk_core.kit.verify.public_keys import is_signature, public_pem
from ftk_core.league.league_state import CommandRejected
from ftk_core.league.publication.signed_merkle_roots import list_unsigned_scopes, matches_of, root_over, statement_of
from ftk_core.league.signature_facts import LeagueSigned, RoundSigned
from replays.event_stream_storage import EventAppender
from replays.models import EventStream, EventStreamPage, Match
from replays.playing.match_runner import play_match
from replays.queries import read_heads
from tests.support.leagues import create_entrants, play_all, start_league
from tournaments.league_log_signing_key import SigningKeyError, load_signer
from tournaments.leagues import finished_league_export, services
from tournaments.leagues.finished_league_export import stream_export
from tournaments.leagues.league_event_projection import load
from tournaments.models import League


@pytest.fixture
def key(tmp_path: Path) -> Iterator[Path]:
    file = tmp_path / "keys" / "signing-key"
    with override_settings(SIGNING_KEY=file):
        yield file


def signatures(league: League) -> list[RoundSigned | LeagueSigned]:
    return list(load(league)[1].signed)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_signatures_of_rounds_and_league_cover_the_hashes_of_their_match_logs(key: Path) -> None:
    league = start_league(create_entrants())
    play_all(league)
    folded = load(league)[1]
    first, second, whole = folded.signed
    assert [fact.matches for fact in folded.signed] == [2, 2, 4]
    for scope, fact in ((1, first), (2, second), (None, whole)):
        assert fact.root == root_over(read_heads(matches_of(folded, scope)))
        assert is_signature(fact.key, fact.signature, statement_of("night", fact))
        assert not is_signature(fact.key, fact.signature, statement_of("other", fact))
    assert list_unsigned_scopes(folded) == []


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_last_signature_of_a_league_covers_all_previous_events(key: Path) -> None:
    league = start_league(create_entrants(2), rounds=1)
    play_all(league)
    pages = list(EventStreamPage.objects.filter(stream=league.stream_id).order_by("first"))
    assert bytes(pages[-1].body).startswith(b'{"kind":"league_signed"')
    assert pages[-1].first == pages[-1].last
    assert signatures(league)[-1].after == bytes(pages[-2].head).hex()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_verification_of_a_league_reports_a_changed_signing_key(key: Path, tmp_path: Path) -> None:
    league = start_league(create_entrants(2), rounds=2)
    first = Match.objects.get(status=Match.Status.WAITING).pk
    assert play_match(first)
    assert services.record_match(first)
    with override_settings(SIGNING_KEY=key.with_name("another")):
        play_all(league)
        after = load_signer().public
    assert [fact.key for fact in signatures(league)] == [load_signer().public, after, after]
    finished_league_export.export_league("night", tmp_path / "night.tar")
    report = verify_export(tmp_path / "night.tar")
    assert not report.flaws
    assert "the key changed" in report.notes[0]


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_an_unsigned_league_is_signed_when_it_is_exported(key: Path, tmp_path: Path) -> None:
    league = start_league(create_entrants(2), rounds=1)
    before = EventAppender(league.stream_id).length
    play_all(league)
    _forget_signatures(league, before)
    with pytest.raises(CommandRejected, match="not signed"):
        stream_export("night")
    finished_league_export.export_league("night", tmp_path / "night.tar")
    assert not verify_export(tmp_path / "night.tar").flaws


def _forget_signatures(league: League, length: int) -> None:
    """Rewrite the end of a stream without signatures, as releases before signatures wrote it."""
    lines = [line + b"\n" for line in lines_of(EventAppender(league.stream_id), length - 1) if b"_signed" not in line]
    head = bytes(EventStreamPage.objects.get(stream=league.stream_id, last=length - 1).head)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = 'replica'")
        EventStreamPage.objects.filter(stream=league.stream_id, first__gte=length).delete()
    EventStream.objects.filter(pk=league.stream_id).update(length=length, head=head)
    EventAppender(league.stream_id).append(lines, length)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_signing_a_league_twice_adds_no_second_signature(key: Path) -> None:
    league = start_league(create_entrants(2), rounds=1)
    play_all(league)
    before = list(lines_of(EventAppender(league.stream_id)))
    finished_league_export.sign_roots(league.pk)
    assert list(lines_of(EventAppender(league.stream_id))) == before


@pytest.mark.django_db
def test_the_signing_key_file_is_private_to_its_owner_and_the_public_key_is_published(key: Path) -> None:
    answer = Client().get("/.well-known/ftk-signing-key")
    assert answer.status_code == 200
    assert answer.content == public_pem(load_signer().public)
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert [file.name for file in key.parent.iterdir()] == ["signing-key"]


@pytest.mark.parametrize("content", ["", "secret", public_pem("00" * 32).decode()])
def test_the_error_about_an_invalid_signing_key_file_names_the_file_but_not_its_content(
    key: Path, content: str
) -> None:
    key.parent.mkdir()
    key.write_text(content)
    with pytest.raises(SigningKeyError, match="signing-key holds no private key") as caught:
        load_signer()
    assert not content or content not in str(caught.value)
