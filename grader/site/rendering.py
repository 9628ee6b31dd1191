"""The templates, and what they may use: words, icons, numbers, and texts made harmless."""

from __future__ import annotations

import json
import math
from datetime import datetime
from functools import cache, partial
from types import CodeType
from typing import Any, Final

from jinja2 import BytecodeCache, Environment, PackageLoader, StrictUndefined
from jinja2.bccache import Bucket
from markupsafe import Markup

from grader.batch.safe_text import name_text, one_line
from grader.batch.verdict_words import family, letters
from grader.inert import inert
from grader.site import pictures
from grader.site.markup import plain, prose
from grader.site.statics import static_url
from grader.site.values import LANGUAGES, Look, href, html_language
from grader.site.wording import word, words_of

_IDLE: Final = {"waiting": "wait", "queued": "wait", "running": "run", "skipped": "skip"}
_LANGUAGE_NAMES: Final = {"en": "English", "zh": "中文", "vi": "Tiếng Việt"}
# The button changes to the next theme; "system" is none of one's own.
_NEXT_THEME: Final = {None: "light", "light": "dark", "dark": "system"}


def page(template: str, look: Look, **given: Any) -> str:
    """Return a template filled in, in a form that every encoding takes."""
    found = _environment(look.language).get_template(template)
    return plain(found.render(look=look, next_theme=_NEXT_THEME[look.theme], **given))


def prepare() -> None:
    """Compile every template, for which the first reader of each page would wait."""
    for language in LANGUAGES:
        for name in _environment(language).list_templates(extensions=["html"]):
            _environment(language).get_template(name)


def _words(prefix: str, language: str) -> str:
    return json.dumps(words_of(prefix, language), ensure_ascii=False)


def _told(language: str, key: str, **given: Any) -> str:
    return word(key, language, **given)


class _Compiled(BytecodeCache):
    """What the templates were compiled to, for all languages: each has its own globals only."""

    def __init__(self) -> None:
        self._code: dict[str, CodeType | None] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give what is there."""
        bucket.code = self._code.get(bucket.key)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled."""
        self._code[bucket.key] = bucket.code


_COMPILED: Final = _Compiled()


@cache
def _environment(language: str) -> Environment:
    """The templates in a language: macros know its words without being made for every page."""
    made = Environment(
        loader=PackageLoader("grader.site"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        bytecode_cache=_COMPILED,
    )
    made.globals.update(
        href=href,
        static=static_url,
        pictures=pictures,
        html_language=html_language,
        languages=LANGUAGES,
        language_names=_LANGUAGE_NAMES,
        t=partial(_told, language),
        script_words=_words("js.", language),
        editor_words=_words("cm.", language),
    )
    made.filters.update(
        prose=prose,
        plain=plain,
        said=said,
        line=partial(one_line, limit=200),
        name=partial(name_text, limit=200),
        ms=time_text,
        number=number_text,
        power=power,
        when=when,
        initials=initials,
        family=verdict_family,
        icon=verdict_icon,
    )
    return made


def said(text: object, limit: int = 5_000) -> str:
    """Return text of a submission, several lines of it, that acts upon nothing."""
    return inert(str(text), limit)


def verdict_family(verdict: str) -> str:
    """Return the family of colour and shape of a verdict or of a state."""
    return "idle" if verdict in _IDLE else family(verdict)


def verdict_icon(verdict: str) -> str:
    """Return the name of the icon of a verdict or of a state."""
    short = letters(verdict).lower()
    return _IDLE.get(verdict) or (short if short.isalpha() else "ie")


def time_text(time_ms: float) -> str:
    """Return a time as people read it.

    Example:
        >>> time_text(0.256), time_text(12.34), time_text(1500)
        ('0.256 ms', '12.3 ms', '1.50 s')
    """
    if time_ms >= 1000:
        return f"{time_ms / 1000:.2f} s"
    return f"{time_ms:.0f} ms" if time_ms >= 100 else f"{time_ms:.3g} ms"


def number_text(value: float | str) -> str:
    """Return a number of a report, which may be "NaN" or "Infinity"."""
    return one_line(value, 40) if isinstance(value, str) else f"{value:.4g}"


def power(value: float) -> Markup:
    """Return a tolerance, a power of ten as one.

    Example:
        >>> power(1e-09), power(0.02)
        (Markup('10<sup>−9</sup>'), Markup('0.02'))
    """
    exponent = math.log10(value) if value > 0 else 0.0
    if value > 0 and abs(exponent - round(exponent)) < 1e-9 and abs(exponent) > 1:
        return Markup("10<sup>{}</sup>").format(f"{round(exponent)}".replace("-", "−"))
    return Markup("{}").format(f"{value:g}")


def when(moment: datetime) -> Markup:
    """Return a time of day; the script shows it in the reader's own zone."""
    return Markup('<time datetime="{}">{}</time>').format(
        moment.isoformat(timespec="seconds"), f"{moment.astimezone():%Y-%m-%d %H:%M}"
    )


def initials(name: str) -> str:
    """Return the first letters of a name, of its first and its last word.

    Example:
        >>> initials("Nguyễn Minh Anh"), initials("陈伟")
        ('NA', '陈')
    """
    words = plain(name).split()
    ends = words if len(words) < 2 else (words[0], words[-1])
    return "".join(word[0] for word in ends).upper() or "?"
