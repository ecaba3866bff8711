"""Forms of the run room: one for each act, with the fields of its verb and a reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from ftk_core.league.organising import LONGEST_ANNOUNCEMENT
from tournaments.desk import LONGEST_REASON
from tournaments.verbs import COMPOUND, DEEDS, DRAFTS

GROUPS = {
    _("The league"): ("start", "pause", "resume", "announce", "release", "extend", "end", "close"),
    _("The drafted round"): ("begin", "redraft", "exchange"),
    _("An entry"): ("enter", "withdraw", "return", "excuse", "disqualify", "forbid", "invite"),
    _("A match"): ("void", "again", "overrule"),
}
LABELS = {
    "start": _("Begin the league"),
    "pause": _("Pause"),
    "resume": _("Resume"),
    "announce": _("Announce"),
    "release": _("Release replays"),
    "extend": _("Extend or shorten the stage"),
    "end": _("End the stage"),
    "close": _("Close the league"),
    "begin": _("Begin the drafted round"),
    "redraft": _("Draft it again"),
    "exchange": _("Let two change places"),
    "enter": _("Late entry"),
    "withdraw": _("Withdraw"),
    "return": _("Bring back"),
    "excuse": _("Leave out of rounds"),
    "disqualify": _("Disqualify"),
    "forbid": _("Forbid a pairing"),
    "invite": _("Invite an author"),
    "void": _("Void"),
    "again": _("Void and play again"),
    "overrule": _("Overrule"),
}
WORDS = {
    "entry": _("Entry"),
    "one": _("One entry"),
    "other": _("The other"),
    "bot": _("Bot"),
    "author": _("Author's name"),
    "match": _("Match"),
    "places": _("Places by seat"),
    "rounds": _("Rounds"),
    "round": _("Round"),
    "text": _("Announcement"),
}
HELP = {
    "entry": _("its name or number"),
    "one": _("its name or number"),
    "other": _("its name or number"),
    "bot": _("its newest active version enters"),
    "places": _("such as 1 2 2"),
    "round": _("0 for all, those to come too"),
    "text": format_lazy(_("one line of at most {most} characters"), most=LONGEST_ANNOUNCEMENT),
}
ENTRIES = ("entry", "one", "other")
LONGEST = 150
MOST_DIGITS = 9


class ActForm(forms.Form):
    """Form of one act on a league, with its reason."""

    def __init__(
        self, verb: str, names: Sequence[str], sent: QueryDict | None = None, initial: dict[str, str] | None = None
    ) -> None:
        """Take `names`, the names of the entries, by their numbers from 1."""
        super().__init__(sent, auto_id=f"{verb}-%s", initial=initial)
        self.verb, self.label, self._names = verb, LABELS[verb], names
        known = {**DEEDS, **COMPOUND}
        self.what = known[verb][0] if verb in known else DRAFTS[verb][0]
        self._words: Mapping[str, Mapping[str, Any]] = known[verb][1] if verb in known else {}
        for name in self._words:
            self.fields[name] = self._field(name)
        if verb in known:
            self.fields["why"] = forms.CharField(
                max_length=LONGEST_REASON, label=_("Why"), help_text=_("everybody reads it")
            )

    @staticmethod
    def _field(name: str) -> forms.Field:
        longest = LONGEST_ANNOUNCEMENT if name == "text" else LONGEST
        field = forms.CharField(max_length=longest, label=WORDS[name], help_text=HELP.get(name, ""))
        if name in ENTRIES:
            field.widget.attrs |= {"list": "entries", "autocomplete": "off"}
        return field

    def clean(self) -> dict[str, Any]:
        """Parse numbers and names of entries."""
        said: dict[str, Any] = self.cleaned_data
        for name, how in self._words.items():
            if name in said and how.get("type") is int:
                parts = said[name].replace(",", " ").split() if "nargs" in how else [said[name].strip()]
                try:
                    numbers = [self._number(name, part) for part in parts]
                except forms.ValidationError as error:
                    self.add_error(name, error)
                else:
                    said[name] = numbers if "nargs" in how else numbers[0]
        return said

    def _number(self, name: str, text: str) -> int:
        if name in ENTRIES and text in self._names:
            return self._names.index(text) + 1
        if not (text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS):
            what = _("an entry's name or number") if name in ENTRIES else _("a whole number")
            raise forms.ValidationError(_("%(text)r is not %(what)s.") % {"text": text[:40], "what": what})
        return int(text)

    @property
    def told(self) -> dict[str, Any]:
        """The arguments of the act, without the reason."""
        return {name: self.cleaned_data[name] for name in self._words}


def groups_of(verbs: Sequence[str], names: Sequence[str], bound: ActForm | None, match: str = "") -> list[Any]:
    """Return the forms of these verbs by group: the submitted one bound, the others empty."""
    made = {
        verb: bound if bound and bound.verb == verb else ActForm(verb, names, initial={"match": match})
        for verb in verbs
    }
    groups = [(title, [made[verb] for verb in group if verb in made]) for title, group in GROUPS.items()]
    return [(title, some) for title, some in groups if some]
