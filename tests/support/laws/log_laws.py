"""Tests that every storage of logs must pass; the test class of each storage inherits them."""

from __future__ import annotations

from abc import ABC, abstractmethod

import pytest

from ftk_core.games import game
from ftk_core.hash_chained_log import (
    GENESIS,
    BrokenHashChainError,
    HashChainedLog,
    LogPage,
    LogWriteConflictError,
    check_chain,
    lines_of,
)
from ftk_core.log_entries import MatchOpened
from ftk_core.log_writer import LogWriter
from ftk_core.players import RandomPlayer
from ftk_core.random_streams import seed_of
from ftk_core.referee import Referee, build_opening, play


class LogLaws(ABC):
    """Base class with the tests; a subclass makes and opens logs in its storage."""

    @abstractmethod
    def make_log(self) -> HashChainedLog:
        """Return a new empty log."""

    @abstractmethod
    def opened_again(self, log: HashChainedLog) -> HashChainedLog:
        """Return the same log as another process would open it."""

    def test_a_new_log_is_empty(self) -> None:
        log = self.make_log()
        assert log.length == 0
        assert list(log.pages()) == []

    def test_log_lines_are_read_back_as_they_were_appended(self) -> None:
        log = self.make_log()
        log.append([b"one\n", "zw\u00f6lf\n".encode()], 0)
        log.append([b'{"three":3}\n'], 2)
        assert list(lines_of(self.opened_again(log))) == [b"one", "zw\u00f6lf".encode(), b'{"three":3}']
        assert self.opened_again(log).length == log.length == 3

    def test_a_log_can_be_read_from_any_line(self) -> None:
        log = self.make_log()
        for number in range(3):
            log.append([f"{number}a\n".encode(), f"{number}b\n".encode()], 2 * number)
        everything = list(lines_of(log))
        for after in range(-1, 7):
            assert list(lines_of(log, after)) == everything[after + 1 :]

    def test_an_append_with_a_wrong_length_is_refused_and_writes_nothing(self) -> None:
        log = self.make_log()
        log.append([b"one\n"], 0)
        for expected in (0, 2, 7):
            with pytest.raises(LogWriteConflictError):
                log.append([b"two\n"], expected)
        assert list(lines_of(self.opened_again(log))) == [b"one"]

    @pytest.mark.parametrize("lines", [[], [b"no newline"], [b"two\nlines\n"], [b"\n", b""]])
    def test_an_append_of_anything_but_a_list_of_lines_is_refused(self, lines: list[bytes]) -> None:
        log = self.make_log()
        with pytest.raises(ValueError, match="line"):
            log.append(lines, 0)
        assert log.length == 0

    def test_the_hash_of_each_log_page_depends_on_the_previous_page(self) -> None:
        log = self.make_log()
        pages = [log.append([f"{number}\n".encode()], number) for number in range(4)]
        assert list(check_chain(self.opened_again(log).pages())) == pages
        assert len({page.head for page in pages} | {GENESIS}) == 5

    def test_any_change_to_a_stored_log_page_breaks_the_hash_chain(self) -> None:
        log = self.make_log()
        for number in range(3):
            log.append([f"line {number}\n".encode()], number)
        pages = list(log.pages())
        for at, page in enumerate(pages):
            for forged in (
                LogPage(page.first, page.last, page.body.replace(b"l", b"L"), page.head),
                LogPage(page.first, page.last, page.body, bytes(32)),
                LogPage(page.first + 1, page.last + 1, page.body, page.head),
            ):
                with pytest.raises(BrokenHashChainError, match=f"page {at}"):
                    list(check_chain(iter([*pages[:at], forged, *pages[at + 1 :]])))
            if at < len(pages) - 1:
                with pytest.raises(BrokenHashChainError):
                    list(check_chain(iter([*pages[:at], *pages[at + 1 :]])))

    def test_a_match_resumed_from_part_of_its_log_ends_with_the_log_of_an_undisturbed_one(self) -> None:
        pig, seed = game("pig"), seed_of("resume")
        whole = self.make_log()
        play(pig, self.players(), seed, log=whole)
        lines = [line + b"\n" for line in lines_of(whole)]
        for cut in range(0, len(lines), max(1, len(lines) // 12)):
            log = self.make_log()
            if cut:
                log.append(lines[:cut], 0)
            log = self.opened_again(log)
            entry_writer = LogWriter(log, lines[:cut])
            Referee(pig, self.opened(seed), seed, self.players(), entry_writer).play()
            assert list(lines_of(self.opened_again(log))) == [line[:-1] for line in lines]

    def players(self) -> list[RandomPlayer]:
        """Return three new players, the same each time."""
        return [RandomPlayer(seed_of("player", seat)) for seat in range(3)]

    def opened(self, seed: bytes) -> MatchOpened:
        """Return the opening fact that `play` writes."""
        return build_opening(game("pig"), "match", [player.name for player in self.players()], seed)
