"""Secret that is created once and stored in a file."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def kept_secret(file: Path) -> str:
    """Return the secret in a file that only its owner may read; create it on first use."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        draft = file.with_name(f".{file.name}.{os.getpid()}")
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(64))
        _keep_first(draft, file)
    return file.read_text()


def _keep_first(draft: Path, file: Path) -> None:
    """Rename the draft to the file unless another process was quicker."""
    try:
        os.link(draft, file)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
