"""Manipulations by an organiser who has the server's key are refused, or listed under the organiser's name."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from ftk_core.hash_chained_log import GENESIS, InMemoryLog
from ftk_core.kit.verify.league_event_stream_verification import VerifiedLeagueEventStream
from ftk_core.league.league_state_from_events import encode_fact
from ftk_core.match_log_file import dump_pages
from tests.support.auditing import hidden_choices, league_wide, rigging
from tests.support.auditing.exports import is_signature
from tests.support.auditing.rigged import SWISS, RiggedLeague

RIGGINGS: dict[Callable[[], RiggedLeague], str] = {
    rigging.resting_for_a_win: "round_paired",
    rigging.friend_meets_the_weakest: "round_paired",
    rigging.late_entry_with_points: "Night has begun; enter the next league",
    rigging.knockout_without_its_final: "stage_ended",
    rigging.round_robin_cut_short: "stage_ended",
    rigging.worst_of_the_groups_qualify: "stage_begun",
    rigging.losses_overruled_by_nobody: "say who acts and why",
    rigging.replayed_on_a_picked_deal: "its deal is 4, where the facts before it make 0",
    rigging.replayed_by_nobody_beyond_the_terms: "by its terms Night does not play this match again",
    rigging.ruled_without_a_try: "it is played again",
    rigging.shared_where_the_terms_say_loss_of_another: "its places[1] is 2, where the facts before it make 1",
    hidden_choices.entry_changed_in_the_middle: "not entered as the newest version",
    rigging.round_begun_other_than_drafted: "round_paired",
    rigging.drafted_in_secret_until_it_pleases: "is not the next one of the",
    league_wide.removed_by_nobody: "say who acts and why",
    rigging.more_bots_than_an_author_may: "an author enters 2",
    rigging.excused_for_points: "round_paired",
    hidden_choices.last_draft_from_another_spelling: "is not the next one of the hash chain",
    hidden_choices.version_chosen_for_its_opponent: "friend-1 keeps its version: round 1 is drafted",
    hidden_choices.version_renewed_by_hand: "versions are renewed directly before the next step of the league",
    hidden_choices.strongest_entered_first: "the first stage is seeded in order of entry",
    hidden_choices.bot_entered_twice: "bot1 has entered already",
    hidden_choices.drafted_round_begun_in_a_pause: "Night is paused; resume it first",
    hidden_choices.entered_after_the_last_round: "the last round for which Night takes late entries has begun",
    hidden_choices.ended_before_the_first_round: "no round of Night has begun; cancel the league instead",
    hidden_choices.entered_after_the_final_draft: "entries closed at",
    hidden_choices.swiss_by_rating_entered_after_the_deadline: "entries closed at",
    league_wide.cancelled_after_a_round: "Night has begun; close the league instead",
    league_wide.more_bots_than_an_author_may_without_a_name: "by its name, version and author",
    league_wide.played_under_other_ids_until_it_pleases: "it names match '0123456789ab', where the id",
    league_wide.secret_that_anybody_knows: "reveals no secret of 64 digits",
    league_wide.extended_by_a_part_of_a_schedule: "it would repeat only a part of them",
    league_wide.brought_back_into_a_stage_of_others: "bot4 is not in the stage that is being played",
    league_wide.shared_deals_with_remote_bots: "remote bots and people remember a deal",
    league_wide.cancelled_by_nobody: "say who acts and why",
    league_wide.corrected_deadline_after_the_start: "Night has begun; its entry deadline stays as it is",
    league_wide.deadline_corrected_into_the_past: "entries cannot close in the past",
    league_wide.corrected_without_a_name: "a league's name has 1 to 80 characters",
    league_wide.corrected_to_what_it_was: "this would change nothing in Night",
    league_wide.corrected_to_a_control_character: "line 2 of the description contains a control character",
    league_wide.corrected_by_nobody: "say who acts and why",
    league_wide.entered_after_the_cancellation: "Night was cancelled; enter another league",
}
"""Riggings, with the sentence that the flaw must contain."""
LISTED: dict[Callable[[], RiggedLeague], str] = {
    rigging.losses_overruled_by_a_friend: "Results overruled: ",
    rigging.drafted_until_it_pleases: "Rounds drafted again: ",
}
"""Acts in an organiser's own name, with the heading of the list that must name them."""


@pytest.mark.parametrize("rig", RIGGINGS)
def test_the_audit_refuses_a_rigged_league_with_valid_signatures_and_match_logs(
    rig: Callable[[], RiggedLeague],
) -> None:
    report = rig().report()
    assert any(RIGGINGS[rig] in str(flaw) for flaw in report.flaws), report.flaws


@pytest.mark.parametrize("rig", LISTED)
def test_the_audit_lists_permitted_actions_of_the_organiser_but_reports_no_fault(
    rig: Callable[[], RiggedLeague],
) -> None:
    report = rig().report()
    assert report.flaws == ()
    assert any(line.startswith(LISTED[rig]) for line in report.acts)
    assert any("by ada" in line and "because: " in line for line in report.acts)


def test_a_signature_must_be_alone_in_its_page_because_it_signs_only_the_pages_before() -> None:
    run = RiggedLeague(SWISS)
    run.finish()
    *facts, end = (replace(fact, after=GENESIS.hex()) if is_signature(fact) else fact for fact in run.facts)
    log = InMemoryLog()
    log.append([encode_fact(fact) for fact in facts], 0)
    head = list(log.pages())[-1].head.hex()
    log.append([encode_fact(replace(end, after=head))], log.length)
    flaws = list(VerifiedLeagueEventStream(b"".join(dump_pages(log.pages()))).flaws())
    rounds = [seq for seq, fact in enumerate(facts) if is_signature(fact)]
    assert flaws == [f"entry {seq} is a signature, but not alone in its page" for seq in rounds]
