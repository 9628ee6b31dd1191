"""How often something may be done, by account and by address.

The counts are this process's own, and begin anew with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil
from typing import Final

from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter


@dataclass(frozen=True)
class _Rule:
    """Rates of one kind of act.

    A class of three hundred may sit behind one address: its rates are that much higher.
    """

    account: RateLimitItem
    address: RateLimitItem


def _rule(account: str, address: str) -> _Rule:
    return _Rule(parse(account), parse(address))


RULES: Final = {
    "sign-in": _rule("10 per 5 minutes", "600 per 5 minutes"),
    "sign-up": _rule("10 per 5 minutes", "600 per hour"),
    "submit": _rule("30 per minute", "1200 per minute"),
    "check": _rule("120 per minute", "6000 per minute"),
    "api": _rule("300 per minute", "6000 per minute"),
    "join": _rule("20 per 5 minutes", "900 per 5 minutes"),
}


class Rates:
    """Counts what was done."""

    def __init__(self) -> None:
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    def wait_s(self, act: str, account: str, address: str) -> int:
        """Count one more, and return 0, or the seconds to wait if it is one too many.

        Args:
            account: who does it, "" for nobody.
            address: of the network it comes from.
        """
        rule = RULES[act]
        whole = [(rule.address, (act, "address", network_of(address)))]
        if account:
            whole.append((rule.account, (act, "account", account)))
        for rate, names in whole:
            if not self._limiter.test(rate, *names):
                reset = self._limiter.get_window_stats(rate, *names).reset_time
                return max(1, ceil(reset - datetime.now(UTC).timestamp()))
        for rate, names in whole:
            self._limiter.hit(rate, *names)
        return 0


def network_of(address: str) -> str:
    """Return what stands for one subscriber: an IPv4 address, or the /64 of an IPv6 one."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        return str(ip_network((parsed, 64), strict=False))
    return str(parsed)
