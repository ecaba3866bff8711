"""What is answered to a request that cannot be: its fault by name, for people and for programs."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 400 with what is wrong."""
    said = str(exception)[:300]
    if request.path.startswith("/api/"):
        return JsonResponse({"detail": said}, status=400)
    return render(request, "400.html", {"said": said}, status=400)
