"""Questions of a league at entry: terms, entry form, API, and access to the answers."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from bots.models import Bot, CoAuthor
from ftk_core.league.league_state import CommandRejected
from people.account_erasure import erase_person
from people.person_roles import make_organiser
from tests.support.factories import AuthorFactory
from tests.support.league_entries import create_own_version, open_league
from tests.support.leagues import play_all
from tournaments.leagues import finished_league_export, services
from tournaments.leagues.entry_questions import check_answers, parse_questions
from tournaments.leagues.queries import read_terms
from tournaments.models import League
from tournaments.models.entry_question_answers import EntryAnswers
from tournaments.models.organiser_roles import LeagueRole
from tournaments.personal_data_export import export_league_data

pytestmark = pytest.mark.django_db(transaction=True)
SIZE, TEAM = "Size? * | S | M | L", "Name of your team"
API = "/api/v1/leagues/night/entries/"


def sign_in(name: str, role: str = "", **more: Any) -> Client:
    """Return the browser of a new person, with a role in the league."""
    person: User = AuthorFactory.create(username=name, **more)
    if role:
        LeagueRole.objects.create(league=League.objects.get(), person=person, role=role)
    client = Client()
    client.force_login(person)
    return client


def enter_with_answers(*answers: str) -> tuple[Client, Any]:
    """Enter the bot ada through the API; return its author's browser and the response."""
    client = Client()
    client.force_login(create_own_version().bot.owner)
    return client, client.post(API, {"bot": "ada", "answers": list(answers)}, content_type="application/json")


def test_parsing_a_league_entry_question_gives_its_text_and_whether_it_is_required_and_its_choices() -> None:
    size, team = parse_questions([SIZE, TEAM])
    assert (size.text, size.required, size.choices) == ("Size?", True, ("S", "M", "L"))
    assert (team.number, team.text, team.required, team.choices) == (2, TEAM, False, ())


def test_choices_with_repeated_spaces_and_answers_with_zero_width_joiners_are_accepted() -> None:
    size, name = parse_questions(["Size?\u3000* | size  S | M", "Name?"])
    assert check_answers([size, name], ["size S", "\U0001f469\u200d\U0001f4bb"])[0] == "size S"


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["?"] * 6, "A league asks at most 5 questions (got 6)."),
        (["Size?", " * | S | M"], "Question 2 must have 1 to 200 printable characters."),
        (["x" * 201], "Question 1 must have 1 to 200 printable characters."),
        (["a\0b"], "Question 1 must have 1 to 200 printable characters."),
        (["Size? | S"], "Question 1 must have 2 to 20 different choices, or none."),
        (["Size? | S | S"], "Question 1 must have 2 to 20 different choices, or none."),
        ([f"Size? | S | {'x' * 201}"], "The choices of question 1 must have at most 200 characters each."),
        (["Size? | S | "], "Question 1 must have 2 to 20 different choices, or none."),
    ],
)
def test_a_league_with_an_invalid_entry_question_is_not_announced_and_the_error_states_the_limit(
    lines: list[str], reason: str
) -> None:
    with pytest.raises(CommandRejected) as refusal:
        open_league(questions=tuple(lines))
    assert str(refusal.value) == reason
    assert not League.objects.exists()


def test_a_league_with_entry_questions_can_be_announced_from_the_shell() -> None:
    call_command("league", "open", "cup", "pig", "--seats", "2", "--question", SIZE, "--question", TEAM)
    assert read_terms("cup").questions == (SIZE, TEAM)


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ([], "Answer the question “Size?” in 1 to 200 characters."),
        (["XS"], "The answer to “Size?” must be one of S, M, L (got 'XS')."),
        (["S", "x" * 201], "Answer the question “Name of your team” in 0 to 200 characters."),
        (["S", "North", "?"], "This league asks 2 questions, not 3."),
    ],
)
def test_an_invalid_answer_to_an_entry_question_is_refused_with_the_question_and_the_remedy(
    answers: list[str], reason: str
) -> None:
    with pytest.raises(CommandRejected) as refusal:
        check_answers(parse_questions([SIZE, TEAM]), answers)
    assert str(refusal.value) == reason


@pytest.mark.slow
def test_the_entry_page_asks_the_entry_questions_and_shows_the_entrant_their_answers() -> None:
    open_league(questions=(SIZE, TEAM))
    client = Client()
    client.force_login(create_own_version().bot.owner)
    page = client.get("/leagues/night/enter/").content.decode()
    assert "Size?" in page
    assert '<option value="M">M</option>' in page
    silent = client.post("/leagues/night/enter/", {"entrant": "ada 1"})
    assert (silent.status_code, EntryAnswers.objects.count()) == (400, 0)
    form = {"entrant": "ada 1", "answer-1": "M", "answer-2": "<b>North</b>"}
    entered = client.post("/leagues/night/enter/", form, follow=True).content.decode()
    assert "Size? <strong>M</strong> · Name of your team <strong>&lt;b&gt;North&lt;/b&gt;</strong>" in entered
    assert EntryAnswers.objects.get().answers == ["M", "<b>North</b>"]


