"""What is answered to a request that cannot be: its fault by name, for people and for programs."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.defaults import page_not_found

from foundation.problems import for_programs, problem


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 400 with what is wrong."""
    said = str(exception)[:300]
    if for_programs(request):
        return problem(400, said)
    return render(request, "400.html", {"said": said}, status=400)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 404: a program with a problem."""
    if for_programs(request):
        return problem(404, "nothing has this address; /api/v1/schema/ lists what has")
    return page_not_found(request, exception)
