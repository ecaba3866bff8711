"""Pages for matches that a person plays in the browser."""

from __future__ import annotations

from typing import Any

import msgspec
from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from bots.api.token_scope_permissions import check_session
from bots.versions.bot_opponents_for_humans import (
    BotOpponentChoices,
    OpponentUnavailable,
    find_bot_opponent,
    get_built_in_opponent,
    list_opponents,
)
from foundation.game_titles import games
from foundation.message_translation import with_full_stop
from foundation.query_parameters import query_parameters
from foundation.ratelimits.limits import rate_limited, request_subject
from foundation.response_language import active_language
from frontend.pages.game_option_fields import check_option_fields, encode_options, make_option_fields
from frontend.pages.http_error_conversion import handle_missing
from ftk_core.games import game
from ftk_core.match_state_from_log import AnyGame
from replays.human_play.friendly_matches import MatchRequestRefusedError
from replays.human_play.hints import read_hint
from replays.human_play.human_matches import list_hand_matches, order_hand_match, order_rematch
from replays.human_play.human_question_display import read_question_display
from replays.human_play.questions_to_humans import HumanAnswerRefusedError, store_answer

CLOCKS = (
    ("", _("as long as you like, over days if need be")),
    ("30000", _("30 seconds for each choice")),
    ("120000", _("2 minutes for each choice")),
    ("86400000", _("a day for each choice")),
)
ANY_SEAT = "any"


