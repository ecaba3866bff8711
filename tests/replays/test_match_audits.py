"""The audit of stored matches: it folds and reruns them, and reports each difference."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection, transaction

from ftk_core.hash_chained_log import InMemoryLog, lines_of
from ftk_core.match_log_file import dump_pages
from replays import tasks
from replays.event_stream_storage import EventAppender, pages_of
from replays.models import EventStream, EventStreamPage, Match, MatchAudit
from replays.playing.match_runner import play_match
from replays.reports.match_audits import (
    GAME_NOT_INSTALLED,
    audit_for,
    audit_matches,
    gather_evidence,
    select_ended,
    select_not_audited,
)
from tests.support.factories import create_active_version, create_waiting_match

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def match() -> Match:
    row = create_waiting_match([create_active_version(), create_active_version()])
    assert play_match(row.pk)
    row.refresh_from_db()
    return row


def past_the_triggers(statement: str, *values: object) -> None:
    """Execute a statement with the database's triggers switched off."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = 'replica'")
        cursor.execute(statement, values)


def tamper(match: Match, old: bytes, new: bytes) -> int:
    """Change the first entry that contains `old`, in its page only; return its number."""
    seq, line = next((n, line) for n, line in enumerate(lines_of(EventAppender(match.stream_id))) if old in line)
    page = EventStreamPage.objects.get(stream=match.stream_id, first__lte=seq, last__gte=seq)
    body = bytes(page.body).replace(line, line.replace(old, new), 1)
    past_the_triggers(
        "UPDATE replays_page SET body = %s WHERE stream_id = %s AND first = %s", body, match.stream_id, page.first
    )
    return seq


def chain_anew(match: Match) -> None:
    """Recompute the hashes of a tampered stream."""
    log = InMemoryLog()
    for page in pages_of(match.stream_id):
        head = log.append(page.body.splitlines(keepends=True), log.length).head
        past_the_triggers(
            "UPDATE replays_page SET head = %s WHERE stream_id = %s AND first = %s", head, match.stream_id, page.first
        )
        EventStream.objects.filter(pk=match.stream_id).update(head=head)


def differences(match: Match) -> tuple[str, ...]:
    (finding,) = audit_matches(select_ended().filter(pk=match.pk))
    return finding.differences


def a_face(match: Match) -> bytes:
    body = b"".join(dump_pages(pages_of(match.stream_id)))
    at = body.index(b'"face":')
    return body[at : at + 8]


def test_a_match_that_passes_the_audit_is_audited_once(match: Match, capsys: pytest.CaptureFixture[str]) -> None:
    for said in ("1 matches audited, 0 differ", "0 matches audited, 0 differ"):
        call_command("audit", jobs=1)
        assert said in capsys.readouterr().out
    call_command("audit", jobs=1, again=True)
    assert "1 matches audited" in capsys.readouterr().out


def test_a_new_software_build_audits_all_matches_again(match: Match) -> None:
    assert differences(match) == ()
    assert not select_not_audited(select_ended()).exists()
    MatchAudit.objects.update(build="0.0.1+older")
    assert list(select_not_audited(select_ended())) == [match]


def test_an_audit_with_two_processes_gives_the_same_result_as_with_one(
    match: Match, capsys: pytest.CaptureFixture[str]
) -> None:
    sound = create_waiting_match([create_active_version(), create_active_version()], "another")
    assert play_match(sound.pk)
    face = a_face(match)
    seq = tamper(match, face, b'"face":9')
    lines_by_jobs = []
    for jobs in (1, 2):
        with pytest.raises(CommandError, match="1 of 2 matches"):
            call_command("audit", jobs=jobs, again=True)
        lines_by_jobs.append(sorted(capsys.readouterr().out.splitlines()))
    assert lines_by_jobs[0] == lines_by_jobs[1]
    out = "\n".join(lines_by_jobs[1])
    assert f"match {match.pk}, entry {seq}: fact.face says 9 where {face[-1:].decode()} follows" in out
    assert sound.pk not in out


