"""Exports of leagues of Pig whose matches were played, as an organiser with the server's key could forge them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ftk_core.games import build_of, game
from ftk_core.hash_chained_log import InMemoryLog, lines_of
from ftk_core.kit.verify.league_export_verification import ExportVerificationReport, verify_export
from ftk_core.kit.verify.public_keys import public_pem
from ftk_core.league.league_facts import LeagueFact, ResultRecorded
from ftk_core.league.league_state_from_events import fold_facts
from ftk_core.league.match_seating_and_random_seeds import derive_match_id, rotate_seating, table_seed
from ftk_core.league.publication import league_export
from ftk_core.log_entries import TimeControl, stream_of
from ftk_core.match_log_file import dump_pages
from ftk_core.players import RandomPlayer
from ftk_core.random_streams import seed_of
from ftk_core.referee import play
from tests.support.auditing.exports import PUBLIC, body_of, sign_again
from tests.support.auditing.rigged import SWISS, RiggedLeague

Lines = list[bytes]


class RealLeague(RiggedLeague):
    """A league of Pig whose matches are played at random; `logs` has the lines of each log by match id."""

    def __init__(self, *, entries: int = 4, **terms: Any) -> None:
        self.logs: dict[str, Lines] = {}
        super().__init__(SWISS, entries=entries, **terms)

    def results(self) -> list[ResultRecorded]:
        """Play the matches of the round and return their results."""
        paired = self.league.rounds[self.league.playing - 1]
        games = range(self.league.terms_of(paired.round).games)
        return [self.play_match(paired.round, number, game) for number in range(len(paired.tables)) for game in games]

    def play_match(self, round_: int, table: int, number: int, match: str = "", deal: int = 0) -> ResultRecorded:
        """Play one match, keep its log and return its result; `table` is the index of the table in the round."""
        plan, stage = self.league.rounds[round_ - 1].tables[table], self.league.terms_of(round_)
        match = match or derive_match_id(self.league, (round_, plan.number, number), 0)
        seating, log = rotate_seating(plan.seating, number), InMemoryLog()
        players = [RandomPlayer(seed_of(match, entry), self.league.entrant(entry).name) for entry in seating]
        seed = table_seed(self.secret, round_, plan, stage=stage, game=number, deal=deal)
        header = self.league.header
        clock, build = TimeControl(header.move_ms, header.bank_ms), build_of(header.game)
        end = play(game("pig"), players, seed, match=stream_of(match), log=log, clock=clock, build=build)
        self.logs[match] = [line + b"\n" for line in lines_of(log)]
        return ResultRecorded(
            round=round_, table=plan.number, game=number, match=match, seating=seating, places=end.places,
            scores=end.scores,
        )  # fmt: skip

    def verify(self, folder: Path, facts: Sequence[LeagueFact] = ()) -> ExportVerificationReport:
        """Sign the facts, by default those of the league, write its export and return the verifier's report on it."""
        files = {match: log_with_lines(lines) for match, lines in self.logs.items()}
        heads = {match: list(log.pages())[-1].head.hex() for match, log in files.items()}
        signed = sign_again(facts or self.facts, heads)
        league = fold_facts(signed)
        contents = {
            league_export.README: league_export.README_TEXT,
            league_export.KEY: public_pem(PUBLIC),
            league_export.STREAM: body_of(signed),
            league_export.RESULTS: league_export.build_results_file(league),
            league_export.ROOTS: league_export.build_roots_file(league, heads),
        } | {league_export.match_file_name(match): b"".join(dump_pages(log.pages())) for match, log in files.items()}
        for name, content in contents.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        return verify_export(folder, public_pem(PUBLIC))


def log_with_lines(lines: Lines) -> InMemoryLog:
    """Return a log with these lines as one page."""
    log = InMemoryLog()
    log.append(lines, 0)
    return log
