"""Picture of a court: the travelling box, the treasure, and every seat."""

from __future__ import annotations

from collections import Counter

from ftk_core.games.kings_court.claims import FAKE_TOPICS, Claim
from ftk_core.games.kings_court.facts import Said
from ftk_core.games.kings_court.sight import Contents, Sight
from ftk_core.scene import Meter, Piece, Scene, Zone

Claims = dict[str, Claim]
"""Last claim of one seat on each subject."""
SPOKEN = {
    "hid": "hid {n}",
    "returned_diamonds": "{n} came back",
    "received_diamonds": "{n} came",
    "passed_diamonds": "{n} went on",
    "received_fake": "{fake} came",
    "passed_fake": "{fake} went on",
    "returned_fake": "{fake} came back",
    "suspect": "suspects",
    "vouch": "vouches",
    "trust": "trusts",
}
"""Text of a claim on a token. The colour and name of a seat show whom it is about."""


def scene(sight: Sight) -> Scene:
    """Draw everything that a viewer may know."""
    zones = [
        Zone(key="treasury", label="Recovered", pieces=(_jewels("recovered", sight.recovered),), note=_missing(sight)),
        Zone(key="gifts", label="Kings Gifts", pieces=_gifts(sight.gifts)),
        Zone(key="cast", label="In the box at first", pieces=_roles("cast", sight.cards)),
    ]
    claims = _claims(sight)
    for seat in range(sight.seats):
        zones += _seat(sight, seat, claims[seat])
    return Scene(tuple(zones), _meters(sight, claims), sight.to_act)


def _token(key: str, face: str, tags: tuple[str, ...] = ()) -> Piece:
    return Piece(key=key, kind="token", face=face, label=face.replace("-", " ").capitalize(), tags=(face, *tags))


def _role(key: str, role: str) -> Piece:
    return Piece(key=key, kind="token", face=role, label=role.capitalize(), tags=(f"role:{role}",))


def _diamonds(key: str, number: int) -> tuple[Piece, ...]:
    """Return diamonds as one piece with their number; no piece for none."""
    return (_jewels(key, number),) if number else ()


def _jewels(key: str, number: int) -> Piece:
    label = "1 diamond" if number == 1 else f"{number} diamonds"
    return Piece(key=key, kind="token", face=f"diamond-{number}", label=label, tags=("diamond", f"count:{number}"))


def _gifts(number: int) -> tuple[Piece, ...]:
    label = "1 gift" if number == 1 else f"{number} gifts"
    return (Piece(key="gifts", kind="token", face=f"gift-{number}", label=label, tags=("gift", f"count:{number}")),)


def _roles(key: str, cards: tuple[str, ...]) -> tuple[Piece, ...]:
    """Return cards as one piece for each kind."""
    counted = Counter(cards)
    return tuple(
        Piece(
            key=f"{key}-{card}",
            kind="token",
            face=f"{card}-{n}",
            label=f"{n} {card}",
            tags=(f"role:{card}", f"count:{n}"),
        )
        for card, n in counted.items()
    )


def _missing(sight: Sight) -> str:
    return "" if sight.stolen is None else f"{sight.stolen - sight.recovered} missing"


def _seat(sight: Sight, seat: int, claims: Claims) -> list[Zone]:
    pieces = [_role("the-king", "king")] if seat == 0 else []
    if sight.at == seat and not sight.ending and (seat or not sight.took_place):
        pieces.append(_token("the-box", "box"))
    notes = [note for note, holds in _notes(sight, seat) if holds]
    pieces += _pocket(sight, seat) if seat else ()
    zones = [Zone(key=f"seat-{seat}", label="At court", seat=seat, pieces=tuple(pieces), note=", ".join(notes))]
    if said := _said(seat, claims):
        zones.append(Zone(key=f"said-{seat}", label="Says", seat=seat, pieces=said))
    if (seen := sight.arrivals[seat]) is not None:
        label = "Came back" if seat == 0 else "Saw in the box"
        zones.append(Zone(key=f"saw-{seat}", label=label, seat=seat, layout="row", pieces=_contents(seat, seen)))
    return zones


