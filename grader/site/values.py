"""What the pages are made from: plain values, so that a page needs no server and no store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Protocol
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from grader.site.visitors import NOBODY, Visitor

Language = str  # "en", "zh" or "vi"
Theme = str  # "light" or "dark"
LANGUAGES: tuple[Language, ...] = ("en", "zh", "vi")


@dataclass(frozen=True)
class Look:
    """How a page is to be shown.

    Attributes:
        theme: None follows the system.
        path: of this page, with its query where it has one.
        visitor: for whom.
        public: the site has accounts.
        may_register: people make them themselves.
        notices: how many notices wait for the visitor.
    """

    language: Language
    theme: Theme | None
    path: str
    visitor: Visitor = NOBODY
    public: bool = False
    may_register: bool = False
    notices: int = 0

    @property
    def nobody(self) -> bool:
        """Whether it is for somebody who is not signed in and would have to be."""
        return self.public and self.visitor.id is None

    @property
    def lang(self) -> str:
        """The language as HTML names it."""
        return html_language(self.language)

    def in_language(self, language: str) -> str:
        """Return the address of this page in another language."""
        parts = urlsplit(self.path)
        asked = [pair for pair in parse_qsl(parts.query, True) if pair[0] != "lang"]
        return f"{parts.path}?{urlencode([*asked, ('lang', language)])}"


def html_language(code: str) -> str:
    """Return the tag of a language for `lang`: Chinese is written in the simplified script."""
    return "zh-Hans" if code == "zh" else code


@dataclass(frozen=True)
class ListRow:
    """One problem of a list."""

    slug: str
    title: str
    difficulty: str
    category: str
    tags: tuple[str, ...]
    featured: bool
    status: str  # "solved", "tried" or "untouched"
    languages: tuple[str, ...]


@dataclass(frozen=True)
class Filters:
    """What a list was asked for, "" for all.

    Attributes:
        categories: to choose from; those of the rows if none are given. `tags` likewise.
    """

    query: str = ""
    difficulty: str = ""
    category: str = ""
    tag: str = ""
    status: str = ""
    language: str = ""
    sort: str = ""
    categories: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Glance:
    """Progress at a glance.

    Attributes:
        days: submissions a day, of the last weeks.
        carry_on: slug of the problem worked on last and not solved; `next` the one after it.
        today: where the weeks end; the last of `days` if None.
        titles: of `carry_on` and `next`, where the rows of a list may lack them.
    """

    solved: int
    tried: int
    total: int
    streak: int
    days: Mapping[date, int] = field(default_factory=dict)
    carry_on: str | None = None
    next: str | None = None
    today: date | None = None
    titles: Mapping[str, str] = field(default_factory=dict)


class Attempt(Protocol):
    """A submission as the store gives it."""

    @property
    def id(self) -> str: ...
    @property
    def slug(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def custom_input(self) -> str | None: ...
    @property
    def created(self) -> datetime: ...
    @property
    def state(self) -> str: ...
    @property
    def verdict(self) -> str | None: ...
    @property
    def passed(self) -> int | None: ...
    @property
    def total(self) -> int | None: ...
    @property
    def cpu_ms(self) -> float | None: ...
    @property
    def report(self) -> dict[str, Any] | None: ...
    @property
    def finished(self) -> datetime | None: ...


def href(*parts: str, **query: str) -> str:
    """Return an address on this site, every part quoted.

    Example:
        >>> href("problems", "a/b", lang="vi")
        '/problems/a%2Fb?lang=vi'
    """
    path = "/" + "/".join(quote(part, safe="") for part in parts)
    return f"{path}?{urlencode(query)}" if query else path
