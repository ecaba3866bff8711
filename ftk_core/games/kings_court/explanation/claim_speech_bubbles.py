"""Speech bubbles with each player's claims, in which contradictions are marked."""

from __future__ import annotations

from collections import Counter

from ftk_core.games.kings_court.explanation.claim_contradictions import ClaimCheckResult, ClaimKey, check_claims
from ftk_core.games.kings_court.explanation.explanation_templates import fill
from ftk_core.games.kings_court.facts import ClaimMade
from ftk_core.games.kings_court.player_claims import FAKE_TOPICS, PlayerClaim
from ftk_core.games.kings_court.player_view import PlayerView
from ftk_core.views.scene import ScenePiece, SceneZone

Claims = dict[ClaimKey, PlayerClaim]
"""Latest claim of each seat on each topic, from the oldest to the newest."""
MAX_CLAIMS_PER_BUBBLE = 4
"""Maximum number of claims in a bubble; older ones are only in the text of the match."""


def list_latest_claims(sight: PlayerView) -> Claims:
    """Return the latest claim of each seat on each topic, from the oldest to the newest."""
    latest: Claims = {}
    for utterance in sight.said:
        if isinstance(utterance, ClaimMade):
            key = (utterance.seat, utterance.claim.topic)
            latest.pop(key, None)
            latest[key] = utterance.claim
    return latest


def draw_bubbles(claims: Claims, sight: PlayerView) -> dict[int, SceneZone]:
    """Return a bubble for each seat that claimed something, with its newest claim first."""
    checks = check_claims(claims, sight)
    zones = {}
    for seat in sorted({seat for seat, _ in claims}):
        keys = [key for key in reversed(claims) if key[0] == seat][:MAX_CLAIMS_PER_BUBBLE]
        zones[seat] = SceneZone(
            key=f"said-{seat}",
            label="Says",
            seat=seat,
            layout="bubble",
            pieces=tuple(_draw_claim(key, claims[key], checks.get(key, ClaimCheckResult())) for key in keys),
            note=_describe_check(keys[0][0], checks.get(keys[0], ClaimCheckResult())),
        )
    return zones


def count_suspicions(claims: Claims, seats: int) -> tuple[int, ...]:
    """Return for each seat how many players suspect it."""
    named = Counter(claim.seat for (_, topic), claim in claims.items() if topic == "suspect")
    return tuple(named[seat] for seat in range(seats))


def _describe_check(speaker: int, check: ClaimCheckResult) -> str:
    """Return a note on a claim that is false or contradicts other claims, else an empty text."""
    if check.false:
        return fill("false")
    others = [seat for seat in check.against if seat != speaker]
    notes = [fill("contradicts_itself")] if speaker in check.against else []
    notes += [f"@{seat}" if at else fill("contradicts", seat) for at, seat in enumerate(others)]
    return ", ".join(notes)


def _draw_claim(key: ClaimKey, claim: PlayerClaim, check: ClaimCheckResult) -> ScenePiece:
    doubt = ("doubt:false",) if check.false else ("doubt:conflict",) if check.against else ()
    role = (f"role:{claim.role}",) if claim.role and claim.topic in ("took", "role_of") else ()
    tags = (f"claim:{claim.topic}", *role, *doubt)
    seat, topic = key
    return ScenePiece(key=f"said-{seat}-{topic}", kind="token", face=topic, label=describe_claim(claim), tags=tags)


def describe_claim(claim: PlayerClaim) -> str:
    """Return the English label of a claim.

    >>> describe_claim(PlayerClaim(topic="passed_diamonds", number=1))
    'I passed on 1 diamond'
    """
    topic = claim.topic
    if topic in FAKE_TOPICS:
        return fill(topic if claim.fake else f"{topic}_absent")
    match topic:
        case "took":
            return _describe_take(claim)
        case "dismissed":
            return fill(f"dismissed_{claim.role or 'nothing'}")
        case "role_of":
            return fill(f"is_{claim.role}", claim.seat or 0)
        case "received_cards" | "passed_cards" | "returned_cards":
            return f"{fill(topic)}: {describe_cards(claim.cards or ()) or fill('no_cards')}"
        case "suspect" | "vouch" | "trust":
            return fill(topic, claim.seat or 0)
    return fill(topic, claim.number or 0)


def describe_cards(cards: tuple[str, ...]) -> str:
    """Return a label that lists cards with their counts; empty for no card."""
    return ", ".join(f"{number} {card}" for card, number in Counter(cards).items())


def _describe_take(claim: PlayerClaim) -> str:
    if claim.role:
        return fill(f"took_{claim.role}")
    if claim.fake:
        return fill("took_fake", claim.number or 0)
    return fill("took", claim.number) if claim.number else fill("took_nothing")
