"""Description of the table of Kings Court that clients draw (the scene), made from a player's view."""

from __future__ import annotations

from collections import Counter

from ftk_core.games.kings_court.explanation.claim_speech_bubbles import (
    Claims,
    count_suspicions,
    draw_bubbles,
    list_latest_claims,
)
from ftk_core.games.kings_court.explanation.king_knowledge_and_real_theft import list_knowledge_zones
from ftk_core.games.kings_court.explanation.king_versus_thieves_comparison import draw_lead
from ftk_core.games.kings_court.explanation.match_summary import list_summary_zones
from ftk_core.games.kings_court.player_view import PlayerView, SeenBoxContents
from ftk_core.views.scene import ScenePiece, SceneZone, SeatCounter, TableScene


def scene(sight: PlayerView) -> TableScene:
    """Return the description of the table (the scene) that clients draw. It shows everything in the view."""
    zones = [
        *list_summary_zones(sight),
        SceneZone(
            key="treasury",
            label="Recovered",
            pieces=(_draw_recovered("recovered", sight.recovered),),
            note=_draw_missing(sight),
        ),
        SceneZone(key="gifts", label="Kings Gifts", pieces=_gifts(sight.gifts)),
        SceneZone(key="cast", label="In the box at first", pieces=_roles("cast", sight.cards)),
        *list_knowledge_zones(sight),
    ]
    claims = list_latest_claims(sight)
    bubbles = draw_bubbles(claims, sight)
    for seat in range(sight.seats):
        zones += _draw_seat(sight, seat, bubbles.get(seat))
    return TableScene(tuple(zones), _draw_meters(sight, claims), sight.to_act, (draw_lead(sight),))


def _token(key: str, face: str, tags: tuple[str, ...] = ()) -> ScenePiece:
    return ScenePiece(key=key, kind="token", face=face, label=face.replace("-", " ").capitalize(), tags=(face, *tags))


def _role(key: str, role: str) -> ScenePiece:
    return ScenePiece(key=key, kind="token", face=role, label=role.capitalize(), tags=(f"role:{role}",))


def _diamonds(key: str, number: int) -> tuple[ScenePiece, ...]:
    return (_draw_recovered(key, number),) if number else ()


def _draw_recovered(key: str, number: int) -> ScenePiece:
    label = "1 diamond" if number == 1 else f"{number} diamonds"
    return ScenePiece(key=key, kind="token", face=f"diamond-{number}", label=label, tags=("diamond", f"count:{number}"))


def _gifts(number: int) -> tuple[ScenePiece, ...]:
    label = "1 gift" if number == 1 else f"{number} gifts"
    return (
        ScenePiece(key="gifts", kind="token", face=f"gift-{number}", label=label, tags=("gift", f"count:{number}")),
    )


def _roles(key: str, cards: tuple[str, ...], *tags: str) -> tuple[ScenePiece, ...]:
    """Return one piece for each kind of character card in `cards`, with its number of copies."""
    counted = Counter(cards)
    return tuple(
        ScenePiece(
            key=f"{key}-{card}",
            kind="token",
            face=f"{card}-{n}",
            label=f"{n} {card}",
            tags=(f"role:{card}", f"count:{n}", *tags),
        )
        for card, n in counted.items()
    )


def _draw_missing(sight: PlayerView) -> str:
    return "" if sight.stolen is None else f"{sight.stolen - sight.recovered} missing"


def _draw_seat(sight: PlayerView, seat: int, bubble: SceneZone | None) -> list[SceneZone]:
    pieces = [_role("the-king", "king")] if seat == 0 else []
    if sight.at == seat:
        pieces.append(_token("the-box", "box"))
    if seat in sight.winners:
        pieces.append(ScenePiece(key=f"wins-{seat}", kind="token", face="wins", label="★ wins", tags=("wins",)))
    notes = [note for note, holds in _notes(sight, seat) if holds]
    pieces += _draw_pocket(sight, seat) if seat else ()
    zones = [SceneZone(key=f"seat-{seat}", label="At court", seat=seat, pieces=tuple(pieces), note=", ".join(notes))]
    if bubble is not None:
        zones.append(bubble)
    if (box_contents := sight.arrivals[seat]) is not None:
        label = "Came back" if seat == 0 else "Saw in the box"
        zones.append(
            SceneZone(
                key=f"saw-{seat}", label=label, seat=seat, layout="row", pieces=_draw_box_contents(seat, box_contents)
            )
        )
    return zones


def _notes(sight: PlayerView, seat: int) -> list[tuple[str, bool]]:
    return [
        ("exiled", sight.exiled[seat]),
        ("accused", sight.accused == seat),
        ("asked now", sight.answering is not None and sight.answering.seat == seat),
        ("showed the fake diamond", sight.fake_shown[seat]),
    ]


def _draw_pocket(sight: PlayerView, seat: int) -> tuple[ScenePiece, ...]:
    """Draw the things that a player took, or one face-down piece if they are hidden."""
    take = sight.takes[seat]
    if sight.fumbled[seat]:
        return (_role(f"took-{seat}", "none"),)
    if take is None:
        return (
            (ScenePiece(key=f"pocket-{seat}", kind="token", face="", label="hidden share"),)
            if sight.taken[seat]
            else ()
        )
    if take.card:
        return (_role(f"took-{seat}", take.card),)
    fake = (_token(f"fake-{seat}", "fake"),) if take.fake else ()
    caught = take.diamonds and sight.exiled[seat] and sight.revealed[seat]  # the diamonds went back to the King
    shown = (_role(f"took-{seat}", "thief"),) if caught else _diamonds(f"took-{seat}", take.diamonds)
    return (*shown, *fake) or (_role(f"took-{seat}", "urchin"),)


def _draw_box_contents(seat: int, box_contents: SeenBoxContents) -> tuple[ScenePiece, ...]:
    fake = (_token(f"saw-{seat}-fake", "fake"),) if box_contents.fake else ()
    return (
        *_diamonds(f"saw-{seat}", box_contents.diamonds),
        *_roles(f"saw-{seat}", box_contents.cards, "brief"),
        *fake,
    )


def _draw_meters(sight: PlayerView, claims: Claims) -> tuple[SeatCounter, ...]:
    suspicions = count_suspicions(claims, sight.seats)
    public = (SeatCounter("suspected", "Suspected", suspicions), SeatCounter("asked", "Asked", sight.asked))
    if all(take or broke_rules for take, broke_rules in zip(sight.takes[1:], sight.fumbled[1:], strict=True)):
        taken_diamonds = tuple(take.diamonds if take else 0 for take in sight.takes)
        return (SeatCounter("diamonds", "Diamonds taken", taken_diamonds), *public)
    return public
