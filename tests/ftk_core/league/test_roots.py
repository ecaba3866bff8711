"""What is signed is the same bytes for ever."""

from __future__ import annotations

from hashlib import sha256

from ftk_core.kit.keys import public_pem, signs
from ftk_core.league.deals import table_seed
from ftk_core.league.plans import Stage, TablePlan
from ftk_core.league.roots import root_over, signature_fact, signed, statement_of, unsigned
from ftk_core.league.signatures import LeagueSigned, RoundSigned
from ftk_core.league.state import LeagueState

HEADS = {"b2": "22" * 32, "a1": "11" * 32}
LEAVES = [sha256(b"\0" + bytes([byte]) * 32).digest() for byte in (0x11, 0x22)]
ROOT = sha256(b"\1" + LEAVES[0] + LEAVES[1]).hexdigest()


def test_the_signed_bytes_are_these_six_lines() -> None:
    said = f"ftk roots 1\nleague night\nscope round 3\nmatches 2\nroot {ROOT}\nafter {'00' * 32}\n"
    assert signed("night", 3, HEADS, "00" * 32) == said.encode()
    assert signed("night", None, HEADS, "00" * 32) == said.replace("round 3", "league").encode()


def test_a_fact_says_which_bytes_were_signed() -> None:
    for scope in (3, None):
        fact = signature_fact(scope, HEADS, "00" * 32, "aa", "bb")
        assert statement_of("night", fact) == signed("night", scope, HEADS, "00" * 32)


def test_matches_are_ordered_by_their_ids() -> None:
    assert root_over(HEADS) == root_over(dict(sorted(HEADS.items()))) == ROOT


def test_what_is_closed_is_signed_once() -> None:
    first, whole = (
        RoundSigned(round=1, matches=0, root="", after="", key="", signature=""),
        LeagueSigned(matches=0, root="", after="", key="", signature=""),
    )
    assert unsigned(LeagueState()) == []
    assert unsigned(LeagueState(closed_rounds=2)) == [1, 2]
    assert unsigned(LeagueState(closed_rounds=2, closed=True, signed=(first,))) == [2, None]
    assert unsigned(LeagueState(closed_rounds=1, closed=True, signed=(first, whole))) == []


def test_a_seed_can_be_worked_out_by_hand() -> None:
    seed = table_seed(b"\x01\x02", 3, TablePlan(4, (7, 5)), Stage(format="swiss", seats=2, least=2))
    assert seed == sha256(b"table/0102/3/4/7/5").digest()


def test_keys_and_signatures_are_those_of_rfc_8032() -> None:
    key = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"
    signature = (
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
    )
    assert signs(key, signature, b"\x72")
    assert not signs(key, signature, b"\x73")
    assert not signs("00", signature, b"\x72")
    assert not signs(key, "no signature", b"\x72")
    assert public_pem(key).startswith(b"-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAPUAXw+hDiVqStwqnTRt+")