def _notes(sight: Sight, seat: int) -> list[tuple[str, bool]]:
    return [
        ("exiled", sight.exiled[seat]),
        ("accused", sight.accused == seat),
        ("asked now", sight.answering is not None and sight.answering.seat == seat),
        ("wins", seat in sight.winners),
        ("showed the fake diamond", sight.fake_shown[seat]),
    ]


def _pocket(sight: Sight, seat: int) -> tuple[Piece, ...]:
    """Return the contents of a pocket, or a covered piece if hidden."""
    take = sight.takes[seat]
    if take is None:
        return (Piece(key=f"pocket-{seat}", kind="token", face="", label="hidden share"),) if sight.taken[seat] else ()
    if take.card:
        return (_role(f"took-{seat}", take.card),)
    fake = (_token(f"fake-{seat}", "fake"),) if take.fake else ()
    caught = take.diamonds and sight.exiled[seat] and sight.revealed[seat]  # the diamonds went back to the King
    shown = (_role(f"took-{seat}", "thief"),) if caught else _diamonds(f"took-{seat}", take.diamonds)
    return (*shown, *fake) or (_role(f"took-{seat}", "urchin"),)


def _claims(sight: Sight) -> list[Claims]:
    """Return by seat its last claim on each subject."""
    last: list[Claims] = [{} for _ in range(sight.seats)]
    for said in sight.said:
        if isinstance(said, Said):
            last[said.seat][said.claim.topic] = said.claim
    return last


def _said(seat: int, claims: Claims) -> tuple[Piece, ...]:
    """Return a seat's claims about itself, the box and others, as far as they fit on tokens."""
    pieces: list[Piece] = []
    for topic, claim in claims.items():
        key = f"said-{seat}-{topic}"
        about = () if claim.seat is None else (f"seat:{claim.seat}",)
        if topic == "took":
            pieces += _took(key, claim)
        elif topic == "role_of" and claim.role:
            pieces.append(
                Piece(
                    key=key,
                    kind="token",
                    face=claim.role,
                    label=claim.role.capitalize(),
                    tags=(f"role:{claim.role}", *about),
                )
            )
        elif topic in SPOKEN:
            words = SPOKEN[topic].format(n=claim.number, fake="fake" if claim.fake else "no fake")
            worth = claim.fake if topic in FAKE_TOPICS else claim.number
            pieces.append(
                Piece(key=key, kind="token", face=f"{topic}-{worth}", label=words, tags=(f"claim:{topic}", *about))
            )
    return tuple(pieces)


def _took(key: str, claim: Claim) -> tuple[Piece, ...]:
    """Return the pieces for what a seat claims to have taken."""
    card = (_role(key, claim.role),) if claim.role else ()
    fake = (_token(f"{key}-fake", "fake"),) if claim.fake else ()
    return (*card, *_diamonds(key, claim.number or 0), *fake) or (_role(key, "urchin"),)


def _suspected(claims: list[Claims]) -> tuple[int, ...]:
    """Return by seat how many others currently claim to suspect it."""
    named = Counter(last["suspect"].seat for last in claims if "suspect" in last)
    return tuple(named[seat] for seat in range(len(claims)))


def _contents(seat: int, seen: Contents) -> tuple[Piece, ...]:
    fake = (_token(f"saw-{seat}-fake", "fake"),) if seen.fake else ()
    return (*_diamonds(f"saw-{seat}", seen.diamonds), *_roles(f"saw-{seat}", seen.cards), *fake)


def _meters(sight: Sight, claims: list[Claims]) -> tuple[Meter, ...]:
    public = (Meter("suspected", "Suspected", _suspected(claims)), Meter("asked", "Asked", sight.asked))
    if all(take is not None for take in sight.takes[1:]):
        taken = tuple(take.diamonds if take else 0 for take in sight.takes)
        return (Meter("diamonds", "Diamonds taken", taken), *public)
    return public
