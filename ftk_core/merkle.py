"""Merkle trees as in RFC 6962: one hash for many values.

The hash of a leaf is ``SHA-256(0x00 || value)``, that of a node ``SHA-256(0x01 || left || right)``.
"""

from __future__ import annotations

from collections.abc import Sequence
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

    >>> root_of([b"first match", b"second match"]) == node_hash(leaf_hash(b"first match"), leaf_hash(b"second match"))
    True
    """
    if not values:
        return EMPTY_ROOT
    if len(values) == 1:
        return leaf_hash(values[0])
    split = _left_subtree_size(len(values))
    return node_hash(root_of(values[:split]), root_of(values[split:]))


def _left_subtree_size(size: int) -> int:
    """Return the largest power of two that is smaller than `size`. `size` must be at least 2."""
    return 1 << ((size - 1).bit_length() - 1)
