"""Lists of the King's knowledge and of the real thefts, for display."""
# Each list is drawn only for viewers who may know it.

from __future__ import annotations

from collections.abc import Iterator

from ftk_core.games.kings_court.explanation.claim_contradictions import role_of_take
from ftk_core.games.kings_court.explanation.claim_speech_bubbles import describe_cards
from ftk_core.games.kings_court.explanation.explanation_templates import fill
from ftk_core.games.kings_court.explanation.match_summary import draw_texts
from ftk_core.games.kings_court.player_view import PlayerView
from ftk_core.games.kings_court.roles_and_options import NONE, ROLES, THIEF
from ftk_core.views.scene import SceneZone


def list_knowledge_zones(sight: PlayerView) -> list[SceneZone]:
    """Return the lists that the viewer may see: the King's knowledge and the real thefts."""
    if sight.hidden is None:
        return []
    zones = [draw_texts("king_knows", "list", _list_king_knowledge(sight, sight.hidden), "known")]
    if sight.arrivals[1] is not None:  # the King himself never sees this before the end
        zones.append(draw_texts("true", "list", _list_truth(sight), "truth"))
    return [zone for zone in zones if zone is not None]


def _list_king_knowledge(sight: PlayerView, hidden: int) -> Iterator[str]:
    yield fill("kept", hidden)
    box = sight.arrivals[0]
    if box is None or sight.stolen is None:
        return
    yield fill("arrived", box.diamonds)
    yield f"{fill('cards_arrived')}: {describe_cards(box.cards)}" if box.cards else fill("no_cards_arrived")
    yield fill("stolen", sight.stolen)
    if sight.ending:
        return  # the accusations beside this list say everything that he learned
    asked = [f"@{seat}" for seat, count in enumerate(sight.asked) if count]
    yield f"{fill('asked_list')}: {', '.join(asked)}" if asked else fill("asked_nobody")
    emptied = [
        _name_share(sight, seat) for seat in range(1, sight.seats) if sight.revealed[seat] and not sight.fumbled[seat]
    ]
    if emptied:
        yield f"{fill('certain')}: {', '.join(emptied)}"


def _list_truth(sight: PlayerView) -> Iterator[str]:
    """Yield a line for each role with its players, and a line for the removed card, if any."""
    by_role: dict[str, list[str]] = {}
    for seat in range(1, sight.seats):
        if sight.takes[seat] is not None or sight.fumbled[seat]:
            by_role.setdefault(_role_of(sight, seat), []).append(_name_share(sight, seat))
    for role in sorted(by_role, key=ROLES.index):
        yield f"{fill('thieves') if role == THIEF else role.capitalize()}: {', '.join(by_role[role])}"
    if sight.dismissed is not None:
        yield f"{fill('dismissed', 1)}: 1 {sight.dismissed}"


def _role_of(sight: PlayerView, seat: int) -> str:
    take = sight.takes[seat]
    return NONE if take is None else role_of_take(take)


def _name_share(sight: PlayerView, seat: int) -> str:
    take = sight.takes[seat]
    return fill("share", seat, take.diamonds) if take is not None and take.diamonds else f"@{seat}"
