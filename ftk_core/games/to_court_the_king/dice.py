"""Effects of characters on active dice, by face instead of by die, so that menus stay short."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement, product

from ftk_core.games.to_court_the_king.box import FOOL, QUEEN, Faces
from ftk_core.games.to_court_the_king.facts import Aim, SetAside

PIPS = range(1, 7)
CACHE = 1 << 16


def add(faces: Faces, more: Faces) -> Faces:
    """Return the dice with additional ones, sorted."""
    return tuple(sorted(faces + more))


def take(faces: Faces, some: Faces) -> Faces:
    """Return the dice without some of them; raise ValueError unless all are present."""
    left = list(faces)
    for face in some:
        left.remove(face)
    return tuple(left)


def contains(faces: Faces, some: Faces) -> bool:
    """Return whether some dice (at least one, sorted) are among others."""
    return bool(some) and not Counter(some) - Counter(faces) and tuple(sorted(some)) == some


@lru_cache(CACHE)
def subsets(faces: Faces) -> tuple[Faces, ...]:
    """Return every non-empty subset of the dice, largest first; equal faces are interchangeable."""
    counts = sorted(Counter(faces).items())
    found = []
    for taken in product(*(range(count, -1, -1) for _, count in counts)):
        some = tuple(face for (face, _), number in zip(counts, taken, strict=True) for _ in range(number))
        if some:
            found.append(some)
    return tuple(sorted(found, key=lambda some: (-len(some), some)))


@lru_cache(CACHE)
def set_asides(active: Faces) -> tuple[SetAside, ...]:
    """Return every way to set active dice aside."""
    return tuple(SetAside(some) for some in subsets(active))


def aims(card: str, active: Faces, aside: Faces) -> tuple[Aim, ...]:
    """Return every possible effect of a character now; an effect that changes nothing is excluded (T8)."""
    return _aims(card, active, tuple(sorted(set(aside))) if card == "ASTRONOMER" else ())


@lru_cache(CACHE)
def _aims(card: str, active: Faces, aside: Faces) -> tuple[Aim, ...]:
    if card == FOOL:
        return tuple(Aim((face,)) for face in sorted(set(active)))
    if card == "MERCHANT":
        return tuple(Aim(some) for some in subsets(active))
    if card == QUEEN:
        return tuple(Aim((), (face,)) for face in reversed(PIPS))
    return _changes(card, active, aside)


ABLE: dict[str, Callable[[Faces, Faces], object]] = {
    FOOL: lambda _active, _aside: True,
    "MERCHANT": lambda _active, _aside: True,
    "MAGICIAN": lambda _active, _aside: True,
    "SERVING_MAID": lambda active, _aside: active[0] + 1 <= 6,
    "NOBLEWOMAN": lambda active, _aside: active[0] + 1 <= 6,
    "NOBLEMAN": lambda active, _aside: active[0] + 2 <= 6,
    "ASTRONOMER": lambda active, aside: aside and len({*active, *aside}) > 1,
    "PHILOSOPHER": lambda active, _aside: _aims("PHILOSOPHER", active, ()),
    "ALCHEMIST": lambda active, _aside: _aims("ALCHEMIST", active, ()),
}
"""By character: whether it has any effect on active dice, of which there is at least one. Faster than listing the
effects, except for the two characters that move pips."""


def _changes(card: str, active: Faces, aside: Faces) -> tuple[Aim, ...]:
    """Return the changes of faces that a character can make, most pips first."""
    changes: list[tuple[Faces, Faces]]
    match card:
        case "SERVING_MAID":
            changes = [((face,), (face + more,)) for face in set(active) for more in (1, 2, 3) if face + more <= 6]
        case "ASTRONOMER":
            changes = [((face,), (copied,)) for face in set(active) for copied in aside if copied != face]
        case "MAGICIAN":
            changes = [((face,), (wanted,)) for face in set(active) for wanted in PIPS if wanted != face]
        case "NOBLEWOMAN":
            changes = _raised(active, 1)
        case "NOBLEMAN":
            changes = _raised(active, 2)
        case "PHILOSOPHER":
            changes = _moved(active, (2,))
        case "ALCHEMIST":
            changes = _moved(active, (2, 3))
        case _:
            changes = []
    return tuple(Aim(before, after) for before, after in sorted(set(changes), key=lambda c: (-sum(c[1]), c)))


def _raised(active: Faces, more: int) -> list[tuple[Faces, Faces]]:
    """Return every subset of the dice with each die raised by `more` (T9)."""
    eligible = tuple(face for face in active if face + more <= 6)
    return [(some, tuple(face + more for face in some)) for some in subsets(eligible)]


@cache
def _throws(size: int, total: int) -> tuple[Faces, ...]:
    """Return every sorted throw of `size` dice with this total."""
    return tuple(faces for faces in combinations_with_replacement(PIPS, size) if sum(faces) == total)


def _moved(active: Faces, sizes: tuple[int, ...]) -> list[tuple[Faces, Faces]]:
    """Return the ways to move pips among dice without changing their sum; unchanged dice are left out (T10)."""
    return [
        (before, after)
        for size in sizes
        for before in set(combinations(active, size))
        for after in _throws(size, sum(before))
        if set(before).isdisjoint(after)
    ]