def test_an_audit_reports_the_entry_and_field_changed_in_a_log_page(match: Match) -> None:
    seq = tamper(match, a_face(match), b'"face":9')
    chain, entry = differences(match)
    assert chain.startswith(f"match {match.pk}, page ")
    assert "does not match its hash" in chain
    assert entry.startswith(f"match {match.pk}, entry {seq}: fact.face says 9 where ")


def test_an_audit_detects_a_changed_log_page_although_its_hashes_were_recomputed(match: Match) -> None:
    seq = tamper(match, a_face(match), b'"face":9')
    chain_anew(match)
    (entry,) = differences(match)
    assert entry.startswith(f"match {match.pk}, entry {seq}: fact.face says 9 where ")


def test_an_audit_reports_a_difference_until_it_is_repaired(match: Match) -> None:
    tamper(match, a_face(match), b'"face":9')
    for _ in range(2):
        with pytest.raises(CommandError, match="1 of 1 matches"):
            call_command("audit", jobs=1)
    assert "fact.face" in MatchAudit.objects.get().found


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE replays_matchseat SET place = 7 WHERE seat = 1", "the row of seat 1: place says 7, entry"),
        ("UPDATE replays_matchseat SET score = -1 WHERE seat = 0", "the row of seat 0: score says -1, entry"),
        ("UPDATE replays_matchseat SET role = 'king' WHERE seat = 0", "the row of seat 0: role says king, entry"),
        ("UPDATE replays_match SET options = 'fake'", "the match's row: options says fake where"),
        ("DELETE FROM replays_matchseat WHERE seat = 1", "1 rows of seats, the log has 2"),
        (r"UPDATE replays_match SET seed = '\x00'", "the match's row: seed says 00 where"),
        (r"UPDATE replays_stream SET head = '\x00'", "the stream's row: head says 00, the last page"),
        ("UPDATE replays_stream SET length = 1", "the stream's row: length says 1, the pages hold"),
        ("DELETE FROM replays_page", "the pages hold 0 entries"),
        (r"UPDATE replays_page SET body = '\xff0a', last = 0 WHERE first = 0", "the log cannot be read"),
    ],
)
def test_an_audit_reports_a_database_row_that_contradicts_the_log(match: Match, statement: str, said: str) -> None:
    past_the_triggers(statement)
    found = differences(match)
    assert any(line.startswith(f"match {match.pk}, ") and said in line for line in found), found


def test_an_audit_skips_the_log_of_an_unknown_rules_version(match: Match, capsys: pytest.CaptureFixture[str]) -> None:
    tamper(match, b'"version":1', b'"version":0')
    chain_anew(match)
    call_command("audit", jobs=1)
    assert "not rerun: there is no version 0 of 'pig' here; known: 1" in capsys.readouterr().out


def test_an_audit_skips_a_match_of_a_game_that_is_not_installed_until_the_game_is_back(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(game="gone")
    assert audit_for(5) == 0
    assert MatchAudit.objects.get().build == GAME_NOT_INSTALLED
    Match.objects.filter(pk=match.pk).update(game="pig")
    assert list(select_not_audited(select_ended())) == [match]


def test_an_abandoned_match_has_a_valid_hash_chain_and_no_result(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(status=Match.Status.VOID)
    match.refresh_from_db()
    assert gather_evidence(match).void
    assert differences(match) == ()


def test_the_nightly_audit_continues_with_matches_not_yet_audited(match: Match) -> None:
    later = create_waiting_match([create_active_version(), create_active_version()], "later")
    assert play_match(later.pk)
    assert audit_for(0) == 1, "time is up after one"
    assert MatchAudit.objects.get().match_id == match.pk
    assert tasks.run_audit_job()
    assert MatchAudit.objects.count() == 2


def test_an_audit_can_be_limited_to_recent_matches(match: Match, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("audit", "--jobs=1", "--since=2999-01-01")
    assert "0 matches audited" in capsys.readouterr().out
    call_command("audit", "--jobs=1", "--since=2020-01-01")
    assert "1 matches audited" in capsys.readouterr().out
