"""Effects of characters on the dice that are not set aside."""
# Menus do not distinguish dice with equal faces, so that they stay short.

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache, lru_cache
from itertools import chain, combinations, combinations_with_replacement, product

from ftk_core.games.to_court_the_king.characters import FOOL, QUEEN, Faces
from ftk_core.games.to_court_the_king.facts import ChooseEffectAction, SetAsideAction

PIPS = range(1, 7)
MAX_CACHED_RESULTS = 1 << 16


def add_dice(faces: Faces, more: Faces) -> Faces:
    """Return the dice of both tuples, sorted by face."""
    return tuple(sorted(faces + more))


def remove_dice(faces: Faces, some: Faces) -> Faces:
    """Return `faces` without the dice in `some`. Raises ValueError if a die of `some` is not in `faces`."""
    left = list(faces)
    for face in some:
        left.remove(face)
    return tuple(left)


def contains(faces: Faces, some: Faces) -> bool:
    """Return True if `some` is a non-empty sorted tuple of dice that are all in `faces`."""
    # These are the tuples that `list_subsets` lists. This test does not search the list.
    return bool(some) and not Counter(some) - Counter(faces) and tuple(sorted(some)) == some


@lru_cache(MAX_CACHED_RESULTS)
def list_subsets(faces: Faces) -> tuple[Faces, ...]:
    """Return every non-empty subset of the dice, largest first; equal faces are interchangeable."""
    counts = sorted(Counter(faces).items())
    choices = product(*([(face,) * number for number in range(count + 1)] for face, count in counts))
    all_subsets = [some for parts in choices if (some := tuple(chain.from_iterable(parts)))]
    return tuple(sorted(all_subsets, key=lambda some: (-len(some), some)))


@lru_cache(MAX_CACHED_RESULTS)
def list_set_asides(active: Faces) -> tuple[SetAsideAction, ...]:
    """Return every way to set active dice aside."""
    return tuple(SetAsideAction(some) for some in list_subsets(active))


def list_effects(card: str, active: Faces, aside: Faces) -> tuple[ChooseEffectAction, ...]:
    """Return every effect that a character can have on these dice, except effects that change nothing."""
    return _list_effects(card, active, tuple(sorted(set(aside))) if card == "ASTRONOMER" else ())


@lru_cache(MAX_CACHED_RESULTS)
def _list_effects(card: str, active: Faces, aside: Faces) -> tuple[ChooseEffectAction, ...]:
    if card == FOOL:
        return tuple(ChooseEffectAction((face,)) for face in sorted(set(active)))
    if card == "MERCHANT":
        return tuple(ChooseEffectAction(some) for some in list_subsets(active))
    if card == QUEEN:
        return tuple(ChooseEffectAction((), (face,)) for face in reversed(PIPS))
    return _face_changes(card, active, aside)


HAS_EFFECT: dict[str, Callable[[Faces, Faces], object]] = {
    FOOL: lambda _active, _aside: True,
    "MERCHANT": lambda _active, _aside: True,
    "MAGICIAN": lambda _active, _aside: True,
    "SERVING_MAID": lambda active, _aside: active[0] + 1 <= 6,
    "NOBLEWOMAN": lambda active, _aside: active[0] + 1 <= 6,
    "NOBLEMAN": lambda active, _aside: active[0] + 2 <= 6,
    "ASTRONOMER": lambda active, aside: aside and len({*active, *aside}) > 1,
    "PHILOSOPHER": lambda active, _aside: _list_effects("PHILOSOPHER", active, ()),
    "ALCHEMIST": lambda active, _aside: _list_effects("ALCHEMIST", active, ()),
}
"""Character -> function (active dice, dice set aside) that returns a true value if the character has any effect.

At least one die must be active. The functions do not list the effects, which would be slower, except for the two
characters that move pips.
"""


def _face_changes(card: str, active: Faces, aside: Faces) -> tuple[ChooseEffectAction, ...]:
    """Return the changes that a character can make to dice, sorted by the sum of the new faces, highest first."""
    changes: list[tuple[Faces, Faces]]
    match card:
        case "SERVING_MAID":
            changes = [((face,), (face + more,)) for face in set(active) for more in (1, 2, 3) if face + more <= 6]
        case "ASTRONOMER":
            changes = [((face,), (copied,)) for face in set(active) for copied in aside if copied != face]
        case "MAGICIAN":
            changes = [((face,), (new_face,)) for face in set(active) for new_face in PIPS if new_face != face]
        case "NOBLEWOMAN":
            changes = _raised_subsets(active, 1)
        case "NOBLEMAN":
            changes = _raised_subsets(active, 2)
        case "PHILOSOPHER":
            changes = _moved_pips(active, (2,))
        case "ALCHEMIST":
            changes = _moved_pips(active, (2, 3))
        case _:
            changes = []
    return tuple(
        ChooseEffectAction(before, after) for before, after in sorted(set(changes), key=lambda c: (-sum(c[1]), c))
    )


def _raised_subsets(active: Faces, more: int) -> list[tuple[Faces, Faces]]:
    """Return all ways to add `more` pips to some dice, as pairs (before, after)."""
    eligible = tuple(face for face in active if face + more <= 6)
    return [(some, tuple(face + more for face in some)) for some in list_subsets(eligible)]


@cache
def _faces_with_sum(size: int, total: int) -> tuple[Faces, ...]:
    """Return every combination of `size` faces whose sum is `total`, each in ascending order."""
    return tuple(faces for faces in combinations_with_replacement(PIPS, size) if sum(faces) == total)


def _moved_pips(active: Faces, sizes: tuple[int, ...]) -> list[tuple[Faces, Faces]]:
    """Return all ways to move pips between some dice, as pairs (before, after)."""
    # `sizes` lists how many dice can change together. All of them must change, so no face is in both tuples of a pair.
    return [
        (before, after)
        for size in sizes
        for before in set(combinations(active, size))
        for after in _faces_with_sum(size, sum(before))
        if set(before).isdisjoint(after)
    ]
