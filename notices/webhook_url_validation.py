"""Validation of the URLs and IP addresses of webhooks, which must be on the public internet."""
# IANA lists the addresses that are not public (RFC 6890). For IPv4 addresses in IPv6 see RFC 4291 (mapped), RFC 6052
# (NAT64) and RFC 3056 (6to4).

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

from django.utils.translation import gettext

Address = IPv4Address | IPv6Address
Resolver = Callable[[str, int], Sequence[str]]
MAX_URL_CHARACTERS = 500
DEFAULT_PORTS = {"http": 80, "https": 443}
MIN_OTHER_PORT = 1025
"""Lowest allowed port besides 80 and 443; lower ports belong to other services."""
CLOSED_NETWORKS = [
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
GLOBAL_IPV6_NETWORK = ip_network("2000::/3")
NAT64_NETWORK = ip_network("64:ff9b::/96")


class ForbiddenAddressError(ValueError):
    """Raised for a URL or IP address that webhooks must not use."""


def check_url(url: str, *, private: bool) -> None:
    """Raise ForbiddenAddressError for an invalid webhook URL. With `private`, private IP addresses are valid.

    >>> check_url("https://bots.example/hook", private=False)
    >>> check_url("ftp://bots.example/", private=False)
    Traceback (most recent call last):
    notices.webhook_url_validation.ForbiddenAddressError: the address must begin with https:// or http://, not 'ftp'
    """
    # A host name is not resolved here: `resolve_checked` checks its addresses before each connection.
    if not (
        url.isascii() and url.isprintable() and " " not in url and "\\" not in url and len(url) <= MAX_URL_CHARACTERS
    ):
        raise ForbiddenAddressError(
            gettext("the address must be at most %(most)s ASCII letters without blanks; write names as xn--…")
            % {"most": MAX_URL_CHARACTERS}
        )
    try:
        parts, port = urlsplit(url), urlsplit(url).port
    except ValueError as error:
        raise ForbiddenAddressError(gettext("the address cannot be read: %(error)s") % {"error": error}) from None
    if parts.scheme not in DEFAULT_PORTS:
        raise ForbiddenAddressError(
            gettext("the address must begin with https:// or http://, not %(scheme)r") % {"scheme": parts.scheme[:20]}
        )
    if port is not None and port not in DEFAULT_PORTS.values() and port < MIN_OTHER_PORT:
        raise ForbiddenAddressError(
            gettext("the port must be 80, 443 or at least %(least)s, not %(port)s")
            % {"least": MIN_OTHER_PORT, "port": port}
        )
    _check_host(parts, private=private)


def _check_host(parts: SplitResult, *, private: bool) -> None:
    if not parts.hostname:
        raise ForbiddenAddressError(gettext("the address names no host, like https://bots.example/hook"))
    if "@" in parts.netloc:
        raise ForbiddenAddressError(
            gettext(
                "the address must not contain a user name or password; verify the signature of each message instead"
            )
        )
    if parts.fragment:
        raise ForbiddenAddressError(gettext("the address must not end with a fragment (#…), which is never sent"))
    try:
        literal = ip_address(parts.hostname)
    except ValueError:
        return
    check_address(str(literal), private=private)


def resolve_host(host: str, port: int) -> Sequence[str]:
    """Return the IP addresses of a host name, without duplicates; raises OSError."""
    infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    return list(dict.fromkeys(str(info[4][0]) for info in infos))


def check_address(text: str, *, private: bool) -> None:
    """Raise ForbiddenAddressError for a text that is no public IP address. With `private`, allow private ones too."""
    try:
        address = ip_address(text)
    except ValueError:
        raise ForbiddenAddressError(gettext("%(text)r is no address") % {"text": text[:60]}) from None
    if not (_is_unicast(address) if private else is_public(address)):
        raise ForbiddenAddressError(
            gettext("%(text)s is no public address: webhooks go to the internet only") % {"text": text}
        )


def _is_unicast(address: Address) -> bool:
    return not (address.is_multicast or address.is_unspecified)


def is_public(address: Address) -> bool:
    """Return True if an IP address, or the IPv4 address embedded in it, is on the public internet.

    The example tests a documentation address, a public address, the private address 10.0.0.1 mapped to IPv6, and the
    public address 8.8.8.8 embedded in a NAT64 address.

    >>> [is_public(ip_address(text)) for text in ("192.0.2.1", "8.8.8.8", "::ffff:10.0.0.1", "64:ff9b::808:808")]
    [False, True, False, True]
    """
    ipv4 = _extract_ipv4(address)
    if ipv4 is not None:
        return is_public(ipv4)
    if any(address in network for network in CLOSED_NETWORKS):
        return False
    if isinstance(address, IPv6Address):
        return address in GLOBAL_IPV6_NETWORK and address.scope_id is None and address.is_global
    return address.is_global and not address.is_multicast and not address.is_reserved


def _extract_ipv4(address: Address) -> IPv4Address | None:
    if not isinstance(address, IPv6Address):
        return None
    if address in NAT64_NETWORK:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped


def resolve_checked(host: str, port: int, resolve: Resolver, *, private: bool) -> Sequence[str]:
    """Return the IP addresses of a host name.

    Raises ForbiddenAddressError if any address is forbidden, and OSError if the name cannot be resolved.
    """
    addresses = resolve(host, port)
    for text in addresses:
        check_address(text, private=private)
    if not addresses:
        raise OSError(f"{host} has no address")
    return addresses
