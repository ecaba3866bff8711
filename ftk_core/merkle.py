"""Merkle trees as in RFC 6962: one hash for many values, with a short proof for each value.

The hash of a leaf is ``SHA-256(0x00 || value)``, that of a node ``SHA-256(0x01 || left || right)``.
"""

from __future__ import annotations

from collections.abc import Sequence
from gettext import gettext as _
from hashlib import sha256

LEAF_PREFIX, NODE_PREFIX = b"\x00", b"\x01"
EMPTY_ROOT = sha256(b"").digest()
"""Root of a tree without leaves."""


def leaf_hash(value: bytes) -> bytes:
    """Return the leaf hash of a value."""
    return sha256(LEAF_PREFIX + value).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of an inner node, given the hashes of its two children."""
    return sha256(NODE_PREFIX + left + right).digest()


def root_of(values: Sequence[bytes]) -> bytes:
    """Return the Merkle root of the values, in their order.

    >>> heads = [b"first match", b"second match", b"third match"]
    >>> root = root_of(heads)
    >>> is_proof(heads[1], 1, len(heads), proof_of(heads, 1), root)
    True
    >>> is_proof(b"another match", 1, len(heads), proof_of(heads, 1), root)
    False
    """
    if not values:
        return EMPTY_ROOT
    if len(values) == 1:
        return leaf_hash(values[0])
    split = _left_subtree_size(len(values))
    return node_hash(root_of(values[:split]), root_of(values[split:]))


def proof_of(values: Sequence[bytes], index: int) -> tuple[bytes, ...]:
    """Return the sibling hashes from a value to the root, nearest first. Raises IndexError for a bad index."""
    if not 0 <= index < len(values):
        raise IndexError(_("there is no value {index} among {values}").format(index=index, values=len(values)))
    if len(values) == 1:
        return ()
    split = _left_subtree_size(len(values))
    if index < split:
        return (*proof_of(values[:split], index), root_of(values[split:]))
    return (*proof_of(values[split:], index - split), root_of(values[:split]))


def is_proof(value: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Return whether the proof shows that the tree holds this value at this index."""
    return 0 <= index < size and _root_of_proof(leaf_hash(value), index, size, tuple(proof)) == root


def _root_of_proof(at: bytes, index: int, size: int, proof: tuple[bytes, ...]) -> bytes | None:
    """Return the root that a proof leads to, or None if the proof has the wrong length."""
    if size == 1 or not proof:
        return at if size == 1 and not proof else None
    split, last = _left_subtree_size(size), proof[-1]
    if index < split:
        left = _root_of_proof(at, index, split, proof[:-1])
        return left and node_hash(left, last)
    right = _root_of_proof(at, index - split, size - split, proof[:-1])
    return right and node_hash(last, right)


def _left_subtree_size(size: int) -> int:
    """Return the largest power of two that is smaller than `size`. `size` must be at least 2."""
    return 1 << ((size - 1).bit_length() - 1)
