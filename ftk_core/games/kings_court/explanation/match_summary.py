"""Sentences that summarise the state and the end of a Kings Court match."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ftk_core.games.kings_court.explanation.claim_contradictions import role_of_take
from ftk_core.games.kings_court.explanation.explanation_templates import fill
from ftk_core.games.kings_court.player_view import PlayerView
from ftk_core.games.kings_court.roles_and_options import APPRENTICE, GUARD, THIEF, URCHIN
from ftk_core.views.scene import Layout, ScenePiece, SceneZone


def draw_texts(key: str, layout: Layout, texts: Iterable[str], tag: str) -> SceneZone | None:
    """Return an area of the drawn game table that lists these texts, or None if there are no texts."""
    # Pages find the tooltip of a text by `tag`.
    pieces = tuple(
        ScenePiece(key=f"{key}-{number}", kind="text", face=key, label=text, tags=(tag,))
        for number, text in enumerate(texts)
    )
    return SceneZone(key=key, label=fill(key), layout=layout, pieces=pieces) if pieces else None


def list_summary_zones(sight: PlayerView) -> list[SceneZone]:
    """Return the areas of the drawn game table that summarise the match."""
    zones = (
        draw_texts("standing", "lines", _list_sentences(sight), "standing"),
        _draw_way(sight),
        draw_texts("accusations", "list", _list_verdicts(sight), "accusation"),
    )
    return [zone for zone in zones if zone is not None]


def _draw_way(sight: PlayerView) -> SceneZone:
    """Draw how the box went from player to player, and who gets it next."""
    made = sight.seats if sight.took_place else sight.at
    steps = range(made if sight.took_place else made + 1)
    pieces = []
    for seat in steps:
        to, state = (seat + 1) % sight.seats, "passed" if seat < made else "next"
        text = fill(f"way_{state}", seat, to)
        tags = (f"way:{state}", f"from:{seat}", f"to:{to}")
        pieces.append(ScenePiece(key=f"way-{seat}", kind="text", face=state, label=text, tags=tags))
    return SceneZone(key="way", label=fill("way"), layout="ring", pieces=tuple(pieces))


def _list_sentences(sight: PlayerView) -> Iterator[str]:
    if sight.ending:
        yield from _list_end_sentences(sight)
    elif sight.step == "hide":
        yield fill("hide")
    elif not sight.took_place:
        yield fill("passed", max(sight.at - 1, 0), sight.seats - 1, sight.at)
        yield fill("nobody_accused")
    else:
        yield from _list_court_sentences(sight)


def _list_court_sentences(sight: PlayerView) -> Iterator[str]:
    """Yield sentences about the King's search for the stolen diamonds."""
    if sight.accused is not None:
        yield fill("accuses", sight.accused)
    elif sight.answering is not None:
        yield fill("asks", sight.answering.seat)
    else:
        yield fill("back")
    if sight.stolen is None:
        yield fill("recovered", sight.recovered)
    else:
        yield fill("missing", sight.stolen - sight.recovered, sight.stolen)
    if sight.accusations:
        accused = {accusation.seat for accusation in sight.accusations}  # a fake may be shown before (K12)
        right = sum(_diamonds_of(sight, seat) > 0 for seat in accused)
        yield fill("accused_count", len(sight.accusations), right)
    else:
        yield fill("nobody_accused")
    yield fill("gifts", sight.gifts) if sight.gifts else fill("no_gifts")


def _diamonds_of(sight: PlayerView, seat: int) -> int:
    """Return the diamonds that an accused player had to give back, or 0."""
    take = sight.takes[seat]
    return take.diamonds if take is not None and sight.revealed[seat] else 0


def end_sentence(sight: PlayerView) -> str:
    """Return why the game ended, in one sentence."""
    return next(_list_end_sentences(sight))


def _list_end_sentences(sight: PlayerView) -> Iterator[str]:
    """Yield the reason why the game ended, then the reason why each winner won."""
    if sight.ending == "king":
        yield fill("end_king", sight.recovered) if sight.recovered else fill("end_king_nothing")
        yield fill("end_peasants")
        for seat in sight.winners:
            if (take := sight.takes[seat]) is not None and take.card == GUARD:
                yield fill("end_with_king", seat)
    else:
        with_king = sight.ending == "princess" and 0 in sight.winners
        yield fill(f"end_{sight.ending}{'_king' if with_king else ''}", sight.accusations[-1].seat)
    if sight.ending == "exile":
        yield from _list_richest_winners(sight)
    for seat in sight.winners:
        if (take := sight.takes[seat]) is not None and take.card == APPRENTICE:
            yield fill("end_apprentice", seat, seat - 1)


def _list_richest_winners(sight: PlayerView) -> Iterator[str]:
    """Yield a sentence for each winner after the King was exiled."""
    # Street Urchins took neither diamonds nor a card, and win with the Thieves.
    roles = {seat: role_of_take(take) for seat in sight.winners if (take := sight.takes[seat]) is not None}
    if THIEF not in roles.values():
        yield fill("end_no_thief")
    for seat, role in roles.items():
        if role == THIEF and (take := sight.takes[seat]) is not None:
            yield fill("end_thief", seat, take.diamonds)
        elif role == URCHIN:
            yield fill("end_urchin", seat)


def _list_verdicts(sight: PlayerView) -> Iterator[str]:
    """Yield a sentence about the result of each accusation, the oldest first."""
    for number, accusation in enumerate(sight.accusations, 1):
        seat, last = accusation.seat, number == len(sight.accusations)
        take, again = sight.takes[seat], any(later.seat == seat for later in sight.accusations[number:])
        if take is not None and not again and (sight.revealed[seat] or (sight.ending and last)):
            role = role_of_take(take)
            yield fill("right", seat, take.diamonds) if role == THIEF else fill(f"wrong_{role}", seat)
        elif last and sight.accused == seat:
            yield fill("pending", seat)
        else:
            yield fill("shown", seat)
