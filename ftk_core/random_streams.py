"""Reproducible random numbers of a match, with a separate stream for each purpose."""
# No generator is shared, so a choice never changes a later draw: two matches with the same seed have the same luck.

from __future__ import annotations

from collections.abc import Callable, Sequence
from gettext import gettext as _
from hashlib import sha256
from struct import Struct
from typing import TypeVar

T = TypeVar("T")
Label = int | str

SEED_BYTES = 32
_WORDS = Struct(">8I")


class RandomBitStream:
    """Unbounded stream of random bits, which any programming language can reproduce.

    Block ``k`` is ``SHA-256(seed || 0x00 || label || 0x00 || k as 8 bytes)``, read as big-endian 32-bit words.
    """

    __slots__ = ("_block", "_key", "_words")

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._block = 0
        self._words: list[int] = []

    def _word(self) -> int:
        if not self._words:
            raw = sha256(self._key + self._block.to_bytes(8, "big")).digest()
            self._block += 1
            self._words = [*_WORDS.unpack(raw)][::-1]
        return self._words.pop()

    def below(self, bound: int) -> int:
        """Return a uniform integer from 0 to `bound` - 1. Raises ValueError unless 1 <= `bound` <= 2**32."""
        if not 1 <= bound <= 1 << 32:
            raise ValueError(_("bound must lie in 1..2**32, not {bound}").format(bound=bound))
        limit = (1 << 32) - (1 << 32) % bound
        while (word := self._word()) >= limit:
            pass
        return word % bound

    def seed(self) -> bytes:
        """Return the next eight words of the stream, as a seed of `SEED_BYTES` bytes."""
        return b"".join(self.below(1 << 32).to_bytes(4, "big") for _word in range(SEED_BYTES // 4))

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """Return the items in a uniformly random order (Fisher-Yates, from the end)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return tuple(order)

    def pick(self, items: Sequence[T]) -> T:
        """Return a random item, each with the same probability."""
        return items[self.below(len(items))]


class MatchRandomness:
    """Source of all random numbers of one match. Each purpose has a random stream of its own."""

    __slots__ = ("seed",)

    def __init__(self, seed: bytes) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(
                _("a seed is {seed_bytes} bytes, not {seed}").format(seed_bytes=SEED_BYTES, seed=len(seed))
            )
        self.seed = seed

    def at(self, purpose: str, *numbers: Label) -> RandomBitStream:
        """Return the random stream for a label such as ``at("penalty", round, seat)``.

        Equal labels give the same stream, so a game uses each label for one draw only.

        >>> chance = MatchRandomness(seed_of("example"))
        >>> chance.at("cards").shuffled("ABCDE")
        ('E', 'A', 'B', 'D', 'C')
        >>> [chance.at("die", roll).below(6) + 1 for roll in range(5)]
        [5, 3, 4, 2, 2]
        >>> chance.at("cards").shuffled("ABCDE") == chance.at("cards").shuffled("ABCDE")
        True
        """
        label = "/".join((purpose, *map(str, numbers)))
        return RandomBitStream(self.seed + b"\0" + label.encode() + b"\0")


class _UnseededDraw(RandomBitStream):
    """Random stream that takes its numbers from a given sequential generator."""

    __slots__ = ("_below",)

    def __init__(self, below: Callable[[int], int]) -> None:
        self._below = below

    def below(self, bound: int) -> int:
        return self._below(bound)


class UnseededRandomness(MatchRandomness):
    """Fast source of random numbers for matches without a log. The caller passes the generator.

    A logged match cannot reproduce these numbers.

    >>> from random import Random
    >>> UnseededRandomness(Random(1).randrange).at("cards").shuffled("ABCDE")
    ('C', 'D', 'E', 'A', 'B')
    """

    __slots__ = ("_draw",)

    def __init__(self, below: Callable[[int], int]) -> None:
        """Draw all numbers with `below`, which returns a uniform integer from 0 to its argument minus 1."""
        self._draw = _UnseededDraw(below)

    def at(self, purpose: str, *numbers: Label) -> RandomBitStream:  # noqa: ARG002 - the purpose does not select a draw
        """Return the same sequential stream for every label."""
        return self._draw


def seed_of(*parts: Label) -> bytes:
    """Derive a 32-byte seed: the SHA-256 of the parts joined with ``/``."""
    return sha256("/".join(map(str, parts)).encode()).digest()


def seal_of(seed: bytes) -> str:
    """Return the SHA-256 of a secret seed in hexadecimal.

    The hash is published before a match, and the seed after the match. So everybody can check that the seed did not
    change.

    >>> seal_of(seed_of("example"))[:16]
    'f0a7447cc7c8ab13'
    """
    return sha256(seed).hexdigest()
