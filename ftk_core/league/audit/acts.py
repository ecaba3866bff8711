"""Commands behind the acts of a league, called with the contents of the act."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ftk_core.league import acts, endings, organising
from ftk_core.league.acts import Act
from ftk_core.league.organising import Hand
from ftk_core.league.rematches import play_again
from ftk_core.league.state import Key, LeagueState

COMMANDS: Mapping[type[Act], Callable[[LeagueState, Any], Act]] = {
    acts.BotWithdrew: lambda league, act: organising.withdraw(league, act.entry, hand_of(act)),
    acts.BotReturned: lambda league, act: organising.bring_back(league, act.entry, hand_of(act)),
    acts.BotExcused: lambda league, act: organising.excuse(league, act.entry, act.rounds, hand_of(act)),
    acts.BotDisqualified: lambda league, act: organising.disqualify(league, act.entry, hand_of(act)),
    acts.MeetingForbidden: lambda league, act: organising.forbid(league, act.one, act.other, hand_of(act)),
    acts.RoundChanged: lambda league, act: organising.exchange(league, act.one, act.other, hand_of(act)),
    acts.MatchReplaced: lambda league, act: play_again(league, key_of(act), act.old, act.new, hand_of(act)),
    acts.MatchVoided: lambda league, act: organising.void(league, key_of(act), act.match, hand_of(act)),
    acts.ResultOverruled: lambda league, act: organising.overrule(league, key_of(act), act.places, hand_of(act)),
    acts.LeaguePaused: lambda league, act: organising.pause(league, hand_of(act)),
    acts.LeagueResumed: lambda league, act: organising.resume(league, hand_of(act)),
    acts.StageCut: lambda league, act: endings.end_stage(league, hand_of(act)),
    acts.LeagueEnded: lambda league, act: endings.close(league, hand_of(act)),
    acts.LeagueExtended: lambda league, act: organising.extend(league, act.rounds, hand_of(act)),
    acts.VersionRenewed: lambda league, act: organising.renew(league, act.entry, act.version, act.name, act.at),
    acts.AuthorInvited: lambda league, act: organising.invite(league, act.author, hand_of(act)),
    acts.ReplaysReleased: lambda league, act: organising.release(league, act.round, hand_of(act)),
    acts.AnnouncementMade: lambda league, act: organising.announce(league, act.text, hand_of(act)),
}


def hand_of(act: Any) -> Hand:
    """Return actor, time and reason of an act."""
    why = act.reason if isinstance(act, acts.BotWithdrew) else act.why
    return Hand(by=act.by, at=act.at, why=why, approved=act.approved)


def key_of(act: Any) -> Key:
    """Return the match that an act concerns."""
    return act.round, act.table, act.game


def repeat(league: LeagueState, act: Act) -> Act:
    """Rerun the command of an act with the same arguments; raise NotNow if it refuses them."""
    return COMMANDS[type(act)](league, act)
