"""The picture of a court: the box on its way, the treasure, and every seat."""

from __future__ import annotations

from collections import Counter

from ftk_core.games.kings_court.sight import Contents, Sight
from ftk_core.scene import Meter, Piece, Scene, Zone


def scene(sight: Sight) -> Scene:
    """Return the picture of what a viewer may know."""
    zones = [
        Zone("treasury", "Recovered", pieces=_diamonds("recovered", sight.recovered), note=_missing(sight)),
        Zone("gifts", "Kings Gifts", pieces=tuple(_token(f"gift-{n}", "gift") for n in range(sight.gifts))),
        Zone("cast", "In the box at first", pieces=_roles("cast", sight.cards)),
    ]
    for seat in range(sight.seats):
        zones += _seat(sight, seat)
    return Scene(tuple(zones), _meters(sight), sight.to_act)


def _token(key: str, face: str, tags: tuple[str, ...] = ()) -> Piece:
    return Piece(key, "token", face, face.replace("-", " ").capitalize(), (face, *tags))


def _role(key: str, role: str) -> Piece:
    return Piece(key, "token", role, role.capitalize(), (f"role:{role}",))


def _diamonds(key: str, number: int) -> tuple[Piece, ...]:
    """Return diamonds as one piece that says how many; none as nothing."""
    if not number:
        return ()
    label = "1 diamond" if number == 1 else f"{number} diamonds"
    return (Piece(key, "token", f"diamond-{number}", label, ("diamond", f"count:{number}")),)


def _roles(key: str, cards: tuple[str, ...]) -> tuple[Piece, ...]:
    """Return cards, one piece for each kind."""
    counted = Counter(cards)
    return tuple(
        Piece(f"{key}-{card}", "token", f"{card}-{n}", f"{n} {card}", (f"role:{card}", f"count:{n}"))
        for card, n in counted.items()
    )


def _missing(sight: Sight) -> str:
    return "" if sight.stolen is None else f"{sight.stolen - sight.recovered} missing"


def _seat(sight: Sight, seat: int) -> list[Zone]:
    pieces = [_role("the-king", "king")] if seat == 0 else []
    if sight.at == seat and not sight.ending and (seat or not sight.took_place):
        pieces.append(_token("the-box", "box"))
    notes = [note for note, holds in _notes(sight, seat) if holds]
    zones = [Zone(f"seat-{seat}", "At court", seat, pieces=tuple(pieces), note=", ".join(notes))]
    if seat:
        zones.append(Zone(f"pocket-{seat}", "Pocket", seat, pieces=_pocket(sight, seat)))
    if (seen := sight.arrivals[seat]) is not None:
        label = "Came back" if seat == 0 else "Saw in the box"
        zones.append(Zone(f"saw-{seat}", label, seat, "row", _contents(seat, seen)))
    return zones


def _notes(sight: Sight, seat: int) -> list[tuple[str, bool]]:
    return [
        ("exiled", sight.exiled[seat]),
        ("accused", sight.accused == seat),
        ("wins", seat in sight.winners),
        ("showed the fake diamond", sight.fake_shown[seat]),
    ]


def _pocket(sight: Sight, seat: int) -> tuple[Piece, ...]:
    """Return a take, or something covered where it is hidden."""
    take = sight.takes[seat]
    if take is None:
        return (Piece(f"pocket-{seat}", "token", "", "hidden"),) if sight.taken[seat] else ()
    if take.card:
        return (_role(f"took-{seat}", take.card),)
    fake = (_token(f"fake-{seat}", "fake"),) if take.fake else ()
    caught = take.diamonds and sight.exiled[seat] and sight.revealed[seat]  # the King has the diamonds
    shown = (_role(f"took-{seat}", "thief"),) if caught else _diamonds(f"took-{seat}", take.diamonds)
    return (*shown, *fake) or (_role(f"took-{seat}", "urchin"),)


def _contents(seat: int, seen: Contents) -> tuple[Piece, ...]:
    fake = (_token(f"saw-{seat}-fake", "fake"),) if seen.fake else ()
    return (*_diamonds(f"saw-{seat}", seen.diamonds), *_roles(f"saw-{seat}", seen.cards), *fake)


def _meters(sight: Sight) -> tuple[Meter, ...]:
    asked = Meter("asked", "Questions answered", sight.asked)
    if all(take is not None for take in sight.takes[1:]):
        return asked, Meter("diamonds", "Diamonds taken", tuple(take.diamonds if take else 0 for take in sight.takes))
    return (asked,)
