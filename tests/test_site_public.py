"""What a site that others can reach needs, and whom it lets in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from grader.cli import main
from grader.site.passwords import BadPassword, checked_password, hash_password, is_right
from grader.site.public import NotReady, read_public
from grader.site.rates import RULES, Rates, network_of
from grader.site.visitors import digest_of, new_ticket

SECRET = "0123456789abcdef" * 4
GOOD: dict[str, Any] = {
    "url": "https://judge.example.org",
    "secret_key": SECRET,
    "secret_key_file": None,
    "proxies": ("127.0.0.1",),
    "certificate": None,
    "key": None,
    "registration": "open",
    "providers_file": None,
    "isolation": "full",
}


def faults(**changed: Any) -> list[str]:
    """What is missing when one thing is otherwise than it should be."""
    with pytest.raises(NotReady) as caught:
        read_public(**GOOD | changed)
    return caught.value.faults


def test_with_everything_it_is_ready() -> None:
    """And neither secret is shown where a setting is."""
    public = read_public(**GOOD)
    assert public.host == "judge.example.org"
    assert SECRET not in repr(public)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"isolation": "none"}, "full jail"),
        ({"secret_key": None}, "a secret key is missing"),
        ({"secret_key": "short"}, "shorter than 32 bytes"),
        ({"url": None}, "address is missing"),
        ({"url": "http://judge.example.org"}, "https://NAME expected"),
        ({"url": "https://judge.example.org/at/home"}, "without a path"),
        ({"url": "https://me:pw@judge.example.org"}, "without a path"),
        ({"proxies": ()}, "HTTPS is missing"),
        ({"proxies": ("judge",)}, "an address such as"),
        ({"certificate": Path("c.pem")}, "belong together"),
        ({"certificate": Path("c.pem"), "key": Path("k.pem")}, "No such file"),
    ],
)
def test_each_missing_thing_is_told(changed: dict[str, Any], said: str) -> None:
    """In a sentence that says what to do."""
    (fault,) = faults(**changed)
    assert said in fault


def test_all_that_is_missing_is_told_at_once() -> None:
    """Nobody starts a site five times to learn five things."""
    assert len(faults(isolation="none", secret_key=None, url=None, proxies=())) == 4


def test_a_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    """On the machine it would be no secret."""
    file = tmp_path / "key"
    file.write_text(SECRET)
    file.chmod(0o644)
    assert "chmod 600" in faults(secret_key=None, secret_key_file=file)[0]
    file.chmod(0o600)
    assert read_public(**GOOD | {"secret_key": None, "secret_key_file": file}).secret


PROVIDER = """
[school]
label = "The school"
client_id = "judge"
client_secret = "quiet"
authorize_url = "https://id.example.org/authorize"
token_url = "https://id.example.org/token"
user_url = "https://id.example.org/user"
"""


def test_providers_are_read_from_a_file(tmp_path: Path) -> None:
    """With OpenID Connect's names of fields, unless it says others."""
    file = tmp_path / "providers.toml"
    file.write_text(PROVIDER)
    (provider,) = read_public(**GOOD | {"providers_file": file}).providers
    assert (provider.name, provider.label, provider.subject) == ("school", "The school", "sub")
    assert "quiet" not in repr(provider)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (PROVIDER.replace("https://id.example.org/token", "http://id.example.org/token"), "https:"),
        (PROVIDER.replace('client_id = "judge"', ""), "client_id"),
        (PROVIDER + "colour = 'red'\n", "colour"),
        (PROVIDER + "scope = 3\n", "must be a text"),
        (PROVIDER.replace("[school]", '["../x"]'), "letters and digits"),
        ("[school\nlabel = 1", "line 1"),
    ],
)
def test_a_faulty_file_of_providers_is_refused(text: str, said: str, tmp_path: Path) -> None:
    """By name of file and table."""
    file = tmp_path / "providers.toml"
    file.write_text(text)
    (fault,) = faults(providers_file=file)
    assert str(file) in fault
    assert said in fault


def test_the_command_lists_what_a_public_site_lacks(tmp_path: Path) -> None:
    """And ends as for wrong usage."""
    env = {"TENSORJUDGE_SECRET_KEY": ""}
    done = CliRunner().invoke(main, ["serve", "--public", "--data", str(tmp_path)], env=env)
    assert done.exit_code == 2
    for said in ("secret key is missing", "address is missing", "HTTPS is missing"):
        assert said in done.output


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.5", "judge.example.org", "::"])
def test_without_public_an_address_others_can_reach_is_refused(host: str, tmp_path: Path) -> None:
    """There is no log-in."""
    done = CliRunner().invoke(main, ["serve", "--host", host, "--data", str(tmp_path)])
    assert done.exit_code == 2
    assert "no log-in" in done.output


# --- passwords and tickets -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("password", "kind"),
    [
        ("short", "short"),
        ("x" * 201, "long"),
        ("aaaaaaaaaaaa", "easy"),
        ("Password123", "easy"),
        ("minh.anh.nguyen", "easy"),
        ("neyugn.hna.hnim", "easy"),
    ],
)
def test_a_password_that_is_easily_guessed_is_refused(password: str, kind: str) -> None:
    """The list is short; length does the work."""
    with pytest.raises(BadPassword) as caught:
        checked_password(password, "minh.anh.nguyen")
    assert caught.value.kind == kind


def test_a_password_is_known_again_however_its_letters_were_typed() -> None:
    """One keyboard writes é as one character, another as two."""
    stored = hash_password("caf\u00e9 au lait")
    assert stored.startswith("$argon2id$")
    assert is_right("cafe\u0301 au lait", stored)
    assert not is_right("cafe au lait", stored)
    assert not is_right("caf\u00e9 au lait", None)
    assert not is_right("caf\u00e9 au lait", "no hash")


def test_one_kind_of_ticket_cannot_stand_in_for_another() -> None:
    """Nor can a row made with another secret."""
    ticket = new_ticket()
    digests = {
        digest_of(secret, purpose, ticket)
        for secret in (b"one", b"two")
        for purpose in ("session", "token", "link", "oauth")
    }
    assert len(digests) == 8
    assert all(len(each) == 32 for each in digests)


# --- rates ---------------------------------------------------------------------------------------


def test_an_account_is_held_back_and_others_are_not() -> None:
    """From the same address too."""
    rates = Rates()
    most = RULES["sign-in"].account.amount
    assert [rates.wait_s("sign-in", "ann", "192.0.2.1") for _ in range(most)] == [0] * most
    assert 1 <= rates.wait_s("sign-in", "ann", "192.0.2.9") <= 300
    assert rates.wait_s("sign-in", "bob", "192.0.2.1") == 0


def test_an_address_is_held_back_whoever_asks() -> None:
    """Else a list of stolen logins could be tried one by one."""
    rates = Rates()
    most = RULES["sign-in"].address.amount
    assert not any(rates.wait_s("sign-in", f"n{n}", "192.0.2.1") for n in range(most))
    assert rates.wait_s("sign-in", "someone", "192.0.2.1") > 0
    assert rates.wait_s("sign-in", "someone", "192.0.2.2") == 0


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("testclient", "testclient"),
    ],
)
def test_a_subscriber_has_one_network(address: str, network: str) -> None:
    """Of IPv6 addresses each has more than there are numbers to count with."""
    assert network_of(address) == network