def test_a_league_entry_through_the_api_must_answer_the_required_entry_questions() -> None:
    open_league(questions=(SIZE, TEAM))
    client, silent = enter_with_answers()
    assert (silent.status_code, silent.json()["detail"]) == (409, "Answer the question “Size?” in 1 to 200 characters.")
    answer = client.post(API, {"bot": "ada", "answers": ["S"]}, content_type="application/json")
    assert (answer.status_code, EntryAnswers.objects.get().answers) == (201, ["S", ""])


@pytest.mark.slow
def test_only_organisers_of_the_league_and_the_entrant_can_see_answers_to_entry_questions() -> None:
    open_league(questions=(SIZE, TEAM))
    owner, entered = enter_with_answers("L", "=1+1")
    assert entered.status_code == 201
    organiser = sign_in("olga", "organiser")
    co_author = sign_in("carl")
    bot, carl = Bot.objects.get(slug="ada"), User.objects.get(username="carl")
    CoAuthor.objects.create(bot=bot, person=carl, accepted_at=timezone.now())
    assert "ada-1" in co_author.get("/leagues/night/enter/").content.decode()
    others = [sign_in("judge", "judge"), sign_in("staff", is_staff=True), co_author, owner]
    listed = organiser.get(API).json()
    assert listed["entries"] == [
        {"entry": 1, "name": "ada-1", "author": "of-ada", "withdrawn": False, "answers": ["L", "=1+1"]}
    ]
    assert [question["text"] for question in listed["questions"]] == ["Size?", TEAM]
    sheet = organiser.get("/leagues/night/desk/entries.csv").content.decode()
    assert list(csv.reader(io.StringIO(sheet))) == [
        ["entry", "name", "author", "withdrawn", "1. Size?", "2. Name of your team"],
        ["1", "ada-1", "of-ada", "", "L", "'=1+1"],
    ]
    assert "=1+1" in organiser.get("/leagues/night/desk/").content.decode()
    for client in others:
        assert client.get(API).status_code == 403
        assert client.get("/leagues/night/desk/entries.csv").status_code == 403
    assert "=1+1" in owner.get("/leagues/night/enter/").content.decode()
    for client in (*others[:3], Client()):
        for path in ("/leagues/night/desk/", "/leagues/night/enter/", "/leagues/night/", "/api/v1/leagues/night/"):
            assert "=1+1" not in client.get(path).content.decode(), path


@pytest.mark.slow
def test_answers_to_entry_questions_are_not_in_the_league_export_and_are_erased_with_the_account(
    tmp_path: Path,
) -> None:
    league = open_league(questions=(TEAM,))
    _, entered = enter_with_answers("Team Northwind")
    assert entered.status_code == 201
    services.enter_bot(league.pk, create_own_version("bob"))
    services.start(league.pk)
    play_all(league)
    finished_league_export.export_league("night", tmp_path / "night.tar")
    exported = (tmp_path / "night.tar").read_bytes()
    assert TEAM.encode() in exported
    assert b"Northwind" not in exported
    ada = User.objects.get(username="of-ada")
    assert b"Team Northwind" in dict(export_league_data(ada))["entry_answers.json"]
    erase_person(ada)
    assert not EntryAnswers.objects.exists()
    assert league.entrants.count() == 2


def test_league_entry_questions_can_be_set_by_api_and_form_and_are_copied_to_a_new_league() -> None:
    olga: User = AuthorFactory.create(username="olga")
    make_organiser(olga)
    client = Client()
    client.force_login(olga)
    terms = {"slug": "night", "name": "Night", "game": "pig", "seats": 2, "rounds": 2, "questions": [SIZE]}
    assert client.post("/api/v1/leagues/", terms, content_type="application/json").status_code == 201
    assert client.get("/api/v1/leagues/night/terms/").json()["questions"] == [SIZE]
    page = client.get("/leagues/new/?like=night").content.decode()
    assert f"{SIZE}</textarea>" in page
    form = {"preset": "evening", "game": "pig", "name": "Day", "format": "swiss", "seats": "2", "rounds": "2"}
    form |= {"games": "1", "finalists": "0", "deals": "same", "scored": "matches", "rest": "win", "expected": "8"}
    form |= {"move_seconds": "1", "bank_seconds": "10", "pace_ms": "0", "who": "anybody", "per_author": "1"}
    form |= {"late": "0", "granted": "none", "tries": "2", "ruling": "share", "release": "at_once"}
    wrong = client.post("/leagues/new/", form | {"questions": "Size? | S"}).content.decode()
    assert "Question 1 must have 2 to 20 different choices, or none." in wrong
    answer = client.post("/leagues/new/", form | {"questions": f"{SIZE}\r\n\r\n {TEAM} \r\n"})
    assert answer.headers["Location"] == "/leagues/day/", answer.content.decode()
    assert read_terms("day").questions == (SIZE, TEAM)
