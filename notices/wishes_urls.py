"""URL patterns under ``/api/v1/notices/``."""

from __future__ import annotations

from django.urls import path

from notices.wishes_api import NoticesView, ReadView, WishesView

urlpatterns = [
    path("", NoticesView.as_view(), name="api-notices"),
    path("read/", ReadView.as_view(), name="api-notices-read"),
    path("wishes/", WishesView.as_view(), name="api-wishes"),
]
