"""A site as `grader serve` brings it up, in a process of its own, and a browser that knows it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import httpx2

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
NAME = "judge.example.org"
SECRET = "a secret of the tests, long enough to be one"


class Site:
    """A site that is running, and can be killed and started again.

    Args:
        data: folder of its database.
        more: options of `grader serve`.
    """

    def __init__(self, data: Path, *more: str) -> None:
        self.port = free_port()
        self.data = data
        self.is_public = "--public" in more
        self.address = f"https://{NAME}" if self.is_public else f"http://127.0.0.1:{self.port}"
        self._command = [sys.executable, "-m", "grader", "serve", "--port", str(self.port)]
        self._command += ["--data", str(data), *more]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        environment = os.environ | {"TENSORJUDGE_SECRET_KEY": SECRET}
        self._process = subprocess.Popen(self._command, env=environment, stdout=subprocess.DEVNULL)
        scheme = "https" if self.is_public else "http"
        with httpx2.Client(base_url=f"{scheme}://127.0.0.1:{self.port}", verify=False) as client:
            for _ in range(300):
                try:
                    client.get("/healthz")
                except httpx2.TransportError:
                    time.sleep(0.1)
                else:
                    return
        raise AssertionError("the site does not answer")

    def end(self, *, kill: bool = False) -> None:
        """Ask it to end, or kill it."""
        if self._process is not None:
            (self._process.kill if kill else self._process.terminate)()
            self._process.wait(30)


def free_port() -> int:
    """A port that nobody has."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        number: int = found.getsockname()[1]
        return number


@contextmanager
def local_site(data: Path, *more: str) -> Iterator[Site]:
    """A site of one learner."""
    site = Site(data, *more)
    site.start()
    try:
        yield site
    finally:
        site.end()


@contextmanager
def public_site(data: Path, *more: str) -> Iterator[Site]:
    """A site with accounts, behind a certificate of its own making."""
    certificate, key = self_signed(data)
    options = ("--public", "--url", f"https://{NAME}", "--certificate", str(certificate))
    with local_site(data, *options, "--key", str(key), *more) as site:
        yield site


@contextmanager
def a_browser(driver: Any, site: Site) -> Iterator[Any]:
    """Chromium; the public site's name leads to the site.

    Args:
        driver: of Playwright; a thread has one.
    """
    rules = f"--host-resolver-rules=MAP {NAME}:443 127.0.0.1:{site.port}"
    made = driver.chromium.launch(executable_path=BROWSER, args=["--no-sandbox", rules])
    try:
        yield made
    finally:
        made.close()


def self_signed(folder: Path) -> tuple[Path, Path]:
    """Return files of a certificate and its key."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, NAME)])
    now = datetime.now(UTC)
    names = [x509.DNSName(NAME), x509.IPAddress(ip_address("127.0.0.1"))]
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .sign(key, hashes.SHA256())
    )
    files = folder / "site.pem", folder / "site.key"
    files[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    form = serialization.PrivateFormat.PKCS8
    files[1].write_bytes(key.private_bytes(serialization.Encoding.PEM, form, plain))
    return files
