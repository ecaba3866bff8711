"""URL patterns under ``/api/v1/webhooks/``."""

from __future__ import annotations

from django.urls import path

from notices.api import webhooks

urlpatterns = [
    path("", webhooks.WebhooksView.as_view(), name="api-webhooks"),
    path("<int:number>/", webhooks.WebhookView.as_view(), name="api-webhook"),
    path("<int:number>/test/", webhooks.WebhookTestMessageView.as_view(), name="api-webhook-test"),
    path("<int:number>/rotate/", webhooks.RotateSecretView.as_view(), name="api-webhook-rotate"),
    path("<int:number>/enable/", webhooks.EnableWebhookView.as_view(), name="api-webhook-enable"),
    path("<int:number>/deliveries/", webhooks.DeliveriesView.as_view(), name="api-deliveries"),
    path("<int:number>/deliveries/<slug:key>/replay/", webhooks.ResendDeliveryView.as_view(), name="api-replay"),
]
