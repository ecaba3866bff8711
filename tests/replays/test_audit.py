"""What is stored of a match is folded and rerun again and again, and whatever differs is named."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection, transaction

from ftk_core.filelog import dump
from ftk_core.log import MemoryLog, lines_of
from replays import tasks
from replays.models import Match, MatchAudit, Page, Stream
from replays.playing.runner import play_match
from replays.reports.audit import audit_for, audit_matches, gather_evidence, select_ended, select_not_audited
from replays.store import StreamLog, pages_of
from tests.support.factories import active_version, waiting_match

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def match() -> Match:
    row = waiting_match([active_version(), active_version()])
    assert play_match(row.pk)
    row.refresh_from_db()
    return row


def past_the_triggers(statement: str, *values: object) -> None:
    """Do what the database refuses to everybody who cannot switch its triggers off."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = 'replica'")
        cursor.execute(statement, values)


def tamper(match: Match, old: bytes, new: bytes) -> int:
    """Change the first entry that holds `old`, in its page alone; return its number."""
    seq, line = next((n, line) for n, line in enumerate(lines_of(StreamLog(match.stream_id))) if old in line)
    page = Page.objects.get(stream=match.stream_id, first__lte=seq, last__gte=seq)
    body = bytes(page.body).replace(line, line.replace(old, new), 1)
    past_the_triggers(
        "UPDATE replays_page SET body = %s WHERE stream_id = %s AND first = %s", body, match.stream_id, page.first
    )
    return seq


def chain_anew(match: Match) -> None:
    """Hash a tampered stream again, as somebody would who knows how."""
    log = MemoryLog()
    for page in pages_of(match.stream_id):
        head = log.append(page.body.splitlines(keepends=True), log.length).head
        past_the_triggers(
            "UPDATE replays_page SET head = %s WHERE stream_id = %s AND first = %s", head, match.stream_id, page.first
        )
        Stream.objects.filter(pk=match.stream_id).update(head=head)


def differences(match: Match) -> tuple[str, ...]:
    (finding,) = audit_matches(select_ended().filter(pk=match.pk))
    return finding.differences


def a_face(match: Match) -> bytes:
    body = b"".join(dump(pages_of(match.stream_id)))
    at = body.index(b'"face":')
    return body[at : at + 8]


def test_a_match_that_is_what_it_says_is_audited_once(match: Match, capsys: pytest.CaptureFixture[str]) -> None:
    for said in ("1 matches audited, 0 differ", "0 matches audited, 0 differ"):
        call_command("audit", jobs=1)
        assert said in capsys.readouterr().out
    call_command("audit", jobs=1, again=True)
    assert "1 matches audited" in capsys.readouterr().out


def test_other_rules_audit_again_what_these_have_audited(match: Match) -> None:
    assert differences(match) == ()
    assert not select_not_audited(select_ended()).exists()
    MatchAudit.objects.update(build="0.0.1+older")
    assert list(select_not_audited(select_ended())) == [match]


@pytest.mark.slow
def test_processes_find_the_same(match: Match, capsys: pytest.CaptureFixture[str]) -> None:
    sound = waiting_match([active_version(), active_version()], "another")
    assert play_match(sound.pk)
    face = a_face(match)
    seq = tamper(match, face, b'"face":9')
    with pytest.raises(CommandError, match="1 of 2 matches"):
        call_command("audit", jobs=2)
    out = capsys.readouterr().out
    assert f"match {match.pk}, entry {seq}: fact.face says 9 where {face[-1:].decode()} follows" in out
    assert sound.pk not in out


def test_a_changed_page_is_found_and_the_entry_and_field_are_named(match: Match) -> None:
    seq = tamper(match, a_face(match), b'"face":9')
    chain, entry = differences(match)
    assert chain.startswith(f"match {match.pk}, page ")
    assert "does not match its hash" in chain
    assert entry.startswith(f"match {match.pk}, entry {seq}: fact.face says 9 where ")


def test_a_page_that_was_changed_and_chained_anew_is_found_by_the_rerun(match: Match) -> None:
    seq = tamper(match, a_face(match), b'"face":9')
    chain_anew(match)
    (entry,) = differences(match)
    assert entry.startswith(f"match {match.pk}, entry {seq}: fact.face says 9 where ")


def test_what_differs_is_said_again_until_it_is_repaired(match: Match) -> None:
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
def test_a_row_that_says_something_else_than_the_log_is_named(match: Match, statement: str, said: str) -> None:
    past_the_triggers(statement)
    found = differences(match)
    assert any(line.startswith(f"match {match.pk}, ") and said in line for line in found), found


def test_the_log_of_other_rules_is_not_rerun_and_not_blamed(match: Match, capsys: pytest.CaptureFixture[str]) -> None:
    tamper(match, b'"version":1', b'"version":0')
    chain_anew(match)
    call_command("audit", jobs=1)
    assert "not rerun: there is no version 0 of 'pig' here; known: 1" in capsys.readouterr().out


def test_a_match_that_was_given_up_has_a_sound_chain_and_no_result(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(status=Match.Status.VOID)
    match.refresh_from_db()
    assert gather_evidence(match).void
    assert differences(match) == ()


def test_the_nightly_audit_does_what_these_rules_have_not_done(match: Match) -> None:
    later = waiting_match([active_version(), active_version()], "later")
    assert play_match(later.pk)
    assert audit_for(0) == 1, "time is up after one"
    assert MatchAudit.objects.get().match_id == match.pk
    assert tasks.audit_some()
    assert MatchAudit.objects.count() == 2


def test_only_what_ended_lately_is_audited_if_so_asked(match: Match, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("audit", "--jobs=1", "--since=2999-01-01")
    assert "0 matches audited" in capsys.readouterr().out
    call_command("audit", "--jobs=1", "--since=2020-01-01")
    assert "1 matches audited" in capsys.readouterr().out
