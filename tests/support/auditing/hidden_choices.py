"""Rigged leagues: an organiser with the server's key makes a choice that no command of an arena offers."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ftk_core.league import intervention_facts as acts, organiser_command_handlers as organising
from ftk_core.league.event_fields import StageSettings
from ftk_core.league.league_command_handlers import redraft
from ftk_core.league.league_event_actors import attribution_of
from ftk_core.league.league_facts import BotEntered, LeagueFact, LeagueOpened, RoundDrafted
from tests.support.auditing.rigged import SWISS, RiggedLeague, rig_between_rounds
from tests.support.stages import stage

LATE = {"late": 3, "granted": "mean"}


def last_draft_from_another_spelling() -> RiggedLeague:
    """Write the link of the last round in capitals, which gives another draw once the round is drafted again."""

    def trick(run: RiggedLeague, coming: Sequence[LeagueFact]) -> Sequence[LeagueFact]:
        if len(run.league.rounds) != 1 or not isinstance(coming[0], RoundDrafted):
            return coming
        run.append(replace(coming[0], link=coming[0].link.upper()))
        return redraft(run.league, run.link(), run.hand()).facts

    return RiggedLeague(stage("swiss", rounds=2), held=True, trick=trick)


def version_chosen_for_its_opponent() -> RiggedLeague:
    """Let an entry change its version after the draft has shown its opponent."""

    def trick(run: RiggedLeague, coming: Sequence[LeagueFact]) -> Sequence[LeagueFact]:
        if run.league.rounds:
            return coming
        run.append(*coming, _renewed(run))
        return ()

    return _league_with_newest_version(SWISS, held=True, trick=trick)


def version_renewed_by_hand() -> RiggedLeague:
    """Change the version of an entry before the entries have closed."""
    run = _league_with_newest_version(SWISS)
    run.append(_renewed(run))
    run.enter("zoe")
    return run


def entry_changed_in_the_middle() -> RiggedLeague:
    """Change the version of an entry that has already played."""

    def done(run: RiggedLeague) -> None:
        run.append(acts.EntrantBotVersionUpdated(entry=8, version=999, name="stronger", old="bot8", at=run.at))

    return rig_between_rounds(done)


def strongest_entered_first() -> RiggedLeague:
    """Announce a knockout that is seeded in the order of entry."""
    run = RiggedLeague(stage("knockout"))
    opened, *entered = run.facts
    assert isinstance(opened, LeagueOpened)
    return RiggedLeague.of(run, [replace(opened, stages=(stage("knockout"),)), *entered])


def bot_entered_twice() -> RiggedLeague:
    """Enter a version a second time, under an invented number and in another author's name."""
    run = RiggedLeague(SWISS)
    run.append(BotEntered(entry=9, version=999, name="bot1", author="eve", by="eve", at=run.at))
    return run


def drafted_round_begun_in_a_pause() -> RiggedLeague:
    """Begin a drafted round although the league is paused."""

    def trick(run: RiggedLeague, coming: Sequence[LeagueFact]) -> Sequence[LeagueFact]:
        if run.league.rounds:
            return coming
        run.append(*coming)
        begun, hand = organising.begin_draft(run.league, run.at), run.hand()
        run.append(organising.pause_league(run.league, hand), begun)
        run.append(organising.resume_league(run.league, hand))
        return ()

    return RiggedLeague(SWISS, held=True, trick=trick)


def entered_after_the_last_round() -> RiggedLeague:
    """Enter a bot for the mean points after the last round of the only stage with late entries."""
    late = BotEntered(entry=9, version=999, name="friend", author="eve", round=3, points="1")
    return rig_between_rounds(lambda run: run.append(late), stage("swiss", rounds=2), stage("knockout"), **LATE)


def ended_before_the_first_round() -> RiggedLeague:
    """Close a league that has no round instead of cancelling it."""
    run = RiggedLeague(SWISS)
    run.append(acts.LeagueEndedEarly(**attribution_of(run.hand())))
    return run


def entered_after_the_final_draft() -> RiggedLeague:
    """Enter a bot after the deadline, when the first round of a league without late entries is drafted."""
    until = RiggedLeague(SWISS).at

    def trick(run: RiggedLeague, coming: Sequence[LeagueFact]) -> Sequence[LeagueFact]:
        if run.league.rounds:
            return coming
        run.append(*coming)
        run.append(BotEntered(entry=9, version=999, name="friend", author="eve", at=run.at + 99_999))
        return redraft(run.league, run.link(), run.hand()).facts

    return RiggedLeague(SWISS, held=True, trick=trick, entries_until=until + 9_999)


def _league_with_newest_version(*stages: StageSettings, **terms: object) -> RiggedLeague:
    """Return a league whose last entry changes to the newest version of its bot before its first round."""
    run = RiggedLeague(*stages, entries=7, **terms)  # type: ignore[arg-type]  # terms of many types
    run.append(BotEntered(entry=8, version=900, name="friend-1", author="eve", by="eve", at=run.at, newest=True))
    return run


def _renewed(run: RiggedLeague) -> acts.EntrantBotVersionUpdated:
    return acts.EntrantBotVersionUpdated(entry=8, version=901, name="friend-2", old="friend-1", at=run.at)


def swiss_by_rating_entered_after_the_deadline() -> RiggedLeague:
    """Enter a bot after the deadline, behind a forbidden pair, in a league whose seeds follow the ratings."""
    run = RiggedLeague(stage("swiss", rounds=2, seeding="rating"))
    run.facts[0] = replace(run.facts[0], entries_until=run.at + 9_999)  # type: ignore[call-arg]  # it is the opening
    run = RiggedLeague.of(run, run.facts)
    run.append(organising.forbid_meeting(run.league, 1, 2, run.hand()))
    run.append(BotEntered(entry=9, version=999, name="friend", author="eve", by="eve", at=run.at + 99_999))
    return run
