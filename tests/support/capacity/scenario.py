"""What a fleet that is reckoned is made of: its workers, what they are to play, how long everything takes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Fleet:
    """Who plays, and what happens to them."""

    workers: int
    houses: int = 1
    """Processes that record results; each does one thing at a time, waiting for a league's lock included."""
    crashes_an_hour: float = 0.0
    """Of each worker, at any moment."""
    kills: tuple[float, ...] = ()
    """Seconds after which one of those that play is killed, whoever it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What is to be played."""

    leagues: int = 0
    rounds: int = 1
    matches: int = 1
    """Of each round; all wait from its beginning."""
    spread: float = 0.0
    """Seconds within which the leagues begin."""
    bouts: int = 0
    """Matches that belong to no league."""
    bouts_a_second: float = 1.0
    """How many are asked for, by people who do not know of each other (Poisson)."""

    @property
    def total(self) -> int:
        """How many matches are played in all."""
        return self.leagues * self.rounds * self.matches + self.bouts


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """How long things take, in seconds; where there are several figures, one of them is drawn each time."""

    play: tuple[float, ...]
    """From a match's opening to its closing."""
    handover: tuple[float, ...] = (0.0,)
    """Until a worker that has closed a match has opened the next one, which waited."""
    begin: tuple[float, ...] = (0.0,)
    """Until an idle worker has opened a match that is new."""
    record: float = 0.0
    """For which a house works on each result, its league locked."""
    house: float = 0.0
    """For which it works on each beside that, nothing locked."""
    more: float = 0.0
    """And for each further one of its league that is recorded with it."""
    turn: float = 0.0
    """For which it is locked where a round ends and the next is paired."""
    pause: tuple[float, ...] = (0.0,)
    """Between a round's last result and the next one's matches, beside these two."""
    replay: float = 0.0
    """Part of the time of what was played that it takes to get there again."""
    processor: float = 1.0
    """Part of the time of a match that a processor works on it."""
    exponential: bool = False
    """Whether play is drawn from the exponential distribution of that mean, as theory has it."""

    @property
    def mean_play(self) -> float:
        """How long a match lasts on the average."""
        return sum(self.play) / len(self.play)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What the arena's settings say."""

    lease: float
    """Seconds for which a match stays a silent worker's."""
    sweep: float
    """Seconds between two looks for what nobody holds."""
    page: float
    """Seconds that a choice waits for its page at the most; what has none is lost with its worker."""
    attempts: int
    """How many workers may die playing a match before it is given up."""
    away: float
    """Seconds that pass before another process has taken a dead one's place."""

    @property
    def beat(self) -> float:
        """Seconds between two signs of life."""
        return self.lease / 3


def erlang_c(servers: int, load: float) -> float:
    """Return the chance that who comes to M/M/c has to wait; `load` is arrivals a second times seconds of service.

    Erlang's B is reckoned up to so many servers (B(n) = load B(n-1) / (n + load B(n-1))), and C made from it; see
    L. Kleinrock, Queueing Systems I, 3.5. Raises ValueError for a load under which the queue grows for ever.
    """
    if not 0 <= load < servers:
        raise ValueError(f"{servers} servers never catch up with a load of {load}")
    lost = 1.0
    for count in range(1, servers + 1):
        lost = load * lost / (count + load * lost)
    return lost / (1 - load / servers * (1 - lost))


def mean_wait(servers: int, arrivals: float, service: float) -> float:
    """Return the mean seconds in the queue of M/M/c."""
    return erlang_c(servers, arrivals * service) / (servers / service - arrivals)
