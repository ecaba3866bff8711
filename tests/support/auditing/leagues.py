"""Honest leagues of all formats in which everything happens that can happen to a league, with the times of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random
from typing import Any

from msgspec.structs import replace

from ftk_core.league import organising
from ftk_core.league.acts import MatchVoided
from ftk_core.league.commands import Next, ahead, closing, enter, proceed, record, redraft
from ftk_core.league.facts import LeagueClosed, LeagueFact, ResultRecorded, RoundClosed
from ftk_core.league.luck import next_link
from ftk_core.league.organising import Hand
from ftk_core.league.plans import Stage
from ftk_core.league.rematches import play_again, rule
from ftk_core.league.signatures import LeagueSigned, RoundSigned
from ftk_core.league.state import Key, LeagueState, NotNow
from tests.support.stages import LONGEST, Run, stage

FORMATS: dict[str, tuple[Stage, ...]] = {
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


class Busy(Run):
    """A league to which much is done, each fact at its time."""

    def __init__(self, *stages: Stage, entries: int, seed: int, busy: float = 0.3, **terms: Any) -> None:
        self.busy, self.at, self._played = busy, 1_800_000_000, dict[Key, str]()
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
        super().__init__(*stages, entries=entries, seed=seed, authors=4, **{**usual, **terms})

    def hand(self) -> Hand:
        """Return who acts now: an organiser, now and then with the approval of another."""
        self.at += self.draw.randrange(60)
        return Hand(by="ada", at=self.at, why="the hall was dark", approved=self.draw.choice(["", "", "bob"]))

    def happens(self, *facts: LeagueFact) -> None:
        """Go on by facts; what is closed is signed."""
        for fact in facts:
            super().happens(fact)
            if isinstance(fact, RoundClosed):
                super().happens(RoundSigned(round=fact.round, **NOTHING_SIGNED))  # type: ignore[arg-type]  # many types
            if isinstance(fact, LeagueClosed):
                super().happens(LeagueSigned(**NOTHING_SIGNED))  # type: ignore[arg-type]  # many types

    def enter(self, author: str = "") -> None:
        """Let one more bot enter, by its author, perhaps once it is invited."""
        if self.league.header.who == "invited" and author not in self.league.invited:
            self.happens(organising.invite(self.league, author, self.hand()))
        number, newest = len(self.league.entrants) + 1, self.draw.random() < self.busy
        name, at = f"bot{number}", self.hand().at
        self.happens(enter(self.league, 100 + number, name, author, newest=newest, by=author, at=at))

    def pair(self) -> bool:
        """Go on to the next round; one that waits for its organiser may be changed or drafted again."""
        if not self.league.between:
            return True
        self.renew()
        self.follow(proceed(self.league, self.link(), self.hand().at))
        while self.league.draft:
            self.change_draft()
        return not self.league.closed

    def follow(self, coming: Next) -> None:
        """Go on to the next round or stage; a league whose last stage is over is closed at once, as by the services."""
        self.happens(*coming.facts)
        if coming.over:
            self.happens(LeagueClosed(self.secret.hex()))

    def renew(self) -> None:
        """Let entries play as newer versions that asked for it."""
        for one in self.league.entrants:
            if one.newest and one.since == len(self.league.rounds) + 1 and not one.withdrawn and self.often():
                self.happens(organising.renew(self.league, one.entry, 1000 + one.version, f"{one.name}+", self.at))

    def change_draft(self) -> None:
        """Change the drafted round, draft it again, or begin it."""
        draft = self.league.draft
        assert draft
        if self.often():
            one, other = self.draw.sample(range(1, len(self.league.entrants) + 1), 2)
            self.tries(lambda: organising.exchange(self.league, one, other, self.hand()))
        if self.often():
            self.tries(*self.deeds())
        try:
            if draft.draft < 3 and self.often():
                self.follow(redraft(self.league, "", self.hand()))
            if self.league.draft:
                self.happens(organising.begin(self.league, self.hand().at))
        except NotNow:
            self.follow(redraft(self.league, "", self.hand()))

    def play(self) -> None:
        """Play the round to its end, with what happens to its matches on the way."""
        if self.often():
            self.happens(*ahead(self.league, self.link(), self.hand().at))
        number, results = self.league.playing, self.results()
        self.draw.shuffle(results)
        for result in results:
            key = result.round, result.table, result.game
            if key in self.league.recorded or self.league.closed_rounds >= number:
                continue
            self.happens(*record(self.league, self.end(key, result)))
            if self.often() and self.league.closed_rounds < number:
                self.correct()
            if self.often():
                self.tries(*self.deeds())

    def end(self, key: Key, result: ResultRecorded) -> ResultRecorded:
        """Return how a match ends, after it may have been given up some times."""
        while self.often():
            old = self.match(key)
            by = Hand(by="", at=self.hand().at, why="a worker died") if self.draw.random() < 0.7 else self.hand()
            try:
                self.happens(play_again(self.league, key, old, self.rename(key), by))
            except NotNow:
                self._played[key] = old
                if self.league.header.tries and by.by == "":
                    return rule(self.league, key, old, self.draw.choice([None, 0]))
        return replace(result, match=self.match(key))

    def correct(self) -> None:
        """Take a match out of the round that is played, or have it played again on another deal."""
        number = self.league.playing
        key = self.draw.choice([key for key in self.league.history if key[0] == number])
        self.tries(lambda: organising.void(self.league, key, self.match(key), self.hand()), then=self.follow_void)

    def follow_void(self, fact: LeagueFact) -> Sequence[LeagueFact]:
        """Return what comes of a match that counts for nobody: it is played again, or its round may end."""
        assert isinstance(fact, MatchVoided)
        key = fact.round, fact.table, fact.game
        if self.draw.random() < 0.5:
            return closing(self.league)
        again = play_again(self.league, key, self.match(key), self.rename(key), self.hand())
        self.happens(again)
        result = next(one for one in self.results() if (one.round, one.table, one.game) == key)
        return record(self.league, replace(result, match=again.new))

    def deeds(self) -> Sequence[Deed]:
        """Return what can be done to a league at any time."""
        league, draw, hand = self.league, self.draw, self.hand()
        one, other = draw.sample(range(1, len(league.entrants) + 1), 2)
        key = draw.choice(list(league.history) or [(1, 1, 0)])
        number = len(league.entrants) + 1
        gone = [entrant.entry for entrant in league.entrants if entrant.withdrawn and not entrant.disqualified]
        return (
            lambda: organising.withdraw(league, one, hand),
            lambda: organising.bring_back(league, draw.choice(gone or [one]), hand),
            lambda: organising.excuse(league, one, [len(league.rounds) + 2, len(league.rounds) + 1], hand),
            lambda: organising.disqualify(league, one, hand),
            lambda: organising.forbid(league, one, other, hand),
            lambda: organising.overrule(league, key, draw.choice([(1, 2), (2, 1), (1, 1), (1, 2, 3, 4)]), hand),
            lambda: organising.release(league, draw.randint(0, len(league.rounds)), hand),
            lambda: organising.announce(league, "tea is at eight", replace(hand, why="")),
            lambda: organising.extend(league, draw.randint(1, 5), hand),
            lambda: organising.invite(league, f"author {draw.randrange(9)}", hand),
            lambda: enter(league, 100 + number, f"bot{number}", draw.choice(["", "author 1"]), by="ada", at=hand.at),
            lambda: replace(
                enter(league, 100 + number, f"bot{number}", "author 2", by="ada", at=hand.at), why="it came late"
            ),
        )

    def tries(self, *deeds: Deed, then: Callable[[LeagueFact], Sequence[LeagueFact]] = lambda _: ()) -> None:
        """Do one of these to the league, if it can be done."""
        try:
            fact = self.draw.choice(deeds)()
        except NotNow:
            return
        self.happens(fact)
        self.happens(*then(fact))

    def finish(self, chance_of_an_act: float = 0) -> LeagueState:
        """Play to the end; between rounds things are done, and now and then it is paused for a while."""
        while self.pair():
            assert len(self.league.rounds) < LONGEST
            self.play()
            if self.often():
                self.tries(*self.deeds())
            if self.often() and not self.league.closed:
                self.happens(organising.pause(self.league, self.hand()))
                self.tries(*self.deeds())
                self.happens(organising.resume(self.league, self.hand()))
        return self.league

    def often(self) -> bool:
        """Tell whether something happens."""
        return self.draw.random() < self.busy

    def link(self) -> str:
        """Return the next link of luck."""
        return next_link(self.secret, self.league)

    def match(self, key: Key) -> str:
        """Return as which match of the arena a match of the league is played."""
        return self._played.setdefault(key, "-".join(map(str, key)))

    def rename(self, key: Key) -> str:
        """Return the id under which a match is played again."""
        self._played[key] = f"{self.match(key)}+"
        return self._played[key]


def busy_league(name: str, seed: int, **terms: Any) -> Busy:
    """Return a league of a format that was played to its end, or as far as it could be."""
    run = Busy(*FORMATS[name], entries=6 + seed % 7, seed=seed, **terms)
    with suppress(NotNow):
        run.finish()
    return run
