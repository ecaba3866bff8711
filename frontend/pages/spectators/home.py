"""Home page: what is live, which leagues begin next, who leads each game, and how to join."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from foundation.game_titles import translate_game_text
from frontend.drawing.rulebook import read_rulebook
from tournaments.reports.home_page_content import read_front_page


def page(request: HttpRequest) -> HttpResponse:
    """Show the front page with live matches, current leagues and games."""
    front = read_front_page(timezone.now())
    stage, leader = front.live[0] if front.live else (None, "")
    games = [(card, translate_game_text(read_rulebook(card.name).first, card.name)) for card in front.games]
    context = {"front": front, "stage": stage, "leader": leader, "games": games}
    return render(request, "frontend/home.html", context)
