"""A Merkle root commits to many values."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from ftk_core.merkle import leaf_hash, node_hash, root_of

VALUES = st.lists(st.binary(max_size=40), min_size=1, max_size=40)

# The tree of eight values with which Certificate Transparency tests its own code, and its roots by size.
KNOWN = [
    bytes.fromhex(value)
    for value in (
        "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f",
    )
]  # fmt: skip
ROOTS = {
    0: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    1: "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    2: "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    3: "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    4: "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    5: "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    6: "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    7: "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    8: "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
}


@pytest.mark.parametrize(("size", "root"), ROOTS.items())
def test_merkle_roots_equal_the_test_vectors_of_rfc_6962(size: int, root: str) -> None:
    assert root_of(KNOWN[:size]).hex() == root


@pytest.mark.slow
@given(VALUES, st.data())
def test_any_change_to_the_values_changes_the_merkle_root(values: list[bytes], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(values) - 1))
    root = root_of(values)
    assert root_of([*values[:at], values[at] + b"x", *values[at + 1 :]]) != root
    assert root_of(values[:at] + values[at + 1 :]) != root
    assert root_of([*values, values[at]]) != root
    if list(reversed(values)) != values:
        assert root_of(values[::-1]) != root


def test_the_hash_of_an_inner_node_differs_from_the_hash_of_a_leaf_with_the_same_bytes() -> None:
    one, two = leaf_hash(b"one"), leaf_hash(b"two")
    assert leaf_hash(one + two) != node_hash(one, two) == root_of([b"one", b"two"])
