"""Passwords: which are good enough, and how one is kept so that nobody can read it."""

from __future__ import annotations

import unicodedata
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

SHORTEST, LONGEST = 10, 200
_hasher = PasswordHasher()  # argon2id with the parameters of RFC 9106's second choice
# Those of ten characters and more that lead every list of stolen ones.
_COMMON = frozenset(
    {"1234567890", "qwertyuiop", "password12", "password123", "passwordpassword", "1q2w3e4r5t",
     "iloveyou12", "qwerty12345", "0987654321", "administrator", "letmeinletmein", "welcome123"}
)  # fmt: skip


class BadPassword(ValueError):
    """A password that is too easily guessed; the message says what is wanted.

    Attributes:
        kind: "short", "long" or "easy".
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def checked_password(password: str, login: str) -> str:
    """Return a password that is good enough, in the form in which it is hashed.

    Raises:
        BadPassword: too short, too long, the login itself, a single character repeated, or common.
    """
    made = _normal(password)
    if len(made) < SHORTEST:
        raise BadPassword("short", f"A password needs at least {SHORTEST} characters.")
    if len(made) > LONGEST:
        raise BadPassword("long", f"A password has at most {LONGEST} characters.")
    plain = made.casefold()
    if plain in _COMMON or len(set(plain)) < 4 or login.casefold() in (plain, plain[::-1]):
        raise BadPassword(
            "easy", "That password is easily guessed; a few words in a row are better."
        )
    return made


def hash_password(password: str) -> str:
    """Return what may be stored; it takes a quarter of a second on purpose."""
    return _hasher.hash(_normal(password))


def is_right(password: str, stored: str | None) -> bool:
    """Whether a password is that of a stored hash; None takes as long as a wrong one."""
    try:
        return _hasher.verify(stored or _nobody(), _normal(password)) and stored is not None
    except (VerificationError, InvalidHashError):
        return False


@cache
def _nobody() -> str:
    """Whoever asks for a login that is not there must wait as long as for one that is."""
    return _hasher.hash("nobody")


def _normal(password: str) -> str:
    """One form for the ways in which a keyboard writes the same letters (RFC 8265)."""
    return unicodedata.normalize("NFC", password)
