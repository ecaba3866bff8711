"""A second, slow and simple implementation of the tie-breaks from the facts and the regulation, sharing no code.

It follows FIDE Handbook C.07 (2024): 6 direct encounter, 8.1 Buchholz, 9.1 Sonneborn-Berger, 14.1 cut 1, 16.3 to 16.5
unplayed rounds. At tables of several, "the opponent" of a round is the mean of all of them.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from ftk_core.league.intervention_facts import BotWithdrew, MatchVoided, WithdrawnBotReturned
from ftk_core.league.league_facts import BotEntered, LeagueFact, LeagueOpened, ResultRecorded, RoundPaired

HALF = Fraction(1, 2)


class Reference:
    """Tie-breaks of one league, computed round by round from the games of each entry."""

    def __init__(self, facts: list[LeagueFact]) -> None:
        opened = next(fact for fact in facts if isinstance(fact, LeagueOpened))
        self.win, self.worth, self.rules = Fraction(opened.games), opened.worth, opened.rules
        entered = {fact.entry: fact for fact in facts if isinstance(fact, BotEntered)}
        self.rounds = [fact for fact in facts if isinstance(fact, RoundPaired)]
        void = {(fact.round, fact.table, fact.game) for fact in facts if isinstance(fact, MatchVoided)}
        results = [fact for fact in facts if isinstance(fact, ResultRecorded)]
        self.results = [one for one in results if (one.round, one.table, one.game) not in void]
        self.gone = set[int]()
        for fact in facts:
            if isinstance(fact, BotWithdrew):
                self.gone.add(fact.entry)
            if isinstance(fact, WithdrawnBotReturned):
                self.gone.discard(fact.entry)
        self.entered = entered
        self.points = {entry: self._points(entry) for entry in entered}
        self.adjusted = {entry: self._adjusted(entry) for entry in entered}

    def games(self, entry: int, round_: int) -> list[tuple[int, Fraction]]:
        """Return (opponent, result) of the games of a round."""
        found = list[tuple[int, Fraction]]()
        for one in self.results:
            if one.round == round_ and entry in one.seating:
                mine = one.places[one.seating.index(entry)]
                for opponent, theirs in zip(one.seating, one.places, strict=True):
                    if opponent != entry:
                        found.append((opponent, Fraction(mine < theirs) + HALF * (mine == theirs)))
        return found

    def unplayed(self, entry: int, paired: RoundPaired) -> tuple[Fraction, bool]:
        """Return the points for a round without a game, and True if the entry missed it voluntarily (16.1)."""
        for rest in paired.rests:
            if rest.entry == entry:
                return Fraction(rest.points), rest.why == "absent"
        if any(entry in table.seating for table in paired.tables):
            return Fraction(0), False
        since = self.entered[entry].round
        if paired.round < since:
            return Fraction(self.entered[entry].points) / (since - 1), True
        later = any(self.games(entry, other.round) for other in self.rounds if other.round > paired.round)
        return Fraction(0), self.rules >= 2 or entry in self.gone or later

    def _points(self, entry: int) -> Fraction:
        points = Fraction(self.entered[entry].points)
        for paired in self.rounds:
            points += sum(Fraction(rest.points) for rest in paired.rests if rest.entry == entry)
        for one in self.results:
            if entry in one.seating:
                mine = one.places[one.seating.index(entry)]
                if self.worth == "places":
                    others = [
                        place for opponent, place in zip(one.seating, one.places, strict=True) if opponent != entry
                    ]
                    points += sum(Fraction(mine < p) + HALF * (mine == p) for p in others) / len(others)
                elif mine == 1:
                    points += Fraction(1, one.places.count(1) if self.worth == "shared" else 1)
        return points

    def _adjusted(self, entry: int) -> Fraction:
        """16.3: voluntary unplayed rounds that nothing follows are draws; all others keep their points."""
        adjusted = self.points[entry]
        for paired in reversed(self.rounds):
            if self.games(entry, paired.round):
                break
            points, voluntary = self.unplayed(entry, paired)
            if not voluntary:
                break
            adjusted += self.win / 2 - points
        return adjusted

    def contributions(self, entry: int) -> list[tuple[Fraction, Fraction, bool]]:
        """Return (to Buchholz, to Sonneborn-Berger, voluntary) of each round; 16.4: a dummy has the player's score."""
        found = list[tuple[Fraction, Fraction, bool]]()
        for paired in self.rounds:
            games = self.games(entry, paired.round)
            if games:
                scores = [self.adjusted[opponent] for opponent, _ in games]
                won = [made * self.adjusted[opponent] for opponent, made in games]
                found.append((sum(scores, Fraction(0)) / len(games), sum(won, Fraction(0)) / len(games), False))
            else:
                points, voluntary = self.unplayed(entry, paired)
                found.append((self.points[entry], points / self.win * self.points[entry], voluntary))
        return found

    def buchholz(self, entry: int) -> Fraction:
        return sum((one for one, _, _ in self.contributions(entry)), Fraction(0))

    def sonneborn_berger(self, entry: int) -> Fraction:
        return sum((one for _, one, _ in self.contributions(entry)), Fraction(0))

    def cut_one(self, entry: int) -> Fraction:
        """16.5: the lowest contribution of a voluntary unplayed round is cut before any other."""
        lines = sorted(self.contributions(entry), key=lambda line: (not line[2], line[0]))
        return sum((one for one, _, _ in lines[1:]), Fraction(0))

    def direct(self, equals: list[int]) -> list[set[int]]:
        """Return the tied entries in groups, best first (6).

        They are ranked if all have met, or if one is first whatever the results of the missing games would be.
        """
        if len(equals) < 2:
            return [set(equals)] if equals else []
        made = {
            pair: self._between(*pair)
            for one, other in combinations(equals, 2)
            for pair in ((one, other), (other, one))
        }
        if None not in made.values():
            sums = {one: sum(made[one, other] or 0 for other in equals if other != one) for one in equals}
            if len(set(sums.values())) == 1:
                return [set(equals)]
            ranks = sorted(set(sums.values()), reverse=True)
            return [group for rank in ranks for group in self.direct([one for one in equals if sums[one] == rank])]
        for one in equals:
            others = [other for other in equals if other != one]
            worst = sum(made[one, other] or 0 for other in others)
            best = [sum(1 if made[o, x] is None else made[o, x] or 0 for x in equals if x != o) for o in others]
            if worst > max(best):
                return [{one}, *self.direct(others)]
        return [set(equals)]

    def _between(self, one: int, other: int) -> Fraction | None:
        games = [
            made for paired in self.rounds for opponent, made in self.games(one, paired.round) if opponent == other
        ]
        return sum(games, Fraction(0)) / len(games) if games else None

    def mean_score(self, entry: int) -> Fraction:
        scores = [one.scores[one.seating.index(entry)] for one in self.results if entry in one.seating]
        return Fraction(sum(scores), len(scores)) if scores else Fraction(0)

    def failures(self, entry: int) -> int:
        return sum(
            one.excuses[one.seating.index(entry)] for one in self.results if entry in one.seating and one.excuses
        )
