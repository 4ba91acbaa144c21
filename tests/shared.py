"""The data that lies beside the repository, not in it: W3C tests, query logs, dumps."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"


def shared_dir(name: str) -> Path:
    """The folder ../shared/NAME. Without it the test is skipped, or the module if called while that is imported."""
    folder = SHARED / name
    if not folder.is_dir():
        pytest.skip(f"the folder ../shared/{name} beside the repository is missing", allow_module_level=True)
    return folder
