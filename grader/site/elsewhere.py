"""Signing in with an account elsewhere: OAuth 2 (RFC 6749) with PKCE (RFC 7636), by Authlib."""

from __future__ import annotations

import base64
import hmac
import json
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from authlib.common.errors import AuthlibBaseError
from authlib.integrations.requests_client import OAuth2Session
from requests import RequestException

from grader.site.public import Provider
from grader.site.visitors import digest_of

COOKIE = "__Host-oauth"
LASTS_S = 600  # from leaving for the provider to coming back
_TIMEOUT_S = 10
_MOST_BYTES = 100_000


class NotConfirmed(ValueError):
    """The provider did not say who somebody is; the message says why."""


@dataclass(frozen=True)
class Journey:
    """What is remembered in a cookie while somebody is away at a provider.

    Attributes:
        state: what the provider must bring back, so that nobody is sent back who never left.
        verifier: proves that who asks for the token is who left.
        next_path: where to go on.
    """

    provider: str
    state: str
    verifier: str
    next_path: str
    until: float


@dataclass(frozen=True)
class Person:
    """Who somebody is at a provider.

    Attributes:
        subject: never changes; `login` may.
    """

    subject: str
    login: str
    name: str


def leave(provider: Provider, back: str, next_path: str) -> tuple[str, Journey]:
    """Return the address to send somebody to, and what to remember.

    Args:
        back: address to which the provider sends them.
    """
    verifier = secrets.token_urlsafe(48)
    with _client(provider, back) as client:
        address, state = client.create_authorization_url(
            provider.authorize_url, code_verifier=verifier
        )
    journey = Journey(
        provider.name, state, verifier, next_path, datetime.now(UTC).timestamp() + LASTS_S
    )
    return address, journey


def come_back(provider: Provider, back: str, journey: Journey, state: str, code: str) -> Person:
    """Return who came back.

    Raises:
        NotConfirmed: it is not who left, or the provider does not confirm it.
    """
    if journey.provider != provider.name or journey.until < datetime.now(UTC).timestamp():
        raise NotConfirmed("that took too long")
    if not code or not hmac.compare_digest(state.encode(), journey.state.encode()):
        raise NotConfirmed("the answer belongs to no request of this browser")
    try:
        with _client(provider, back) as client:
            client.fetch_token(
                provider.token_url,
                code=code,
                code_verifier=journey.verifier,
                timeout=_TIMEOUT_S,
                allow_redirects=False,
            )
            answer = client.get(provider.user_url, timeout=_TIMEOUT_S, allow_redirects=False)
            answer.raise_for_status()
            if len(answer.content) > _MOST_BYTES:
                raise NotConfirmed("the answer is too long")
            told = answer.json()
    except (AuthlibBaseError, RequestException, ValueError) as error:
        raise NotConfirmed(str(error)) from error
    return _person(provider, told)


def _person(provider: Provider, told: Any) -> Person:
    subject = told.get(provider.subject) if isinstance(told, dict) else None
    if isinstance(subject, bool) or not isinstance(subject, str | int) or subject == "":
        raise NotConfirmed(f"the answer has no {provider.subject!r}")
    login = str(told.get(provider.login) or "")
    return Person(str(subject), login, str(told.get("name") or login))


def _client(provider: Provider, back: str) -> OAuth2Session:
    return OAuth2Session(
        provider.client_id,
        provider.client_secret,
        scope=provider.scope,
        redirect_uri=back,
        code_challenge_method="S256",
    )


def packed(secret: bytes, journey: Journey) -> str:
    """Return a journey as the value of a cookie that nobody else can make."""
    text = base64.urlsafe_b64encode(json.dumps(vars(journey)).encode()).decode()
    return f"{text}.{digest_of(secret, 'oauth', text).hex()}"


def unpacked(secret: bytes, cookie: str) -> Journey:
    """Return the journey of a cookie.

    Raises:
        NotConfirmed: we did not make it.
    """
    text, _, mark = cookie.partition(".")
    if not hmac.compare_digest(digest_of(secret, "oauth", text).hex().encode(), mark.encode()):
        raise NotConfirmed("this browser did not leave from here, or refuses cookies")
    return Journey(**json.loads(base64.urlsafe_b64decode(text)))
