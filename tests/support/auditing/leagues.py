"""Honest leagues of all formats with every possible act and event, each with its time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random
from typing import Any

from msgspec.structs import replace

from ftk_core.league import league_command_handlers, match_result_command_handlers, organiser_command_handlers
from ftk_core.league.event_fields import StageSettings
from ftk_core.league.intervention_facts import MatchVoided
from ftk_core.league.league_command_handlers import draw_ahead, enter, proceed, record, redraft, round_end_facts
from ftk_core.league.league_correction_command_handlers import extend_stage
from ftk_core.league.league_event_actors import LeagueActor
from ftk_core.league.league_facts import LeagueClosed, LeagueFact, ResultRecorded, RoundClosed
from ftk_core.league.league_state import CommandRejected, LeagueState, MatchKey
from ftk_core.league.match_seating_and_random_seeds import derive_match_id
from ftk_core.league.signature_facts import LeagueSigned, RoundSigned
from ftk_core.league.statistics.round_seed_hash_chain import next_link
from ftk_core.league.voided_match_rules import replay_match, rule_on_match
from tests.support.stages import MAX_ROUNDS, LeagueRun, draw_correction, stage
from tournaments.leagues.stage_seeding import set_first_seeding

FORMATS: dict[str, tuple[StageSettings, ...]] = {
    "swiss": (stage("swiss", rounds=4),),
    "swiss at fours": (stage("swiss", seats=4, rounds=3, games=2),),
    "knockout": (stage("knockout"),),
    "knockout at fours": (stage("knockout", seats=4, games=2),),
    "gauntlet": (stage("gauntlet", rounds=2, groups=2),),
    "ladder": (stage("ladder", seats=3, rounds=3),),
    "round robin": (stage("round_robin", deals="fresh"),),
    "round robin at threes": (stage("round_robin", seats=3, games=3, scored="blocks"),),
    "groups": (stage("groups", groups=2),),
    "swiss, then round robin": (stage("swiss", rounds=2), stage("round_robin", qualify=4, carry="half")),
    "groups, then knockout": (stage("groups", groups=2), stage("knockout", qualify=4)),
}
NOTHING_SIGNED = {"matches": 0, "root": "", "after": "", "key": "", "signature": ""}
Deed = Callable[[], LeagueFact]


class BusyLeague(LeagueRun):
    """A league with many acts, each fact with its time."""

    def __init__(self, *stages: StageSettings, entries: int, seed: int, busy: float = 0.3, **terms: Any) -> None:
        self.busy, self.at = busy, 1_800_000_000
        draw = Random(f"terms {seed}")
        usual: dict[str, Any] = {
            "held": draw.random() < 0.4,
            "late": draw.choice([0, 3]),
            "granted": draw.choice(["none", "half", "mean"]),
            "ruling": draw.choice(["replay", "share", "loss"]),
            "tries": draw.choice([0, 1, 2]),
            "who": draw.choice(["anybody", "invited"]),
            "per_author": draw.choice([0, entries]),
            "release": draw.choice(["at_once", "after_round", "after_league"]),
            "at": self.at,
            "by": "ada",
        }
        super().__init__(*set_first_seeding(stages), entries=entries, seed=seed, authors=4, **{**usual, **terms})

    def hand(self) -> LeagueActor:
        """Return the acting organiser, sometimes with the approval of a second organiser."""
        self.at += self.draw.randrange(60)
        return LeagueActor(by="ada", at=self.at, why="the hall was dark", approved=self.draw.choice(["", "", "bob"]))

    def append(self, *facts: LeagueFact) -> None:
        """Append facts, and after the end of a round or of the league a signature fact without a signature."""
        for fact in facts:
            super().append(fact)
            if isinstance(fact, RoundClosed):
                super().append(RoundSigned(round=fact.round, **NOTHING_SIGNED))  # type: ignore[arg-type]  # many types
            if isinstance(fact, LeagueClosed):
                super().append(LeagueSigned(**NOTHING_SIGNED))  # type: ignore[arg-type]  # many types

    def enter(self, author: str = "") -> None:
        """Enter one more bot by its author, sometimes after an invitation."""
        if self.league.header.who == "invited" and author not in self.league.invited:
            self.append(organiser_command_handlers.invite_author(self.league, author, self.hand()))
        number, newest = len(self.league.entrants) + 1, self.draw.random() < self.busy
        name, at = f"bot{number}", self.hand().at
        self.append(enter(self.league, 100 + number, name, author, newest=newest, by=author, at=at))

    def pair(self) -> bool:
        """Continue with the next round; change a drafted round, draft it again, or begin it."""
        if not self.league.between:
            return True
        self.renew()
        self.follow(proceed(self.league, self.link(), self.hand().at))
        while self.league.draft:
            self.change_draft()
        return not self.league.closed

    def follow(self, coming: league_command_handlers.RoundTransitionEvents) -> None:
        """Continue with the next round or stage; close a league after its last stage, as the services do."""
        self.append(*coming.facts)
        if coming.over:
            self.append(LeagueClosed(self.secret.hex()))

    def renew(self) -> None:
        """Change some entries that wait for their first round and use their bot's newest version to a newer version."""
        for one in self.league.entrants:
            if one.newest and one.since == len(self.league.rounds) + 1 and not one.withdrawn and self.often():
                self.append(
                    organiser_command_handlers.renew_version(
                        self.league, one.entry, 1000 + one.version, f"{one.name}-2", self.at
                    )
                )

    def change_draft(self) -> None:
        """Change the drafted round, draft it again, or begin it."""
        draft = self.league.draft
        assert draft
        if self.often():
            one, other = self.draw.sample(range(1, len(self.league.entrants) + 1), 2)
            self.tries(lambda: organiser_command_handlers.exchange_entries(self.league, one, other, self.hand()))
        if self.often():
            self.tries(*self.deeds())
        try:
            if draft.draft < 3 and self.often():
                self.follow(redraft(self.league, self.link(), self.hand()))
            if self.league.draft:
                self.append(organiser_command_handlers.begin_draft(self.league, self.hand().at))
        except CommandRejected:
            self.follow(redraft(self.league, self.link(), self.hand()))

    def play(self) -> None:
        """Play the round to its end, with events in its matches."""
        if self.often():
            self.append(*draw_ahead(self.league, self.link(), self.hand().at))
        number, results = self.league.playing, self.results()
        self.draw.shuffle(results)
        for result in results:
            key = result.round, result.table, result.game
            if key in self.league.recorded or self.league.closed_rounds >= number:
                continue
            self.append(*record(self.league, self.end(key, result)))
            if self.often() and self.league.closed_rounds < number:
                self.correct()
            if self.often():
                self.tries(*self.deeds())

    def end(self, key: MatchKey, result: ResultRecorded) -> ResultRecorded:
        """Return the result to record for a match; sometimes append failed attempts and replays before."""
        while self.often():
            old = self.match(key)
            by = LeagueActor(by="", at=self.hand().at, why="a worker died") if self.draw.random() < 0.7 else self.hand()
            try:
                self.append(replay_match(self.league, key, old, self.rename(key), by))
            except CommandRejected:
                if self.league.header.tries and by.by == "":
                    return rule_on_match(self.league, key, old, self.draw.choice([None, 0]))
        return replace(result, match=self.match(key))

    def correct(self) -> None:
        """Void a match of the current round, or have it played again on another deal."""
        key = self.draw.choice([key for key in self.league.history if key[0] == self.league.playing])
        self.tries(
            lambda: match_result_command_handlers.void_match(self.league, key, self.match(key), self.hand()),
            then=self.follow_void,
        )

    def follow_void(self, fact: LeagueFact) -> Sequence[LeagueFact]:
        """Return the consequence of a voided match: a replay, or the end of its round."""
        assert isinstance(fact, MatchVoided)
        key = fact.round, fact.table, fact.game
        if self.draw.random() < 0.5:
            return round_end_facts(self.league)
        again = replay_match(self.league, key, self.match(key), self.rename(key), self.hand())
        self.append(again)
        result = next(one for one in self.results() if (one.round, one.table, one.game) == key)
        return record(self.league, replace(result, match=again.new))

    def deeds(self) -> Sequence[Deed]:
        """Return functions that make the facts of random acts; each raises CommandRejected if its act is refused."""
        league, draw, hand = self.league, self.draw, self.hand()
        one, other = draw.sample(range(1, len(league.entrants) + 1), 2)
        key = draw.choice(list(league.history) or [(1, 1, 0)])
        number = len(league.entrants) + 1
        gone = [entrant.entry for entrant in league.entrants if entrant.withdrawn and not entrant.disqualified]
        return (
            lambda: organiser_command_handlers.withdraw_from_league(league, one, hand),
            lambda: organiser_command_handlers.return_entry(league, draw.choice(gone or [one]), hand),
            lambda: organiser_command_handlers.excuse_entry(
                league, one, [len(league.rounds) + 2, len(league.rounds) + 1], hand
            ),
            lambda: organiser_command_handlers.disqualify_entry(league, one, hand),
            lambda: organiser_command_handlers.forbid_meeting(league, one, other, hand),
            lambda: match_result_command_handlers.overrule_result(
                league, key, draw.choice([(1, 2), (2, 1), (1, 1), (1, 2, 3, 4)]), hand
            ),
            lambda: organiser_command_handlers.release_replays(league, draw.randint(0, len(league.rounds)), hand),
            lambda: organiser_command_handlers.announce_message(league, "tea is at eight", replace(hand, why="")),
            lambda: draw_correction(league, draw, hand),
            lambda: extend_stage(league, draw.randint(1, 5), hand),
            lambda: organiser_command_handlers.invite_author(league, f"author {draw.randrange(9)}", hand),
            lambda: enter(league, 100 + number, f"bot{number}", draw.choice(["eve", "author 1"]), by="ada", at=hand.at),
            lambda: replace(
                enter(league, 100 + number, f"bot{number}", "author 2", by="ada", at=hand.at), why="it came late"
            ),
        )

    def tries(self, *deeds: Deed, then: Callable[[LeagueFact], Sequence[LeagueFact]] = lambda _: ()) -> None:
        """Do one of these acts, chosen at random, unless it is refused; then append the facts that `then` returns."""
        try:
            fact = self.draw.choice(deeds)()
        except CommandRejected:
            return
        self.append(fact)
        self.append(*then(fact))

    def finish(self, chance_of_an_act: float = 0) -> LeagueState:
        """Play to the end, with acts and sometimes a pause between rounds."""
        while self.pair():
            assert len(self.league.rounds) < MAX_ROUNDS
            self.play()
            if self.often():
                self.tries(*self.deeds())
            if self.often() and not self.league.closed:
                self.append(organiser_command_handlers.pause_league(self.league, self.hand()))
                self.tries(*self.deeds())
                self.append(organiser_command_handlers.resume_league(self.league, self.hand()))
        return self.league

    def often(self) -> bool:
        """Return True with the league's chance of an act."""
        return self.draw.random() < self.busy

    def link(self) -> str:
        """Return the next link of the hash chain that determines the league's luck."""
        return next_link(self.secret, self.league)

    def match(self, key: MatchKey) -> str:
        """Return the arena's id for a match of the league."""
        return derive_match_id(self.league, key, self.league.voids.get(key, 0))

    def rename(self, key: MatchKey) -> str:
        """Return the new id of a match that is played again."""
        return derive_match_id(self.league, key, 1 + self.league.voids.get(key, 0))


def play_busy_league(name: str, seed: int, **terms: Any) -> BusyLeague:
    """Return a league of a format, played to its end or as far as possible."""
    run = BusyLeague(*FORMATS[name], entries=6 + seed % 7, seed=seed, **terms)
    with suppress(CommandRejected):
        run.finish()
    return run
