"""The commands `ftk review` and `ftk whatif`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ftk_core.kit.cli import app
from ftk_core.kit.match_loading import read_match
from ftk_core.log_entries import ChoiceMade, read
from tests.support.reviews import log_of, own_log_of, write_log


def ftk(*words: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, list(words))
    return done.exit_code, done.stdout, done.stderr


def assert_one_line_error(says: str, *words: str) -> None:
    code, said, error = ftk(*words)
    lines = [line for line in error.splitlines() if "without native rules" not in line]
    assert (code, said, len(lines)) == (2, "", 1), error
    assert says in lines[0]


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("logs") / "match.jsonl"
    assert ftk("play", "pig", "hold20", "random", "--log", str(path), "--jobs", "1")[0] == 0
    return path


@pytest.mark.slow
def test_a_match_review_is_printed_as_one_json_document(log: Path) -> None:
    code, said, error = ftk("review", str(log), "--playouts", "4", "--json")
    assert code == 0, error
    found: dict[str, Any] = json.loads(said)
    assert found["schema"] == "ftk.review/1"
    assert (found["policy"], found["playouts"], found["eyes"]) == ("quick", 4, "own")
    assert len(found["curve"]) == len(found["choices"]) + 2


@pytest.mark.slow
def test_a_match_review_is_printed_as_a_table_with_a_line_for_each_seat(log: Path) -> None:
    code, said, error = ftk("review", str(log), "--playouts", "4", "--seat", "1", "--policy", "hold20")
    assert code == 0, error
    assert "0 hold20" in said
    assert "1 random" in said
    assert "4 playouts a choice by the policy 'hold20'" in said


@pytest.mark.slow
def test_the_costliest_choices_of_a_seat_are_printed_with_their_margins(log: Path) -> None:
    _, said, _ = ftk("review", str(log), "--seat", "1", "--eyes", "all")
    assert re.search(r"entry \d+, random: “.+” lost \.\d\d ± \.\d\d\. Better: “.+”\.", " ".join(said.split()))
    assert ", hold20:" not in said


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--seat", "2"], "the match has the seats 0 to 1"),
        (["--policy", "nosuch"], "'nosuch' is not a policy for Pig"),
        (["--eyes", "mine"], "with the eyes own, all or public"),
        (["--match", "2"], "holds the matches 1 to 1"),
        (["--playouts", "1"], "--playouts"),
    ],
)
def test_ftk_review_refuses_invalid_arguments_with_one_line(log: Path, words: list[str], says: str) -> None:
    assert_one_line_error(says, "review", str(log), *words)


def test_a_folder_is_reviewed_without_the_matches_that_cannot_be_reviewed(log: Path, tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "a.jsonl").write_bytes(log.read_bytes())
    write_log(folder / "cut.jsonl", log_of("pig")[:20])
    (folder / "broken.jsonl").write_bytes(log.read_bytes()[:300])
    opened, *others = log_of("pig")
    write_log(folder / "unknown.jsonl", [opened.replace(b'"pig"', b'"chess"'), *others])
    (folder / "old.jsonl").write_bytes(Path("tests/golden/past/for_the_king-v1-2.jsonl").read_bytes())
    code, said, error = ftk("review", str(folder), "--bot", "hold20", "--playouts", "4", "--json")
    assert code == 0, error
    assert [report["game"] for report in json.loads(said)] == ["pig"]
    assert "cut.jsonl, match 1: left out" in error.replace("\n", " ")
    assert "broken.jsonl, match 1: left out" in error.replace("\n", " ")
    assert "unknown.jsonl, match 1: left out: there is no game 'chess'" in error.replace("\n", " ")
    assert "old.jsonl" not in error


def test_ftk_review_refuses_options_that_do_not_fit_a_single_log_or_a_folder_of_logs(log: Path, tmp_path: Path) -> None:
    for words, says in (
        ([str(log), "--bot", "hold20"], "is not a folder of logs"),
        ([str(tmp_path)], "say by --bot whose play is summed up"),
        ([str(tmp_path), "--bot", "hold20", "--seat", "1"], "--html, --match and --seat are for one match"),
        ([str(tmp_path), "--bot", "hold20", "--match", "2"], "--html, --match and --seat are for one match"),
        (
            [str(tmp_path), "--bot", "hold20", "--html", str(tmp_path / "page.html")],
            "--html, --match and --seat are for one match",
        ),
    ):
        code, _, error = ftk("review", *words)
        assert code == 2
        assert says in " ".join(error.split())


def test_ftk_review_refuses_an_unfinished_match(tmp_path: Path) -> None:
    cut = write_log(tmp_path / "cut.jsonl", log_of("pig")[:20])
    code, _, error = ftk("review", str(cut))
    assert code == 2
    assert "its seed is not revealed" in error.replace("\n", " ")


@pytest.mark.slow
def test_the_html_page_of_a_match_review_is_self_contained_and_its_csp_blocks_all_requests(
    log: Path, tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    words = ("review", str(log), "--playouts", "2", "--html", str(page))
    code, _, error = ftk(*words)
    assert code == 0, error
    text = page.read_text()
    assert f"{page.stat().st_size:,} bytes" in error.replace("\n", " ")
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', text)
    assert policy.startswith("default-src 'none'; ")
    sources = {source for directive in policy.split(";") for source in directive.split()[1:]}
    assert all(source in ("'none'", "data:") or source.startswith("'sha256-") for source in sources), policy
    assert not re.search(r"""(src|href)=["']?(https?:|//|file:)""", text.split("<style>")[0])
    assert ftk(*words, "--force")[0] == 0
    assert page.read_text() == text, "the same log and playouts give the same page"
    assert [file.name for file in tmp_path.iterdir()] == ["page.html"]


