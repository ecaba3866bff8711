"""Plants, once a process, what the bots are after."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.hostile.harness import warm_up
from tests.hostile.world import world


@pytest.fixture(scope="session")
def hints(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    with world(tmp_path_factory.mktemp("world")) as told:
        warm_up()
        yield told
