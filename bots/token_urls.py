"""The addresses of tokens under ``/api/v1/``."""

from __future__ import annotations

from django.urls import path

from bots.token_api import DeviceTokenView, DeviceView, TokenView

urlpatterns = [
    path("device/", DeviceView.as_view(), name="device-code"),
    path("device/token/", DeviceTokenView.as_view(), name="device-token"),
    path("token/", TokenView.as_view(), name="token"),
]
