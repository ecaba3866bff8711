"""URL patterns under ``/api/v1/webhooks/``."""

from __future__ import annotations

from django.urls import path

from notices import api

urlpatterns = [
    path("", api.WebhooksView.as_view(), name="api-webhooks"),
    path("<int:number>/", api.WebhookView.as_view(), name="api-webhook"),
    path("<int:number>/test/", api.TestView.as_view(), name="api-webhook-test"),
    path("<int:number>/rotate/", api.RotateView.as_view(), name="api-webhook-rotate"),
    path("<int:number>/enable/", api.EnableView.as_view(), name="api-webhook-enable"),
    path("<int:number>/deliveries/", api.DeliveriesView.as_view(), name="api-deliveries"),
    path("<int:number>/deliveries/<slug:key>/replay/", api.ReplayView.as_view(), name="api-replay"),
]
