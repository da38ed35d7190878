import re

_VISIBLE = re.compile(r"[!-~]+")
_WITH_AUTHORITY = re.compile(
    r"([a-z][a-z0-9+.-]*)://([^/?#]*@)?([^/?#]*?)(?::([0-9]*))?([/?#].*)?", re.IGNORECASE
)
_SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_TRIPLET = re.compile(r"%[0-9a-f]{2}", re.IGNORECASE)
_DEFAULT_PORTS = {"http": "80", "https": "443", "ws": "80", "wss": "443"}


def _authority_form(parts: re.Match[str]) -> str:
    scheme, user, host, port, rest = parts.groups(default="")
    scheme = scheme.lower()
    kept = f":{port}" if port and port != _DEFAULT_PORTS.get(scheme) else ""
    path = rest if rest.startswith("/") else f"/{rest}"
    return f"{scheme}://{user}{host.lower()}{kept}{path}"


def resource_form(uri: str) -> str:
    """The form in which resources (RFC 8707) and audiences are compared: the case of scheme, host and percent-encoding
    (RFC 3986 §6.2.2.1), the default port and the empty path (§6.2.3) mean nothing. Everything else does, as the final
    slash of a path. Only visible ASCII is a URI; anything else is compared as it stands.
    """
    if not _VISIBLE.fullmatch(uri):
        return uri
    parts = _WITH_AUTHORITY.fullmatch(uri)
    form = _authority_form(parts) if parts else _SCHEME.sub(lambda name: name[0].lower(), uri, count=1)
    return _TRIPLET.sub(lambda triplet: triplet[0].upper(), form)


def is_same_resource(one: str, other: str) -> bool:
    """Do two URIs name one resource?"""
    return one == other or resource_form(one) == resource_form(other)
