"""URL patterns for sign-up, sign-in and account pages, with the views of allauth."""

from __future__ import annotations

from typing import Any

from allauth.account import views
from allauth.mfa.urls import urlpatterns as second_factors
from allauth.socialaccount import app_settings
from django.urls import include, path

from foundation.query_parameters import ANY_PARAMETER
from people.account_views import REDIRECT_PARAMETERS, wrap_urls, wrap_view

urlpatterns: list[Any] = [
    path("sign-in/", wrap_view(views.login, *REDIRECT_PARAMETERS, scope="sign-in", public=True), name="account_login"),
    path("sign-in/inactive/", wrap_view(views.account_inactive, public=True), name="account_inactive"),
    path("sign-out/", wrap_view(views.logout, *REDIRECT_PARAMETERS, public=True), name="account_logout"),
    path(
        "sign-up/", wrap_view(views.signup, *REDIRECT_PARAMETERS, scope="sign-up", public=True), name="account_signup"
    ),
    path(
        "sign-up/confirm/",
        wrap_view(views.email_verification_sent, *REDIRECT_PARAMETERS, scope="sign-in", public=True),
        name="account_email_verification_sent",
    ),
    path("account/email/", wrap_view(views.email, *REDIRECT_PARAMETERS, scope="sign-in"), name="account_email"),
    path(
        "account/confirm/",
        wrap_view(views.reauthenticate, *REDIRECT_PARAMETERS, scope="sign-in"),
        name="account_reauthenticate",
    ),
    path(
        "account/password/",
        wrap_view(views.password_change, *REDIRECT_PARAMETERS, scope="sign-in"),
        name="account_change_password",
    ),
    path(
        "account/password/set/",
        wrap_view(views.password_set, *REDIRECT_PARAMETERS, scope="sign-in"),
        name="account_set_password",
    ),
    path("account/safety/", include(wrap_urls(second_factors, "sign-in"))),
    path(
        "password/",
        wrap_view(views.password_reset, *REDIRECT_PARAMETERS, scope="reset", public=True),
        name="account_reset_password",
    ),
    path(
        "password/confirm/",
        wrap_view(views.confirm_password_reset_code, *REDIRECT_PARAMETERS, scope="sign-in", public=True),
        name="account_confirm_password_reset_code",
    ),
    path(
        "password/new/",
        wrap_view(views.complete_password_reset, *REDIRECT_PARAMETERS, scope="sign-in", public=True),
        name="account_complete_password_reset",
    ),
    path(
        "password/done/",
        wrap_view(views.password_reset_from_key_done, public=True),
        name="account_password_reset_completed",
    ),
]
if app_settings.PROVIDERS:
    from allauth.socialaccount.urls import urlpatterns as connections
    from allauth.urls import build_provider_urlpatterns

    urlpatterns += [
        path("account/services/", include(wrap_urls(connections, "sign-in"))),
        path("sign-in/with/", include(wrap_urls(build_provider_urlpatterns(), "sign-in", (ANY_PARAMETER,)))),
    ]
