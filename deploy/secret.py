"""A secret that is made once and kept in a file."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def kept_secret(file: Path) -> str:
    """Return the secret in a file that only its owner may read, made the first time it is asked for."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        draft = file.with_name(f".{file.name}.{os.getpid()}")
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(64))
        _keep_first(draft, file)
    return file.read_text()


def _keep_first(draft: Path, file: Path) -> None:
    """Give the draft its name unless another process was quicker."""
    try:
        os.link(draft, file)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