class HumanMatchForm(forms.Form):
    """Form for a new match that a person plays in the browser."""

    seats = forms.TypedChoiceField(coerce=int, label=_("Seats at the table"))
    seat = forms.ChoiceField(label=_("Your seat"))
    house = forms.MultipleChoiceField(required=False, label=_("Built-in bots"), widget=forms.CheckboxSelectMultiple)
    bots = forms.CharField(
        required=False,
        max_length=600,
        label=_("Other bots, by name"),
        help_text=_("Separated by commas. With fewer opponents than seats they sit down several times."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "list": "opponents"}),
    )
    clock = forms.ChoiceField(choices=CLOCKS, required=False, label=_("Your time"))

    def __init__(self, rules: AnyGame, opponents: BotOpponentChoices, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rules = rules
        most = rules.seats.stop - 1
        self._add_choice("seats", [(str(number), str(number)) for number in rules.seats])
        self._add_choice("seat", [(ANY_SEAT, gettext("any")), *((str(seat), str(seat)) for seat in range(most))])
        self._add_choice("house", [(name, name) for name in opponents.house])
        self.fields["house"].initial = opponents.house[:1]
        self.fields |= make_option_fields(rules)

    def _add_choice(self, name: str, choices: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def clean(self) -> dict[str, Any]:
        """Add an error for impossible seats, opponents or game options."""
        cleaned: dict[str, Any] = super().clean() or {}
        seats, seat = cleaned.get("seats"), cleaned.get("seat", ANY_SEAT)
        if seats and seat != ANY_SEAT and int(seat) >= seats:
            self.add_error(
                "seat", _("A table of %(seats)s has the seats 0 to %(seats2)s.") % {"seats": seats, "seats2": seats - 1}
            )
        opponents = len(cleaned.get("house", [])) + len(self._find_bots(cleaned))
        if not opponents:
            self.add_error("house", _("Choose one opponent at least."))
        if seats and opponents >= seats:
            message = _(
                "You chose %(chosen)s opponents, but a table with %(seats)s seats has room for only %(free)s."
                " Choose fewer opponents, or more seats."
            )
            self.add_error("house", message % {"seats": seats, "free": seats - 1, "chosen": opponents})
        if seats:
            check_option_fields(self, self.rules, seats)
        return cleaned

    def _find_bots(self, cleaned: dict[str, Any]) -> list[str]:
        return [name.strip() for name in cleaned.get("bots", "").split(",") if name.strip()]

    def create_match_from_form(self, person: User) -> str:
        """Create the match and return its id.

        Raises OpponentUnavailable if a chosen bot cannot play, MatchRequestRefusedError if the person may not order the
        match, or ValueError if the seats or options are invalid.
        """
        said, name = self.cleaned_data, self.rules.name
        bots = [find_bot_opponent(name, slug) for slug in self._find_bots(said)]
        opponents = [*(get_built_in_opponent(name, bot) for bot in said["house"]), *bots]
        others = [opponents[number % len(opponents)] for number in range(said["seats"] - 1)]
        seat = None if said["seat"] == ANY_SEAT else int(said["seat"])
        hand_ms = int(said["clock"]) if said["clock"] else None
        options = encode_options(self.rules, said)
        return order_hand_match(person, name, others, seat, options=options, hand_ms=hand_ms)


def _require_user(request: HttpRequest, after: str = "") -> User | HttpResponse:
    """Return the signed-in person, or a redirect to the sign-in page."""
    if isinstance(request.user, User):
        return request.user
    return redirect_to_login(after or request.path)


@never_cache
def page(request: HttpRequest) -> HttpResponse:
    """Show the games that can be played in the browser, and the person's own matches."""
    person = _require_user(request)
    if isinstance(person, HttpResponse):
        return person
    return render(request, "frontend/play.html", {"games": games(), "sittings": list_hand_matches(person)})


@rate_limited("play", by=request_subject)
@never_cache
@handle_missing
def start_match(request: HttpRequest, name: str) -> HttpResponse:
    """Show the form for a new match of a game, or create the match."""
    rules, person = game(name), _require_user(request)
    if isinstance(person, HttpResponse):
        return person
    if request.method == "POST":
        check_session(request, "play")
    there = list_opponents(name)
    form = HumanMatchForm(rules, there, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            return redirect("match", form.create_match_from_form(person))
        except OpponentUnavailable as error:
            form.add_error("bots", with_full_stop(error))
        except (MatchRequestRefusedError, ValueError) as error:
            form.add_error(None, with_full_stop(error))
    context = {"game": rules, "form": form, "bots": there.bots, "games": games()}
    return render(request, "frontend/sitting.html", context, status=400 if form.is_bound else 200)


@require_POST
@rate_limited("play", by=request_subject)
@handle_missing
def start_rematch(request: HttpRequest, match_id: str) -> HttpResponse:
    """Create a match with the seats and opponents of an ended match."""
    person = _require_user(request, reverse("match", args=[match_id]))
    if isinstance(person, HttpResponse):
        return person
    check_session(request, "play")
    try:
        return redirect("match", order_rematch(person, match_id))
    except MatchRequestRefusedError as error:
        messages.error(request, with_full_stop(error))
        return redirect("match", match_id)


@query_parameters("lang", "hint")
@rate_limited("seat", by=request_subject)
@never_cache
@handle_missing
def seat(request: HttpRequest, match_id: str, number: int) -> HttpResponse:
    """Return the next decision of a person in a match as JSON, with the legal actions. A POST makes the decision."""
    # The query parameter `hint` adds the index of the action that a strong player would choose. In a POST, `number` is
    # the number of the decision in the match, and `index` the position of the action in the menu.
    if not isinstance(request.user, User):
        raise Http404(_("you do not play this seat; sign in as the person who does"))
    if request.method == "POST":
        check_session(request, "play")
        return _answer_question(request, request.user, match_id, number)
    offer = read_question_display(match_id, number, request.user, active_language())
    told = msgspec.to_builtins(offer)
    if "hint" in request.GET and offer.asked:
        told["hint"] = read_hint(match_id, number, request.user)
    return JsonResponse(told)


def _answer_question(request: HttpRequest, person: User, match_id: str, seat: int) -> HttpResponse:
    said = {word: request.POST.get(word, "") for word in ("number", "index")}
    wrong = [word for word, text in said.items() if not (text.isascii() and text.isdecimal() and len(text) < 9)]
    if wrong:
        return JsonResponse(
            {"code": "no_number", "detail": gettext("%(word)s is a whole number") % {"word": wrong[0]}}, status=400
        )
    try:
        store_answer(match_id, seat, int(said["number"]), int(said["index"]), person)
    except HumanAnswerRefusedError as error:
        return JsonResponse({"code": error.code, "detail": str(error)}, status=409)
    return JsonResponse({"answered": True})
