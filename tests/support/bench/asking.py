"""Ask for reviews in the arena of the environment: ``python -m tests.support.bench.asking <matches>``."""

from __future__ import annotations

import sys

import django


def main() -> None:
    """Store matches that have ended, and ask for a review of each."""
    django.setup()
    from replays.reviews.asking import ask_at_the_shell
    from tests.support.reviewable import closed_match

    for _ in range(int(sys.argv[1])):
        ask_at_the_shell(closed_match("for_the_king", 4).pk, "all")


if __name__ == "__main__":
    main()
