"""Templates: saved terms of leagues beside the kinds of leagues in the form for a new one."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User

from frontend.pages.organisers.league_form_sections import make_form
from frontend.pages.organisers.league_presets import is_copy_complete
from ftk_core.league.league_state import CommandRejected
from people.account_erasure import erase_person
from people.models import StaffAct
from people.person_roles import make_organiser
from tests.support.factories import AuthorFactory
from tests.support.league_entries import open_league
from tests.support.people import open_session
from tests.support.stages import build_opening_fact, stage
from tournaments.models.league_templates import LeagueTemplate
from tournaments.organisers.league_templates import (
    MAX_TEMPLATES,
    list_templates,
    remove_template,
    rename_template,
    save_template,
)
from tournaments.organisers.organiser_permission_checks import MissingRightError

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def olga() -> User:
    olga: User = AuthorFactory.create(username="olga")
    make_organiser(olga)
    terms = {"game": "kings_court", "seats": 6, "options": '{"fake": true}', "questions": ("Size? | S | M",)}
    open_league(by="olga", rounds=7, games=2, late=3, **terms)
    return olga


@pytest.mark.slow
def test_an_organiser_can_save_a_league_as_a_template_and_announce_another_league_from_it(olga: User) -> None:
    client = open_session(olga)
    assert 'href="/templates/?league=night"' in client.get("/leagues/night/").content.decode()
    assert 'value="Night"' in client.get("/templates/?league=night").content.decode()
    saved = client.post("/templates/", {"league": "night", "name": "Friday court"}, follow=True).content.decode()
    assert "The template is saved." in saved
    template = LeagueTemplate.objects.get()
    assert "olga" not in template.terms
    page = client.get("/leagues/new/").content.decode()
    assert re.search(rf'value="template-{template.pk}".*Friday court.*with the terms of Night\.', page)
    shown = {field.html_name: field.value() for field in make_form(None)}
    fill = {name: value for name, value in shown.items() if value not in ("", None, [], False) or name == "late"} | {
        "filled": "evening pig",
        "go": "fill",
    }
    fill |= {"preset": f"template-{template.pk}", "game": "pig"}
    filled = client.post("/leagues/new/", fill).content.decode()
    assert '<option value="kings_court" selected>' in filled
    assert f'name="filled" value="template-{template.pk} kings_court"' in filled
    for name, value in (("rounds", 7), ("seats", 6), ("games", 2), ("late", 3)):
        assert re.search(rf'name="{name}" value="{value}"', filled), name
    assert "Size? | S | M</textarea>" in filled
    kept = client.post("/leagues/new/", fill | {"filled": f"template-{template.pk} kings_court"}).content.decode()
    assert '<option value="pig" selected>' in kept, "the game can be changed afterwards"


@pytest.mark.slow
def test_only_its_creator_and_staff_can_rename_or_remove_a_league_template(olga: User) -> None:
    save_template(olga, "night", "Friday court")
    (saved,) = list_templates()
    other: User = AuthorFactory.create(username="otto")
    make_organiser(other)
    for forbidden in (lambda: rename_template(other, saved.id, "Mine"), lambda: remove_template(other, saved.id)):
        with pytest.raises(MissingRightError, match="only staff and the person who made the template do that"):
            forbidden()
    assert open_session(other).post("/templates/", {"remove": saved.id}).status_code == 403
    assert 'name="remove"' not in open_session(other).get("/templates/").content.decode()
    client = open_session(olga)
    assert client.post("/templates/", {"rename": saved.id, "name": " Court "}).status_code == 302
    assert [template.name for template in list_templates()] == ["Court"]
    staff: User = AuthorFactory.create(username="staff", is_staff=True)
    removed = open_session(staff).post("/templates/", {"remove": saved.id}, follow=True).content.decode()
    assert "The template is removed." in removed
    (act,) = StaffAct.objects.all()
    assert (act.by, act.what, act.on) == (staff, "template", f"template {saved.id}: remove Court")
    assert list_templates() == []
    assert (
        "there is no template" in open_session(staff).post("/templates/", {"remove": "x"}, follow=True).content.decode()
    )


def test_only_staff_and_organisers_of_a_league_can_save_its_settings_as_a_template(olga: User) -> None:
    other: User = AuthorFactory.create(username="otto")
    make_organiser(other)
    with pytest.raises(MissingRightError, match="only organisers of Night do that"):
        save_template(other, "night", "Theirs")
    save_template(AuthorFactory.create(username="staff", is_staff=True), "night", "Court")
    assert [template.made_by for template in list_templates()] == ["staff"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        (" ", "a template's name has 1 to 60 printable characters"),
        ("x" * 61, "a template's name has 1 to 60 printable characters"),
        ("a\nb", "a template's name has 1 to 60 printable characters"),
        ("Court", "there is a template 'Court' already; choose another name"),
    ],
)
def test_an_invalid_or_used_league_template_name_is_refused_with_the_remedy(olga: User, name: str, reason: str) -> None:
    save_template(olga, "night", "Court")
    with pytest.raises(CommandRejected) as refusal:
        save_template(olga, "night", name)
    assert str(refusal.value) == reason
    assert len(list_templates()) == 1


def test_the_number_of_league_templates_on_a_server_is_limited(olga: User) -> None:
    for number in range(MAX_TEMPLATES):
        save_template(olga, "night", f"Court {number}")
    with pytest.raises(CommandRejected, match="there are 20 templates already; remove one first"):
        save_template(olga, "night", "One more")


def test_a_league_template_remains_when_the_account_of_its_creator_is_erased(olga: User) -> None:
    save_template(olga, "night", "Court")
    erase_person(olga)
    assert [(template.name, template.made_by) for template in list_templates()] == [("Court", "")]


def test_the_api_lists_league_templates_with_settings_from_which_a_league_can_be_announced(olga: User) -> None:
    save_template(olga, "night", "Court")
    client = open_session(olga)
    (listed,) = client.get("/api/v1/leagues/new/templates/").json()
    assert listed["name"] == "Court"
    terms = listed["terms"] | {"slug": "next", "name": "Next"}
    answer = client.post("/api/v1/leagues/", terms, content_type="application/json")
    assert (answer.status_code, answer.json()["slug"]) == (201, "next")
    assert open_session(AuthorFactory.create()).get("/api/v1/leagues/new/templates/").status_code == 403


@pytest.mark.parametrize(
    ("first_stage", "knockout", "is_complete"),
    [
        (("swiss", "lot"), "entry", True),
        (("swiss", "rating"), "entry", True),
        (("swiss", "entry"), "entry", False),
        (("swiss", "lot"), "rating", False),
        (("swiss", "lot"), "lot", False),
        (("gauntlet", "entry"), "entry", True),
        (("gauntlet", "lot"), "entry", False),
        (("format of a removed plug-in", "lot"), "entry", False),
    ],
)
def test_a_template_counts_as_incomplete_if_the_form_cannot_show_the_seeding_of_its_stages(
    first_stage: tuple[str, str], knockout: str, *, is_complete: bool
) -> None:
    name, seeding = first_stage
    stages = (stage(name, rounds=3, seeding=seeding), stage("knockout", qualify=4, seeding=knockout))
    assert is_copy_complete(build_opening_fact(*stages)) is is_complete
