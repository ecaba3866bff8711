"""The signed bytes of a round never change."""

from __future__ import annotations

from hashlib import sha256

from ftk_core.kit.verify.public_keys import is_signature, public_pem
from ftk_core.league.event_fields import StageSettings, TableSeating
from ftk_core.league.league_state import LeagueState
from ftk_core.league.match_seating_and_random_seeds import table_seed
from ftk_core.league.publication.signed_merkle_roots import (
    list_unsigned_scopes,
    root_over,
    signature_fact,
    statement_of,
    statement_over_matches,
)
from ftk_core.league.signature_facts import LeagueSigned, RoundSigned

HEADS = {"b2": "22" * 32, "a1": "11" * 32}
LEAVES = [sha256(b"\0" + bytes([byte]) * 32).digest() for byte in (0x11, 0x22)]
ROOT = sha256(b"\1" + LEAVES[0] + LEAVES[1]).hexdigest()


def test_the_signed_statement_of_a_round_has_the_documented_six_lines() -> None:
    said = f"ftk roots 1\nleague night\nscope round 3\nmatches 2\nroot {ROOT}\nafter {'00' * 32}\n"
    assert statement_over_matches("night", 3, HEADS, "00" * 32) == said.encode()
    assert statement_over_matches("night", None, HEADS, "00" * 32) == said.replace("round 3", "league").encode()


def test_the_bytes_that_were_signed_can_be_rebuilt_from_the_recorded_signature() -> None:
    for scope in (3, None):
        fact = signature_fact(scope, HEADS, "00" * 32, "aa", "bb")
        assert statement_of("night", fact) == statement_over_matches("night", scope, HEADS, "00" * 32)


def test_match_hashes_are_signed_in_the_order_of_match_ids() -> None:
    assert root_over(HEADS) == root_over(dict(sorted(HEADS.items()))) == ROOT


def test_each_closed_round_and_the_closed_league_are_signed_once() -> None:
    first, whole = (
        RoundSigned(round=1, matches=0, root="", after="", key="", signature=""),
        LeagueSigned(matches=0, root="", after="", key="", signature=""),
    )
    assert list_unsigned_scopes(LeagueState()) == []
    assert list_unsigned_scopes(LeagueState(closed_rounds=2)) == [1, 2]
    assert list_unsigned_scopes(LeagueState(closed_rounds=2, closed=True, signed=(first,))) == [2, None]
    assert list_unsigned_scopes(LeagueState(closed_rounds=1, closed=True, signed=(first, whole))) == []


def test_the_random_seed_of_a_game_table_is_the_sha_256_hash_of_its_documented_label() -> None:
    seed = table_seed(b"\x01\x02", 3, TableSeating(4, (7, 5)), StageSettings(format="swiss", seats=2, least=2))
    assert seed == sha256(b"table/0102/3/4/7/5").digest()


def test_keys_and_signatures_match_the_test_vectors_of_rfc_8032() -> None:
    key = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"
    signature = (
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
    )
    assert is_signature(key, signature, b"\x72")
    assert not is_signature(key, signature, b"\x73")
    assert not is_signature("00", signature, b"\x72")
    assert not is_signature(key, "no signature", b"\x72")
    assert public_pem(key).startswith(b"-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAPUAXw+hDiVqStwqnTRt+")
