"""The small forms of the run room: one for each act, its fields as its verb takes them, and why it is done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.http import QueryDict

from ftk_core.league.organising import LONGEST_ANNOUNCEMENT
from tournaments.desk import LONGEST_REASON
from tournaments.verbs import DEEDS, DRAFTS, REPLAYS

GROUPS = {
    "The league": ("start", "pause", "resume", "announce", "release", "extend"),
    "The drafted round": ("begin", "redraft", "exchange"),
    "An entry": ("enter", "withdraw", "return", "excuse", "disqualify", "forbid", "invite"),
    "A match": ("void", "again", "overrule"),
}
LABELS = {
    "start": "Begin the league",
    "pause": "Pause",
    "resume": "Resume",
    "announce": "Announce",
    "release": "Release replays",
    "extend": "Extend or shorten the stage",
    "begin": "Begin the drafted round",
    "redraft": "Draft it again",
    "exchange": "Let two change places",
    "enter": "Late entry",
    "withdraw": "Withdraw",
    "return": "Bring back",
    "excuse": "Leave out of rounds",
    "disqualify": "Disqualify",
    "forbid": "Forbid a pairing",
    "invite": "Invite an author",
    "void": "Void",
    "again": "Void and play again",
    "overrule": "Overrule",
}
WORDS = {
    "entry": "Entry",
    "one": "One entry",
    "other": "The other",
    "bot": "Bot",
    "author": "Author's name",
    "match": "Match",
    "places": "Places by seat",
    "rounds": "Rounds",
    "round": "Round",
    "text": "Announcement",
}
HELP = {
    "entry": "its name or number",
    "one": "its name or number",
    "other": "its name or number",
    "bot": "its newest active version enters",
    "places": "such as 1 2 2",
    "round": "0 for all, those to come too",
    "text": f"one line of at most {LONGEST_ANNOUNCEMENT} characters",
}
ENTRIES = ("entry", "one", "other")
LONGEST = 150
MOST_DIGITS = 9


class ActForm(forms.Form):
    """What must be told to do one thing to a league, and why."""

    def __init__(
        self, verb: str, names: Sequence[str], sent: QueryDict | None = None, initial: dict[str, str] | None = None
    ) -> None:
        """`names` are those of the entries, by their numbers from 1."""
        super().__init__(sent, auto_id=f"{verb}-%s", initial=initial)
        self.verb, self.label, self._names = verb, LABELS[verb], names
        known = {**DEEDS, **REPLAYS}
        self.what = known[verb][0] if verb in known else DRAFTS[verb][0]
        self._words: Mapping[str, Mapping[str, Any]] = known[verb][1] if verb in known else {}
        for name in self._words:
            self.fields[name] = self._field(name)
        if verb in known:
            self.fields["why"] = forms.CharField(max_length=LONGEST_REASON, label="Why", help_text="everybody reads it")

    @staticmethod
    def _field(name: str) -> forms.Field:
        longest = LONGEST_ANNOUNCEMENT if name == "text" else LONGEST
        field = forms.CharField(max_length=longest, label=WORDS[name], help_text=HELP.get(name, ""))
        if name in ENTRIES:
            field.widget.attrs |= {"list": "entries", "autocomplete": "off"}
        return field

    def clean(self) -> dict[str, Any]:
        """Read numbers and names of entries."""
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
            what = "an entry's name or number" if name in ENTRIES else "a whole number"
            raise forms.ValidationError(f"{text[:40]!r} is not {what}.")
        return int(text)

    @property
    def told(self) -> dict[str, Any]:
        """What was told, without the reason."""
        return {name: self.cleaned_data[name] for name in self._words}


def groups_of(verbs: Sequence[str], names: Sequence[str], bound: ActForm | None, match: str = "") -> list[Any]:
    """Return by group the forms of these verbs: the one that was sent as it was sent, the others empty."""
    made = {
        verb: bound if bound and bound.verb == verb else ActForm(verb, names, initial={"match": match})
        for verb in verbs
    }
    groups = [(title, [made[verb] for verb in group if verb in made]) for title, group in GROUPS.items()]
    return [(title, some) for title, some in groups if some]