@pytest.mark.parametrize(
    ("name", "says"),
    [("taken.html", "is there already"), ("no/such/page.html", "there is no folder"), ("", "this is a folder")],
)
def test_ftk_review_refuses_an_unwritable_output_file_before_it_computes_the_match_review(
    log: Path, tmp_path: Path, name: str, says: str
) -> None:
    (tmp_path / "taken.html").write_text("mine")
    code, _, error = ftk("review", str(log), "--playouts", "1000000", "--html", str(tmp_path / name))
    assert code == 2
    assert says in error.replace("\n", " ")
    assert len(error.strip().splitlines()) == 1
    assert (tmp_path / "taken.html").read_text() == "mine"


NOTES_ITS_SEAT = """
from ftk_core.kit.bot import run

def choose(ask):
    with open({file!r}, "a") as asked:
        print(ask.seat, ask.hello["move_ms"], ask.bank_ms, file=asked)
    return int(ask.view["gathered"] < 8)

run(choose)
"""


def choice_in(log: Path) -> int:
    lines = read_match(str(log), 1, "", "")
    return next(entry.seq for entry in map(read, lines) if isinstance(entry, ChoiceMade) and entry.seat == 0)


def test_ftk_whatif_counts_the_final_places_that_each_menu_item_leads_to(log: Path) -> None:
    words = ("whatif", str(log), "--at", str(choice_in(log)), "--eyes", "all", "-n", "20")
    code, said, error = ftk(*words, "--json")
    assert code == 0, error
    found = json.loads(said)
    assert found["schema"] == "ftk.whatif/1"
    assert [row["item"] for row in found["tried"]] == [found["chosen"], 1 - found["chosen"]]
    assert all(sum(row["places"]) == 20 for row in found["tried"])
    assert "(chosen)" in ftk(*words)[1]


def test_ftk_whatif_with_the_original_random_seed_gives_one_outcome_for_each_menu_item(log: Path) -> None:
    code, said, error = ftk("whatif", str(log), "--at", str(choice_in(log)), "--as-it-was", "-n", "5", "--json")
    assert code == 0, error
    found = json.loads(said)
    assert found["luck"] == "as it was"
    assert all(sorted(row["places"]) == [0, 5] for row in found["tried"])


