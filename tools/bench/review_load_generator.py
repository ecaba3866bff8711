"""Script that requests analyses of finished matches, as load for a benchmark.

Usage: ``python -m tools.bench.review_load_generator <matches>``.
"""

from __future__ import annotations

import sys

import django


def main() -> None:
    """Store finished matches in the database and request a review of each."""
    # The command line argument is the number of matches.
    django.setup()
    from replays.reviews.review_requests import request_from_shell
    from tests.support.reviewable import create_closed_match

    for _ in range(int(sys.argv[1])):
        request_from_shell(create_closed_match("for_the_king", 4).pk, "all")


if __name__ == "__main__":
    main()
