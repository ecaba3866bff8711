"""Pages of matches by hand: the list, the form to start one, and the endpoint of a seat."""

from __future__ import annotations

from typing import Any

import msgspec
from django import forms
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache

from bots.opponents import NotThere, Opponents, bot_opponent, house_opponent, list_opponents
from foundation.games import games
from foundation.throttles import person_of, throttled
from foundation.tongues import spoken
from foundation.words import asks
from frontend.pages.shared import found
from ftk_core.fold import AnyGame
from ftk_core.game import StandardOptions
from ftk_core.games import game
from replays.by_hand import NotAnswered, answer
from replays.friendlies import NotOrdered
from replays.offers import read_hint, read_offer
from replays.sittings import list_sittings, sit_down

CLOCKS = (
    ("", _("as long as you like, over days if need be")),
    ("30000", _("30 seconds for each choice")),
    ("120000", _("2 minutes for each choice")),
    ("86400000", _("a day for each choice")),
)
ANY = "any"


class SittingForm(forms.Form):
    """Form of a match by hand: table and opponents."""

    seats = forms.TypedChoiceField(coerce=int, label=_("Seats at the table"))
    seat = forms.ChoiceField(label=_("Your seat"))
    house = forms.MultipleChoiceField(required=False, label=_("Bots of the house"), widget=forms.CheckboxSelectMultiple)
    bots = forms.CharField(
        required=False,
        max_length=600,
        label=_("Other bots, by name"),
        help_text=_("Separated by commas. With fewer opponents than seats they sit down several times."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "list": "opponents"}),
    )
    clock = forms.ChoiceField(choices=CLOCKS, required=False, label=_("Your time"))
    options = forms.CharField(
        required=False,
        max_length=2000,
        label=_("Options"),
        help_text=_("JSON, as the rules name them; empty is the rule book."),
    )

    def __init__(self, rules: AnyGame, there: Opponents, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rules = rules
        most = rules.seats.stop - 1
        self._choose("seats", [(str(number), str(number)) for number in rules.seats])
        self._choose("seat", [(ANY, "any"), *((str(seat), str(seat)) for seat in range(most))])
        self._choose("house", [(name, name) for name in there.house])
        self.fields["house"].initial = there.house[:1]
        if rules.options is StandardOptions:
            del self.fields["options"]

    def _choose(self, name: str, choices: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def clean(self) -> dict[str, Any]:
        """Refuse a seat that the table does not have, and a table without opponents."""
        said: dict[str, Any] = super().clean() or {}
        seats, seat = said.get("seats"), said.get("seat", ANY)
        if seats and seat != ANY and int(seat) >= seats:
            self.add_error(
                "seat", _("A table of %(seats)s has the seats 0 to %(seats2)s.") % {"seats": seats, "seats2": seats - 1}
            )
        if not said.get("house") and not self._named(said):
            self.add_error("house", _("Choose one opponent at least."))
        return said

    def _named(self, said: dict[str, Any]) -> list[str]:
        return [name.strip() for name in said.get("bots", "").split(",") if name.strip()]

    def sit_down(self, person: User) -> str:
        """Order the match; return its id. Raises NotThere, NotOrdered, ValueError."""
        said, name = self.cleaned_data, self.rules.name
        bots = [bot_opponent(name, slug) for slug in self._named(said)[: said["seats"] - 1]]
        opponents = [*(house_opponent(name, bot) for bot in said["house"]), *bots]
        others = [opponents[number % len(opponents)] for number in range(said["seats"] - 1)]
        seat = None if said["seat"] == ANY else int(said["seat"])
        hand_ms = int(said["clock"]) if said["clock"] else None
        return sit_down(person, name, others, seat, options=said.get("options", ""), hand_ms=hand_ms)


def _signed_in(request: HttpRequest) -> User | HttpResponse:
    if isinstance(request.user, User):
        return request.user
    return redirect(f"{reverse('account_login')}?{urlencode({'next': request.path})}")


@never_cache
def page(request: HttpRequest) -> HttpResponse:
    """Show the games, and the person's matches by hand."""
    person = _signed_in(request)
    if isinstance(person, HttpResponse):
        return person
    return render(request, "frontend/play.html", {"games": games(), "sittings": list_sittings(person)})


@throttled("play", by=person_of)
@never_cache
@found
def sitting(request: HttpRequest, name: str) -> HttpResponse:
    """Show the possible opponents and options; a POST starts a match and redirects to it."""
    rules, person = game(name), _signed_in(request)
    if isinstance(person, HttpResponse):
        return person
    there = list_opponents(name)
    form = SittingForm(rules, there, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            return redirect("match", form.sit_down(person))
        except NotThere as error:
            form.add_error("bots", f"{error}.")
        except (NotOrdered, ValueError) as error:
            form.add_error(None, f"{error}.")
    context = {"game": rules, "form": form, "bots": there.bots, "games": games()}
    return render(request, "frontend/sitting.html", context, status=400 if form.is_bound else 200)


@asks("lang", "hint")
@throttled("seat", by=person_of)
@never_cache
@found
def seat(request: HttpRequest, match_id: str, number: int) -> HttpResponse:
    """Return the question at a person's seat; a POST answers it with `number` and `index`."""
    if not isinstance(request.user, User):
        raise Http404(_("nobody sits there who is you"))
    if request.method == "POST":
        return _answered(request, request.user, match_id, number)
    offer = read_offer(match_id, number, request.user, spoken())
    told = msgspec.to_builtins(offer)
    if "hint" in request.GET and offer.asked:
        told["hint"] = read_hint(match_id, number, request.user)
    return JsonResponse(told)


def _answered(request: HttpRequest, person: User, match_id: str, seat: int) -> HttpResponse:
    said = {word: request.POST.get(word, "") for word in ("number", "index")}
    wrong = [word for word, text in said.items() if not (text.isascii() and text.isdecimal() and len(text) < 9)]
    if wrong:
        return JsonResponse(
            {"code": "no_number", "detail": gettext("%(word)s is a whole number") % {"word": wrong[0]}}, status=400
        )
    try:
        answer(match_id, seat, int(said["number"]), int(said["index"]), person)
    except NotAnswered as error:
        return JsonResponse({"code": error.code, "detail": str(error)}, status=409)
    return JsonResponse({"answered": True})
