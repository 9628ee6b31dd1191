"""Keeps the site to its own pages: headers on every answer, and who may send what."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

# Style attributes are let pass: a browser sets some itself where one types. No page has any.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline';"
    " img-src 'self' data:;"
    " connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none';"
    " frame-ancestors 'none'"
)
_HEADERS: list[tuple[bytes, bytes]] = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
]
# For a year: the browser asks for the site by HTTPS alone.
_SECURE_ONLY = (b"strict-transport-security", b"max-age=31536000")
_UNSAFE = ("POST", "PUT", "PATCH", "DELETE")
# What is asked from this machine about the process itself, not by a name and not by a browser.
_INSIDE = ("/healthz", "/metrics")
# A source of 256 KiB, every byte of it written as %XX, and the other fields.
MAX_BODY_BYTES = 1 << 20


class Guard:
    """Middleware.

    Args:
        hosts: names under which the site may be asked for; another name is somebody's page that
            had its name pointed here.
        public: the site has accounts: nothing is answered without HTTPS, and a browser that does
            not say from where a form comes is not believed.
    """

    def __init__(self, app: App, hosts: tuple[str, ...], *, public: bool = False) -> None:
        self._app = app
        self._hosts = {name.strip("[]") for name in hosts}
        self._public = public
        self._headers = [*_HEADERS, _SECURE_ONLY] if public else _HEADERS

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await self._answer(send, *refusal)
            return
        await self._app(scope, _bounded(receive), self._with_headers(send))

    def _refusal(self, scope: Scope, headers: dict[bytes, str]) -> tuple[int, str] | None:
        host = headers.get(b"host", "")
        if not (scope["path"] in _INSIDE and is_loopback(scope)):
            if urlsplit(f"//{host}").hostname not in self._hosts:
                return 400, "this site is not known by that name"
            if self._public and scope.get("scheme") != "https":
                return 400, "this site is to be asked by HTTPS"
        length = headers.get(b"content-length", "0")
        if not length.isdigit() or int(length) > MAX_BODY_BYTES:
            return 413, "that is more than a submission may have"
        if scope["method"] in _UNSAFE and not self._is_own(headers, host):
            return 403, "that came from another site's page"
        return None

    def _is_own(self, headers: dict[bytes, str], host: str) -> bool:
        """Whether a request that changes something comes from our own page, or from no page."""
        site = headers.get(b"sec-fetch-site")
        if site is not None:
            return site in ("same-origin", "none")
        origin = headers.get(b"origin")
        if origin is not None:
            return urlsplit(origin).netloc == host
        # No browser adds a token by itself.
        return not self._public or b"authorization" in headers

    def _with_headers(self, send: Send) -> Send:
        async def write(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", []), *self._headers]}
            await send(message)

        return write

    async def _answer(self, send: Send, status: int, text: str) -> None:
        headers = [(b"content-type", b"text/plain; charset=utf-8"), *self._headers]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": text.encode()})


def is_loopback(scope: Scope) -> bool:
    """Whether a request comes from this machine, and was not passed on for somebody else."""
    host = (scope.get("client") or ("",))[0]
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _bounded(receive: Receive) -> Receive:
    """Let no body grow beyond the bound, whatever length it claims."""
    seen = 0

    async def read() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > MAX_BODY_BYTES:
            return {"type": "http.disconnect"}
        return message

    return read
