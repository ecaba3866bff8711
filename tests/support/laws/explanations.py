"""Explanations that the viewer shows for the pieces of a game."""

from __future__ import annotations

from collections.abc import Mapping

from ftk_core.views.scene import ScenePiece


def explain_piece(piece: ScenePiece, about: Mapping[str, str]) -> list[str]:
    """Return the texts that explain a piece, such as a card.

    `about` maps tags, kinds of pieces and ``hidden`` to texts. Return the texts of the piece's tags. If no tag has a
    text, return the text of its kind. For a piece that lies face down, return the text of ``hidden`` instead.
    """
    texts = [about[tag] for tag in piece.tags if tag in about]
    other = piece.kind if piece.face else "hidden"
    return texts or ([about[other]] if other in about else [])