def test_ftk_whatif_plays_the_rest_of_the_match_with_the_bot_named_on_the_command_line(
    log: Path, tmp_path: Path
) -> None:
    bot, asked = tmp_path / "mine.py", tmp_path / "asked"
    bot.write_text(NOTES_ITS_SEAT.format(file=str(asked)))
    words = ("--at", str(choice_in(log)), "--eyes", "all", "-n", "2", "--choose", "1", "--bot", str(bot), "--json")
    code, said, error = ftk("whatif", str(log), *words)
    assert code == 0, error
    assert json.loads(said)["policy"].startswith("mine at seat 0")
    questions = [line.split() for line in asked.read_text().splitlines()]
    assert {seat for seat, *_ in questions} == {"0"}, "it is asked at its own seat, and only there"


@pytest.mark.slow
def test_ftk_whatif_gives_a_bot_the_time_limits_of_the_match(tmp_path: Path) -> None:
    log, bot, asked = tmp_path / "match.jsonl", tmp_path / "mine.py", tmp_path / "asked"
    bot.write_text(NOTES_ITS_SEAT.format(file=str(asked)))
    ftk("play", "pig", "hold20", "random", "--move-ms", "3000", "--bank-ms", "4000", "--log", str(log))
    words = ("--at", str(choice_in(log)), "--eyes", "all", "-n", "2", "--choose", "1", "--bot", str(bot))
    code, _, error = ftk("whatif", str(log), *words)
    assert code == 0, error
    assert set(asked.read_text().splitlines()) == {"0 3000 4000"}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--at", "0"], "entry 0 is not a choice"),
        (["--at", "99999"], "entry 99999: the log has the entries 0 to"),
        (["--choose", "2"], "--choose 2: the menu of entry"),
        (["--eyes", "mine"], "--eyes mine: choose own, 0, 1, public or all"),
        (["--eyes", "2"], "--eyes 2: choose own"),
        (["--policy", "nosuch"], "'nosuch' is not a policy for Pig"),
        (["--bot", "nosuch"], "'nosuch' is neither a file nor a built-in bot"),
        (["--bot", "ftk_core/games/for_the_king/built_in_bots/greedy_bot.py"], "is it for another game than Pig?"),
        (["-n", "0"], "-n"),
    ],
)
def test_ftk_whatif_refuses_invalid_arguments_with_one_line(log: Path, words: list[str], says: str) -> None:
    assert_one_line_error(says, "whatif", str(log), "--at", str(choice_in(log)), "--eyes", "all", *words)


def test_ftk_whatif_refuses_to_resample_information_that_determines_the_menu_of_the_seat(tmp_path: Path) -> None:
    lines = own_log_of("kings_court", 8)
    log = write_log(tmp_path / "log.jsonl", lines)
    at = next(json.loads(line)["seq"] for line in lines if b'"kind":"help"' in line)
    words = ("whatif", str(log), "--at", str(at), "-n", "2", "--choose", "0", "--eyes")
    assert_one_line_error("may choose there depends on what these eyes do not see; choose own or all", *words, "public")
    assert ftk(*words, "own")[0] == 0


@pytest.mark.parametrize("command", [("review",), ("whatif", "--at", "3")])
def test_without_native_rules_ftk_review_and_ftk_whatif_warn_once_that_they_are_slow(
    log: Path, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ftk_core.kit.match_series.playout_policies.has_native_rules", lambda _game: False)
    at = next(number for number, line in enumerate(read_match(str(log), 1, "", "")) if b'"kind":"chose"' in line)
    words = [command[0], str(log), *(["--at", str(at)] if len(command) > 1 else [])]
    code, _, error = ftk(*words, "-n" if len(command) > 1 else "--playouts", "2")
    assert code == 0, error
    assert error.count("without native rules") == 1
