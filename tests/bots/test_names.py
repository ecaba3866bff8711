"""A bot's name is the same to everybody: what one door takes, all take."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bots import services
from bots.api import UploadSerializer
from bots.models import Bot
from frontend.pages.account import UploadForm
from ftk_core.kit.archive import BadUpload
from ftk_core.kit.house import house_bots
from ftk_core.kit.names import is_bot_name
from ftk_core.kit.upload import Refused, send
from tests.support.factories import AuthorFactory
from tournaments.demo import NIGHTS, SHOWS, house_entries

pytestmark = pytest.mark.django_db

GOOD = house_bots("pig")["hold20"]
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
    return "bot" not in UploadForm({"game": "pig", "bot": name}, files).errors


def kit(name: str) -> bool:
    """The file is not there, which is found out behind the name."""
    with pytest.raises(Refused) as refused:
        send("http://127.0.0.1:1", "t0ken", "pig", name, GOOD.with_name("nothing"))
    return "no file or folder" in str(refused.value)


def demo(name: str) -> bool:
    owner = AuthorFactory.create()
    try:
        services.take_in(owner, "pig", name, GOOD.name, GOOD.read_bytes(), of_the_house=True)
    except BadUpload as error:
        return error.code != "bad_name"
    return True


def database(name: str) -> bool:
    try:
        Bot(slug=name, game="pig").full_clean(exclude=("owner",), validate_unique=False)
    except ValidationError as error:
        return "slug" not in error.message_dict
    return True


DOORS: list[Callable[[str], bool]] = [api, page, kit, demo, database]


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
def test_what_one_door_takes_for_a_name_all_take(name: str) -> None:
    assert {door.__name__: door(name) for door in DOORS} == {door.__name__: is_bot_name(name) for door in DOORS}


def test_the_bots_of_the_house_have_such_names() -> None:
    names = [slug for night in (*NIGHTS, *SHOWS) for slug, _ in house_entries(night)]
    assert names
    assert [name for name in names if not is_bot_name(name)] == []
