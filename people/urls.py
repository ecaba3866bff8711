"""URL patterns of sign-up, sign-in and account pages, which are allauth's views."""

from __future__ import annotations

from typing import Any

from allauth.account import views
from allauth.mfa.urls import urlpatterns as second_factors
from allauth.socialaccount import app_settings
from django.urls import include, path

from foundation.words import ANYTHING
from people.doors import ONWARD, door, doors

urlpatterns: list[Any] = [
    path("sign-in/", door(views.login, *ONWARD, scope="sign-in"), name="account_login"),
    path("sign-in/inactive/", door(views.account_inactive), name="account_inactive"),
    path("sign-out/", door(views.logout, *ONWARD), name="account_logout"),
    path("sign-up/", door(views.signup, *ONWARD, scope="sign-up"), name="account_signup"),
    path(
        "sign-up/confirm/",
        door(views.email_verification_sent, *ONWARD, scope="sign-in"),
        name="account_email_verification_sent",
    ),
    path("account/email/", door(views.email, *ONWARD, scope="sign-in"), name="account_email"),
    path("account/confirm/", door(views.reauthenticate, *ONWARD, scope="sign-in"), name="account_reauthenticate"),
    path("account/password/", door(views.password_change, *ONWARD, scope="sign-in"), name="account_change_password"),
    path("account/password/set/", door(views.password_set, *ONWARD, scope="sign-in"), name="account_set_password"),
    path("account/safety/", include(doors(second_factors, "sign-in"))),
    path("password/", door(views.password_reset, *ONWARD, scope="reset"), name="account_reset_password"),
    path(
        "password/confirm/",
        door(views.confirm_password_reset_code, *ONWARD, scope="sign-in"),
        name="account_confirm_password_reset_code",
    ),
    path(
        "password/new/",
        door(views.complete_password_reset, *ONWARD, scope="sign-in"),
        name="account_complete_password_reset",
    ),
    path("password/done/", door(views.password_reset_from_key_done), name="account_password_reset_completed"),
]
if app_settings.PROVIDERS:
    from allauth.socialaccount.urls import urlpatterns as connections
    from allauth.urls import build_provider_urlpatterns

    urlpatterns += [
        path("account/services/", include(doors(connections, "sign-in"))),
        path("sign-in/with/", include(doors(build_provider_urlpatterns(), "sign-in", (ANYTHING,)))),
    ]
