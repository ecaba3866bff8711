"""Validation of webhook addresses: only the public internet, checked after name resolution when connecting.

Non-public addresses are listed by IANA (Special-Purpose Address Registries, RFC 6890). For IPv4 addresses embedded in
IPv6 see RFC 4291 (mapped), RFC 6052 (NAT64) and RFC 3056 (6to4).
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

from django.utils.translation import gettext

Address = IPv4Address | IPv6Address
Resolve = Callable[[str, int], Sequence[str]]
LONGEST_URL = 500
USUAL = {"http": 80, "https": 443}
LOWEST_PORT = 1025
"""Lowest allowed port beside the usual ones; lower ports belong to other services."""
CLOSED = [
    ip_network(text)
    for text in (
        "192.0.0.0/24",  # protocol assignments, and a cloud's metadata service
        "192.88.99.0/24",  # 6to4 relays
        "168.63.129.16/32",  # a public address with a cloud's metadata service
        "2001::/23",  # protocol assignments: Teredo, ORCHID
        "2001:db8::/32",
        "2002::/16",  # 6to4
        "3fff::/20",  # documentation
    )
]
GLOBAL_IPV6 = ip_network("2000::/3")
NAT64 = ip_network("64:ff9b::/96")


class Forbidden(ValueError):
    """Raised for an address that webhooks may not use; the message gives the remedy."""


def check_url(url: str, *, private: bool) -> None:
    """Raise Forbidden for an invalid endpoint URL; the addresses of its host are checked when connecting.

    >>> check_url("https://bots.example/hook", private=False)
    >>> check_url("ftp://bots.example/", private=False)
    Traceback (most recent call last):
    notices.addresses.Forbidden: the address must begin with https:// or http://, not 'ftp'
    """
    if not (url.isascii() and url.isprintable() and " " not in url and "\\" not in url and len(url) <= LONGEST_URL):
        raise Forbidden(
            gettext("the address must be at most %(most)s ASCII letters without blanks; write names as xn--…")
            % {"most": LONGEST_URL}
        )
    try:
        parts, port = urlsplit(url), urlsplit(url).port
    except ValueError as error:
        raise Forbidden(gettext("the address cannot be read: %(error)s") % {"error": error}) from None
    if parts.scheme not in USUAL:
        raise Forbidden(
            gettext("the address must begin with https:// or http://, not %(scheme)r") % {"scheme": parts.scheme[:20]}
        )
    if port is not None and port not in USUAL.values() and port < LOWEST_PORT:
        raise Forbidden(
            gettext("the port must be 80, 443 or at least %(least)s, not %(port)s")
            % {"least": LOWEST_PORT, "port": port}
        )
    _check_rest(parts, private=private)


def _check_rest(parts: SplitResult, *, private: bool) -> None:
    if not parts.hostname:
        raise Forbidden(gettext("the address names no host, like https://bots.example/hook"))
    if "@" in parts.netloc:
        raise Forbidden(gettext("the address must not hold a name or a password; the signature says who sends"))
    if parts.fragment:
        raise Forbidden(gettext("the address must not end with a fragment (#…), which is never sent"))
    try:
        literal = ip_address(parts.hostname)
    except ValueError:
        return
    check_address(str(literal), private=private)


def resolved(host: str, port: int) -> Sequence[str]:
    """Resolve a host to addresses; raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    return list(dict.fromkeys(str(row[4][0]) for row in found))


def check_address(text: str, *, private: bool) -> None:
    """Raise Forbidden for an address that is not public; with `private`, internal addresses are allowed."""
    try:
        address = ip_address(text)
    except ValueError:
        raise Forbidden(gettext("%(text)r is no address") % {"text": text[:60]}) from None
    if not (_is_single(address) if private else is_public(address)):
        raise Forbidden(gettext("%(text)s is no public address: webhooks go to the internet only") % {"text": text})


def _is_single(address: Address) -> bool:
    return not (address.is_multicast or address.is_unspecified)


def is_public(address: Address) -> bool:
    """Return True if an address, or the IPv4 address embedded in it, is on the public internet.

    >>> [is_public(ip_address(text)) for text in ("192.0.2.1", "8.8.8.8", "::ffff:10.0.0.1", "64:ff9b::808:808")]
    [False, True, False, True]
    """
    carried = _carried(address)
    if carried is not None:
        return is_public(carried)
    if any(address in network for network in CLOSED):
        return False
    if isinstance(address, IPv6Address):
        return address in GLOBAL_IPV6 and address.scope_id is None and address.is_global
    return address.is_global and not address.is_multicast and not address.is_reserved


def _carried(address: Address) -> IPv4Address | None:
    if not isinstance(address, IPv6Address):
        return None
    if address in NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped


def checked(host: str, port: int, resolve: Resolve, *, private: bool) -> Sequence[str]:
    """Resolve a host and check every address; raises Forbidden or OSError."""
    found = resolve(host, port)
    for text in found:
        check_address(text, private=private)
    if not found:
        raise OSError(f"{host} has no address")
    return found
