"""Names of bots: every entry point accepts and refuses the same names."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from hypothesis import HealthCheck, example, given, settings, strategies as st

from bots import services
from bots.api.bots import UploadSerializer
from bots.models import Bot
from frontend.pages.authors.account import BotUploadForm
from ftk_core.kit.built_in_bots import list_built_in_bots
from ftk_core.kit.client.http_client import RequestError
from ftk_core.kit.client.upload import upload_bot
from ftk_core.kit.uploads.bot_names import is_bot_name
from ftk_core.kit.uploads.upload_error_hints import InvalidUploadError
from tests.support.factories import AuthorFactory
from tournaments.demo_leagues import DEMO_LEAGUES, DEMO_SHOWS, list_built_in_entries

pytestmark = pytest.mark.django_db

GOOD = list_built_in_bots("pig")["hold20"]
ALPHABET = "abz019-_AÄß \t\n\r\0./é٣\u2028"
NAMES = st.one_of(
    st.from_regex(r"[a-z0-9][a-z0-9-]{0,45}[\n\r\t ]?", fullmatch=True), st.text(ALPHABET, max_size=45), st.text()
)


def api(name: str) -> bool:
    form = UploadSerializer(data={"game": "pig", "bot": name, "file": SimpleUploadedFile("bot.py", b"pass")})
    form.is_valid()
    return "bot" not in form.errors


def page(name: str) -> bool:
    files = {"file": SimpleUploadedFile("bot.py", b"pass")}
    return "bot" not in BotUploadForm({"game": "pig", "bot": name}, files).errors


def kit(name: str) -> bool:
    """Check a name in the kit; the file does not exist, which the kit reports only after the name is valid."""
    with pytest.raises(RequestError) as refused:
        upload_bot("http://127.0.0.1:1", "t0ken", "pig", name, GOOD.with_name("nothing"))
    return "no file or folder" in str(refused.value)


def demo(name: str) -> bool:
    owner = AuthorFactory.create()
    try:
        services.accept_upload(owner, "pig", name, GOOD.name, GOOD.read_bytes(), built_in=True)
    except InvalidUploadError as error:
        return error.code != "bad_name"
    return True


def database(name: str) -> bool:
    try:
        Bot(slug=name, game="pig").full_clean(exclude=("owner",), validate_unique=False)
    except ValidationError as error:
        return "slug" not in error.message_dict
    return True


ENTRY_POINTS: list[Callable[[str], bool]] = [api, page, kit, demo, database]


@pytest.mark.slow
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(NAMES)
@example("ada\n")
@example(" ada")
@example("ada ")
@example("a" * 40)
@example("a" * 41)
@example("")
@example("-ada")
def test_the_api_the_web_page_the_command_line_and_the_database_accept_exactly_the_valid_bot_names(name: str) -> None:
    assert {entry_point.__name__: entry_point(name) for entry_point in ENTRY_POINTS} == {
        entry_point.__name__: is_bot_name(name) for entry_point in ENTRY_POINTS
    }


def test_all_built_in_bots_have_valid_names() -> None:
    names = [slug for night in (*DEMO_LEAGUES, *DEMO_SHOWS) for slug, _ in list_built_in_entries(night)]
    assert names
    assert [name for name in names if not is_bot_name(name)] == []
