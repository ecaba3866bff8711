"""URL patterns under ``/api/v1/notices/``."""

from __future__ import annotations

from django.urls import path

from notices.api.notices import MarkReadView, NoticePreferencesView, NoticesView

urlpatterns = [
    path("", NoticesView.as_view(), name="api-notices"),
    path("read/", MarkReadView.as_view(), name="api-notices-read"),
    path("wishes/", NoticePreferencesView.as_view(), name="api-wishes"),
]
