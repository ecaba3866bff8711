"""The audit hook that imitates the sandbox where no arena is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from ftk_core.kit.sandboxing.sandbox_emulation_bootstrap import AuditHook


def test_a_library_is_readable_by_its_path_with_and_without_symbolic_links(tmp_path: Path) -> None:
    library = tmp_path / "python3.11"
    library.mkdir()
    (tmp_path / "python3").symlink_to(library)
    hook = AuditHook([str(tmp_path / "python3")])
    for folder in ("python3", "python3.11"):
        hook.check_visible(str(tmp_path / folder / "random.py"))
    with pytest.raises(FileNotFoundError):
        hook.check_visible(str(tmp_path / "other" / "random.py"))
