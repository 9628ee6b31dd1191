"""What a site that others can reach must have; it does not start without it."""

from __future__ import annotations

import ssl
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

Registration = Literal["open", "closed"]
_LEAST_SECRET_BYTES = 32
_MOST_WAITING = 5


class NotReady(ValueError):
    """Something that a public site needs is missing.

    Attributes:
        faults: a sentence each.
    """

    def __init__(self, faults: list[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


@dataclass(frozen=True)
class Provider:
    """Where people may sign in with an account they have elsewhere: OAuth 2 with PKCE.

    Attributes:
        name: in addresses; `label` is what the button says.
        user_url: answers with a JSON object that names the account.
        subject: its field that never changes, "sub" in OpenID Connect (Core 1.0, section 5.1).
        login: its field from which a login is made at the first visit.
    """

    name: str
    label: str
    client_id: str
    client_secret: str = field(repr=False)
    authorize_url: str
    token_url: str
    user_url: str
    scope: str = "openid profile"
    subject: str = "sub"
    login: str = "preferred_username"


@dataclass(frozen=True)
class Public:
    """A site with accounts, open to others.

    Attributes:
        url: under which it is known: `https://judge.example.org`.
        secret: key of the digests in the store; another one signs everybody out.
        proxies: addresses whose word is taken for who asks and how.
        certificate, key: for HTTPS of its own.
        registration: whether people make their accounts themselves.
        most_waiting: submissions of one learner that may wait at a time.
    """

    url: str
    secret: bytes = field(repr=False)
    proxies: tuple[str, ...] = ()
    certificate: Path | None = None
    key: Path | None = None
    registration: Registration = "open"
    providers: tuple[Provider, ...] = ()
    most_waiting: int = _MOST_WAITING

    @property
    def host(self) -> str:
        """The name of the site."""
        return urlsplit(self.url).hostname or ""

    def provider(self, name: str) -> Provider | None:
        """Return a provider by name."""
        return next((each for each in self.providers if each.name == name), None)


def read_public(
    *,
    url: str | None,
    secret_key: str | None,
    secret_key_file: Path | None,
    proxies: tuple[str, ...],
    certificate: Path | None,
    key: Path | None,
    registration: Registration,
    providers_file: Path | None,
    isolation: str,
) -> Public:
    """Put together what a public site needs.

    Raises:
        NotReady: with everything that is missing, not only the first.
    """
    faults: list[str] = []
    if isolation != "full":
        faults.append("--isolation none: strangers' code needs the full jail")
    secret = _secret(secret_key, secret_key_file, faults)
    _check_url(url, faults)
    _check_way_in(proxies, certificate, key, faults)
    providers = _providers(providers_file, faults)
    if faults:
        raise NotReady(faults)
    return Public(
        (url or "").rstrip("/"), secret, proxies, certificate, key, registration, providers
    )


def _secret(text: str | None, file: Path | None, faults: list[str]) -> bytes:
    if file is not None:
        try:
            if file.stat().st_mode & 0o077:
                faults.append(f"{file}: others may read the secret key; run: chmod 600 {file}")
            text = file.read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            faults.append(f"{file}: {getattr(error, 'strerror', None) or 'no text'}")
            return b""
    if not text:
        faults.append(
            "a secret key is missing: --secret-key-file FILE or TENSORJUDGE_SECRET_KEY; make one"
            " with: python3 -c 'import secrets; print(secrets.token_hex(32))'"
        )
        return b""
    if len(text.encode()) < _LEAST_SECRET_BYTES:
        faults.append(f"the secret key is shorter than {_LEAST_SECRET_BYTES} bytes")
    return text.encode()


def _check_url(url: str | None, faults: list[str]) -> None:
    if url is None:
        faults.append("the site's address is missing: --url https://judge.example.org")
        return
    parts = urlsplit(url)
    if parts.scheme != "https" or not parts.hostname:
        faults.append(f"--url {url}: https://NAME expected; passwords must not travel in the open")
    elif parts.path not in ("", "/") or parts.query or parts.fragment or parts.username:
        faults.append(f"--url {url}: a name alone, without a path, expected")


def _check_way_in(
    proxies: tuple[str, ...], certificate: Path | None, key: Path | None, faults: list[str]
) -> None:
    for proxy in proxies:
        try:
            ip_network(proxy)
        except ValueError:
            faults.append(f"--trusted-proxy {proxy}: an address such as 127.0.0.1 expected")
    if (certificate is None) != (key is None):
        faults.append("--certificate and --key belong together")
    elif certificate is not None and key is not None:
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key)
        except (OSError, ssl.SSLError) as error:
            faults.append(f"{certificate}, {key}: {error.strerror or error}")
    elif not proxies:
        faults.append(
            "HTTPS is missing: --certificate FILE --key FILE, or --trusted-proxy ADDRESS of the"
            " server in front that speaks it"
        )


def _providers(file: Path | None, faults: list[str]) -> tuple[Provider, ...]:
    if file is None:
        return ()
    try:
        tables = tomllib.loads(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        faults.append(f"{file}: {getattr(error, 'strerror', None) or error}")
        return ()
    return tuple(
        made
        for name, table in tables.items()
        if (made := _provider(file, name, table, faults)) is not None
    )


def _provider(file: Path, name: str, table: Any, faults: list[str]) -> Provider | None:
    if not (name.isascii() and name.replace("-", "").isalnum()) or not isinstance(table, Mapping):
        faults.append(f"{file}: [{name}] with letters and digits expected, a table each")
        return None
    given = {"label": name, **table}
    if not all(isinstance(value, str) for value in given.values()):
        faults.append(f"{file}: [{name}]: every value must be a text")
        return None
    try:
        made = Provider(name=name, **given)
    except TypeError as error:
        faults.append(f"{file}: [{name}]: {str(error).partition('__init__() ')[2] or error}")
        return None
    for address in (made.authorize_url, made.token_url, made.user_url):
        parts = urlsplit(address)
        if parts.scheme != "https" and parts.hostname not in ("127.0.0.1", "localhost"):
            faults.append(f"{file}: [{name}]: {address}: https:// expected")
    return made
