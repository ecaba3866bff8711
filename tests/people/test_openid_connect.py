"""Sign-in through an OpenID Connect service, if one is configured."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import User
from django.test import Client

from people.models import SignIn
from tests.support.openid import CLIENT, SECRET, other_service
from tests.support.processes import read_database_url

pytestmark = pytest.mark.django_db(transaction=True)
ASKED = """
import re, sys
import django
django.setup()
from urllib.request import HTTPRedirectHandler, build_opener
from urllib.error import HTTPError
from django.conf import settings
from django.test import Client
settings.ALLOWED_HOSTS = ["testserver"]
settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"

class Stays(HTTPRedirectHandler):
    def redirect_request(self, *words):
        return None

def leads(address):
    try:
        build_opener(Stays()).open(address)
    except HTTPError as answer:
        return answer.headers["Location"]

client = Client()
page = client.get("/sign-in/")
form = re.search(r'action="(/sign-in/with/[^"]+)"', page.content.decode())[1]
print(page.headers["Content-Security-Policy"].partition("form-action ")[2].partition(";")[0])
print(client.get(form).status_code, "for a GET")
back = leads(client.post(form).headers["Location"])
print(client.get(back.replace("state=", "state=not")).status_code, "for a state of nobody's")
answer = client.get(back)
print(answer.headers.get("Location", "no further"))
answer = client.post("/account/services/signup/", {"username": sys.argv[1], "email": "ada@example.com"})
print(answer.headers.get("Location", "no further"))
"""


def asked(service: str, name: str = "ada", **more: str) -> list[str]:
    """Return the lines of the page that a visitor sees after signing in at the service."""
    told = {"FTK_OIDC_ID": CLIENT, "FTK_OIDC_SECRET": SECRET, "FTK_OIDC_NAME": "The Other", "FTK_OIDC_URL": service}
    environment = {**os.environ, "DATABASE_URL": read_database_url(), **told, **more}
    done = subprocess.run(
        [sys.executable, "-c", ASKED, name], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.nightly
def test_a_person_signs_up_and_in_through_openid_connect() -> None:
    with other_service() as service:
        lines = asked(service, FTK_SIGNUP="open")
        assert lines[0] == f"'self' {service}", "the policy of the pages lets a form lead there"
        assert lines[1:3] == ["200 for a GET", "401 for a state of nobody's"]
        assert lines[3:] == ["/account/services/signup/", "/account/"]
        assert asked(service, FTK_SIGNUP="open")[3] == "/account/", "the second time there is nothing to choose"
    assert SocialAccount.objects.get().user.username == User.objects.get().username == "ada"
    assert set(SignIn.objects.values_list("way", flat=True)) == {"oidc"}


@pytest.mark.slow
def test_sign_up_through_openid_connect_needs_an_invitation_if_the_settings_require_one() -> None:
    with other_service() as service:
        assert asked(service, FTK_SIGNUP="invite")[3:] == ["no further", "/sign-in/"]
    assert not User.objects.exists()


@pytest.mark.slow
def test_openid_connect_sign_in_does_not_take_over_an_account_with_the_same_email_address() -> None:
    ada = User.objects.create_user("other", "ada@example.com")
    EmailAddress.objects.create(user=ada, email="ada@example.com", verified=True, primary=True)
    with other_service() as service:
        assert "/account/" not in asked(service, FTK_SIGNUP="open")[3:]
    assert not SocialAccount.objects.exists()
    assert not SignIn.objects.exists()


def test_the_sign_in_page_offers_no_openid_connect_if_no_provider_is_configured(client: Client) -> None:
    page: Any = client.get("/sign-in/")
    assert "/sign-in/with/" not in page.content.decode()
    assert client.get("/sign-in/with/github/login/").status_code == 404
