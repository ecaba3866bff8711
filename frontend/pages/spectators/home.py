"""Home page: what is live, which leagues begin next, who leads each game, and how to join."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from foundation.game_titles import translate_game_text
from foundation.query_parameters import query_parameters
from frontend.drawing.rulebook import read_rulebook
from tournaments.reports.home_page_content import read_front_page


@query_parameters("stage")
def page(request: HttpRequest) -> HttpResponse:
    """Show the front page with live matches, current leagues and games.

    By default, the page shows the first live match in a viewer. When htmx polls the page, the query parameter `stage`
    is the id of the match in the viewer, or ``none`` if there is no viewer.
    """
    wanted = request.GET.get("stage", "")
    front = read_front_page(timezone.now(), wanted)
    shown = wanted or (front.live[0][0].id if front.live else "")
    stage, leader = next(((match, ahead) for match, ahead in front.live if match.id == shown), (None, ""))
    others = [(match, ahead) for match, ahead in front.live if match.id != shown]
    games = [(card, translate_game_text(read_rulebook(card.name).first, card.name)) for card in front.games]
    context = {"front": front, "stage": stage, "others": others, "leader": leader, "games": games}
    return render(request, "frontend/home.html", context)
