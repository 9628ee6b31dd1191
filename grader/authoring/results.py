"""Results of the gate kept by what they depend on, so that nothing unchanged is checked twice."""

from __future__ import annotations

import json
import os
import tempfile
from hashlib import sha256
from pathlib import Path

import grader
from grader.authoring.findings import Inspection
from grader.authoring.workshop import Workpiece

_PACKAGE = Path(grader.__file__).parent


def default_folder() -> Path:
    """Where results are kept: the user's cache folder."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "tensorjudge" / "check"


def code_digest() -> str:
    """SHA-256 of the grader's own code; a changed grader may judge otherwise."""
    digest = sha256()
    for path in sorted(_PACKAGE.rglob("*.py")):
        digest.update(str(path.relative_to(_PACKAGE)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


class KeptResults:
    """Inspections in a folder, one file each.

    Args:
        folder: made when the first is kept.
        versions: of what submissions run on.
    """

    def __init__(self, folder: Path, versions: dict[str, str]) -> None:
        self._folder = folder
        self._basis = json.dumps([code_digest(), versions], sort_keys=True)

    def find(self, piece: Workpiece) -> Inspection | None:
        """Return what was found out about exactly this problem, None if nothing was."""
        try:
            raw = json.loads(self._file(piece).read_text("utf-8"))
            found = Inspection.from_dict(raw)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None  # never kept, or broken: check again
        found.cached = True
        return found

    def keep(self, piece: Workpiece, inspection: Inspection) -> None:
        """Keep what was found out; an unwritable folder is no reason to fail."""
        if piece.problem is None:
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            # Written aside and moved: another run may be reading.
            with tempfile.NamedTemporaryFile("w", dir=self._folder, delete=False) as file:
                json.dump(inspection.to_dict(), file)
            Path(file.name).replace(self._file(piece))
        except OSError:
            return

    def _file(self, piece: Workpiece) -> Path:
        solutions = [
            [(each.name, each.verdict, sha256(each.source).hexdigest()) for each in kind]
            for kind in (piece.accepted, piece.wrong)
        ]
        spec = None if piece.problem is None else piece.problem.digest
        # As JSON each part keeps its place: a solution moved from right to wrong is a change.
        text = json.dumps([self._basis, piece.slug, spec, solutions, piece.twin])
        return self._folder / f"{sha256(text.encode()).hexdigest()}.json"
