"""The form in which people edit a problem: one folder of Markdown and Python files.

    problem.json                   short fields, the declared cases, count and seed of drawn ones
    description.md, editorial.md   the texts in the main language
    translations/vi/description.md and so on, a folder a language
    starter.py reference.py setup.py probe.py test.py generate.py
    accepted/*.py wrong/*.py       solutions that must pass, and that must fail

Files hold the fields' text as it is, to the last newline: packing what was unpacked gives
the same bytes.
"""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.errors import Finding, SpecError
from grader.spec import find_faults, to_canonical_json
from grader.specs.json_positions import place_of, read_json

OUTLINE = "problem.json"
SOLUTIONS = ("accepted", "wrong")

# Where each long text of a spec is kept, by its path of keys.
_TEXTS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("description_md",), "description.md"),
    (("editorial_md",), "editorial.md"),
    (("starter_code",), "starter.py"),
    (("reference_code",), "reference.py"),
    (("setup_code",), "setup.py"),
    (("probe_code",), "probe.py"),
    (("test_code",), "test.py"),
    (("generated_cases", "code"), "generate.py"),
)
_TRANSLATED = ("description_md", "editorial_md")


@dataclass(frozen=True)
class Packed:
    """A packed problem.

    Attributes:
        slug: its name.
        text: canonical JSON.
    """

    slug: str
    reference_code: str
    text: str


def is_folder(path: Path) -> bool:
    """Whether a path is a problem in the form that people edit."""
    return (path / OUTLINE).is_file()


def solutions_folder(spec_file: Path) -> Path:
    """Where the solutions of a packed problem are: `reference/<slug_>` beside `problems/`."""
    return spec_file.resolve().parent.parent / "reference" / spec_file.stem.replace("-", "_")


def python_files(folder: Path) -> list[Path]:
    """The Python files of a folder, by name; a folder that is named like one is none."""
    return sorted(path for path in folder.glob("*.py") if path.is_file())


def unpack(raw: dict[str, Any], folder: Path, solutions: Path | None = None) -> list[Path]:
    """Write a spec as a folder; the folder must not hold a problem yet.

    Args:
        raw: a sound document.
        solutions: folder whose `accepted` and `wrong` come along.

    Returns:
        The files, in order of their names.

    Raises:
        FileExistsError: there is a problem already.
    """
    if is_folder(folder):
        raise FileExistsError(f"{folder} holds a problem already; it is not overwritten")
    outline = json.loads(json.dumps(raw))
    texts: dict[str, str] = {}
    for keys, name in _all_texts(outline):
        holder = outline
        for key in keys[:-1]:
            holder = holder.get(key, {})
        if keys[-1] in holder:
            texts[name] = holder.pop(keys[-1])
    texts[OUTLINE] = to_canonical_json(outline)
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8", newline="")
    for kind in SOLUTIONS:
        (folder / kind).mkdir(exist_ok=True)
        if solutions is not None:
            for file in python_files(solutions / kind):
                shutil.copyfile(file, folder / kind / file.name)
    return sorted(path for path in folder.rglob("*") if path.is_file())


def pack(folder: Path) -> Packed:
    """Return the spec that a folder holds.

    Raises:
        SpecError: it is no sound spec; the findings name file, line and field.
        OSError: a file cannot be read.
    """
    text = _text_of(folder)
    problem, findings = find_faults(folder / OUTLINE, text)
    if problem is None:
        raise SpecError([_at_home(folder, finding) for finding in findings])
    return Packed(problem.slug, problem.reference_code, text)


def _text_of(folder: Path) -> str:
    """Join outline and texts, whatever they hold."""
    path = folder / OUTLINE
    try:
        raw = json.loads(path.read_text("utf-8-sig"))
    except (ValueError, RecursionError):
        # Told as any other spec that is no JSON, with line and column.
        _, findings = find_faults(path)
        raise SpecError(findings) from None
    if not isinstance(raw, dict):
        raise SpecError([Finding(str(path), 1, 1, "$", "an object expected")])
    languages = folder / "translations"
    if languages.is_dir():
        for language in sorted(entry.name for entry in languages.iterdir() if entry.is_dir()):
            translations = raw.setdefault("translations", {})
            if isinstance(translations, dict):  # else the schema says what is wrong
                translations.setdefault(language, {})
    for keys, name in _all_texts(raw):
        file = folder / name
        if not file.is_file():
            continue
        holder = raw
        for key in keys[:-1]:
            holder = holder.setdefault(key, {}) if isinstance(holder, dict) else None
        if not isinstance(holder, dict):
            continue
        if keys[-1] in holder:
            where = "$." + ".".join(keys)
            raise SpecError([Finding(str(path), 0, 0, where, f"stands here and in {name}")])
        try:
            holder[keys[-1]] = file.read_bytes().decode("utf-8")
        except UnicodeDecodeError as error:
            raise SpecError([Finding(str(file), 0, 0, "$", f"not UTF-8: {error}")]) from None
    return to_canonical_json(raw)


def _all_texts(outline: dict[str, Any]) -> list[tuple[tuple[str, ...], str]]:
    """Every text field that may have a file of its own, those of translations included."""
    translations = outline.get("translations")
    languages = translations if isinstance(translations, dict) else {}
    return [
        *_TEXTS,
        *(
            (("translations", language, name), f"translations/{language}/{name[:-3]}.md")
            for language in languages
            for name in _TRANSLATED
        ),
    ]


def _at_home(folder: Path, finding: Finding) -> Finding:
    """Name file and line where a person finds the fault; lines of joined JSON mean nothing."""
    for keys, name in _TEXTS:
        if finding.path == "$." + ".".join(keys) and (folder / name).is_file():
            found = re.match(r"line (\d+) of the field: ", finding.message)
            at = int(found[1]) if found else 0
            message = finding.message[found.end() :] if found else finding.message
            return Finding(str(folder / name), at, 0, finding.path, message)
    path = folder / OUTLINE
    line, column = place_of(read_json(path.read_text("utf-8-sig")), finding.path)
    return Finding(str(path), line, column, finding.path, finding.message)


def mirror_solutions(folder: Path, to: Path, reference_code: str) -> list[str]:
    """Make `reference/<slug_>` equal to a folder's reference, `accepted` and `wrong`.

    Returns:
        What was written or removed, in words.
    """
    told = []
    wanted = {Path("solution.py"): reference_code.encode("utf-8")}
    for kind in SOLUTIONS:
        for file in python_files(folder / kind):
            wanted[Path(kind) / file.name] = file.read_bytes()
    present = {path.relative_to(to) for kind in SOLUTIONS for path in python_files(to / kind)}
    for gone in sorted(present - set(wanted)):
        if any((folder / gone.parent).glob("*.py")):  # empty: unpacked without its solutions
            (to / gone).unlink()
            told.append(f"removed {to / gone}")
    for name, data in wanted.items():
        target = to / name
        if not target.is_file() or target.read_bytes() != data:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            told.append(f"wrote {target}")
    return told
