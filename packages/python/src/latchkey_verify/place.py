"""URLs in the form in which proofs are compared (RFC 9449 §4.3), read as browsers read them."""

import re
from ipaddress import AddressValueError, IPv4Address, IPv6Address

_LONGEST_URL = 2048
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
_NUMBER = re.compile(r"[0-9]+|0[xX][0-9A-Fa-f]*")
_HOST = re.compile(r"[a-z0-9!$&'()*+,;=_~.\-{}\"`]+")
_UNRESERVED = re.compile(r"[A-Za-z0-9\-._~]")
_CONTROLS = "".join(map(chr, range(33)))
_LINE_ENDS = str.maketrans("", "", "\t\n\r")
_DEFAULT_PORTS = {"https": 443, "http": 80}


def _unescape(text: str) -> str:
    return _ESCAPE.sub(lambda found: chr(int(found.group()[1:], 16)), text)


def _part_of_ipv4(text: str) -> int | None:
    try:
        if text.startswith("0x"):
            return int(text[2:] or "0", 16)
        return int(text, 8 if len(text) > 1 and text[0] == "0" else 10)
    except ValueError:
        return None


def _ipv4_of(host: str) -> str | None:
    """Reads the spellings of an address that browsers accept, such as `0x7f.1`."""
    parts = [_part_of_ipv4(part) for part in host.removesuffix(".").split(".")]
    numbers = [part for part in parts if part is not None]
    if len(numbers) != len(parts) or len(parts) > 4:
        return None
    *firsts, last = numbers
    if any(part > 255 for part in firsts) or last >= 256 ** (5 - len(parts)):
        return None
    return str(IPv4Address(last + sum(part << (8 * (3 - at)) for at, part in enumerate(firsts))))


def _normal_host(host: str) -> str | None:
    """None for a host that is none. Names must be ASCII: write others in Punycode."""
    if host.startswith("["):
        try:
            address = IPv6Address(host[1:].removesuffix("]"))
        except AddressValueError:
            return None
        return f"[{address.compressed}]" if host.endswith("]") and address.scope_id is None else None
    host = _unescape(host).lower()
    if not _HOST.fullmatch(host):
        return None
    last = host.removesuffix(".").rsplit(".", 1)[-1]
    return _ipv4_of(host) if _NUMBER.fullmatch(last) else host


def _normal_port(port: str, scheme: str) -> str | None:
    if port == "":
        return ""
    if not (port.isascii() and port.isdigit()) or int(port) > 65_535:
        return None
    return "" if int(port) == _DEFAULT_PORTS[scheme] else f":{int(port)}"


def _without_dots(path: str) -> str:
    """Resolves dot segments (RFC 3986 §5.2.4)."""
    segments = path.replace("\\", "/").split("/")[1:]
    kept: list[str] = []
    for at, segment in enumerate(segments):
        plain = segment.lower().replace("%2e", ".")
        if plain == "..":
            del kept[-1:]
        elif plain != ".":
            kept.append(segment)
            continue
        if at == len(segments) - 1:
            kept.append("")
    return "/" + "/".join(kept)


def _escaped(byte: int) -> str:
    return f"%{byte:02X}" if byte <= 0x20 or byte >= 0x7F or byte in b'"<>^`{}' else chr(byte)


def _spelled(found: re.Match[str]) -> str:
    character = _unescape(found.group())
    return character if _UNRESERVED.fullmatch(character) else found.group().upper()


def _normal_path(path: str) -> str:
    """`%7e` and `~` are one, and so are `%2f` and `%2F` (RFC 3986 §6.2.2)."""
    return _ESCAPE.sub(_spelled, "".join(map(_escaped, _without_dots(path).encode("utf-8", "replace"))))


def _split(rest: str) -> tuple[str, str]:
    """Authority and path."""
    found = re.search(r"[/\\]", rest)
    return (rest, "/") if found is None else (rest[: found.start()], rest[found.start() :])


def has_scheme(text: str) -> bool:
    return _SCHEME.match(text) is not None


def normal_url(text: str) -> str | None:
    """Normalises a URL: without query and fragment (RFC 3986 §6.2.2, §6.2.3). None when it is not an HTTP URL."""
    if len(text) > _LONGEST_URL:
        return None
    text = text.strip(_CONTROLS).translate(_LINE_ENDS)
    found = _SCHEME.match(text)
    scheme = "" if found is None else found.group(1).lower()
    if found is None or scheme not in _DEFAULT_PORTS:
        return None
    rest = re.split(r"[?#]", text[found.end() :], maxsplit=1)[0]
    if not rest.startswith(("/", "\\")):
        return None  # relative: there is no authority
    authority, path = _split(rest.lstrip("/\\"))
    user, _, place = authority.rpartition("@")
    if user.strip(":") != "":
        return None
    host, colon, port = place.rpartition(":")
    if not colon or "]" in port:
        host, port = place, ""
    normal_host, normal_port = _normal_host(host), _normal_port(port, scheme)
    if normal_host is None or normal_port is None:
        return None
    return f"{scheme}://{normal_host}{normal_port}{_normal_path(path)}"
