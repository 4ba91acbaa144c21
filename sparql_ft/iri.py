"""IRIs: reference resolution (RFC 3986, section 5.2) and validity (RFC 3987), as the RDF parser sees them.

Data is read by pyoxigraph and queries by us, and `<type>` must become the same IRI on both sides; so these functions
agree with pyoxigraph, and a property test holds them to it. Where it reads the RFC in its own way, so do we:

- an IRI with a scheme, or a host, is taken as written, its dot segments too (SPARQL 1.1, section 4.1.1.2, wants only
  *relative* IRIs combined with the base, and no normalisation);
- dot segments of the reference are resolved, those that the base brings along stay;
- without a host, climbing above the first segment leaves nothing, not even a slash: `../../a` from `urn:b/c` is
  `urn:a`.
"""

from __future__ import annotations

import ipaddress
import re
from typing import Final

__all__ = ["DEFAULT_BASE", "is_absolute", "is_valid_iri", "resolve"]

DEFAULT_BASE: Final = "urn:rtf:"
"""The base where none is given. `<type>` is `urn:type` then: merging replaces what follows the last slash, here all."""

_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
# RFC 3986, appendix B, for a text whose scheme is cut off: authority, path, query and fragment with their delimiters.
_PARTS: Final = re.compile(r"(//[^/?#]*)?([^?#]*)(\?[^#]*)?(#.*)?", re.DOTALL)

_PLANES: Final = "".join(f"{chr(p << 16)}-{chr((p << 16) + 0xFFFD)}" for p in range(1, 14))
_UCSCHAR: Final = f"\xa0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef{_PLANES}\U000e1000-\U000efffd"
_PRIVATE: Final = "\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd"
_PLAIN: Final = rf"A-Za-z0-9\-._~{_UCSCHAR}!$&'()*+,;="  # iunreserved and sub-delims
_PERCENT: Final = "%[0-9A-Fa-f]{2}"
_PATH: Final = re.compile(f"(?:[{_PLAIN}:@/]|{_PERCENT})*")
_VALID: Final = re.compile(
    rf"""
    [A-Za-z][A-Za-z0-9+.\-]* :
    (?: // (?: (?: [{_PLAIN}:] | {_PERCENT} )* @ )?                              # user
           (?: \[ (?: (?P<ipv6> [0-9A-Fa-f:.]+ ) | [vV][0-9A-Fa-f]+ \. [A-Za-z0-9\-._~!$&'()*+,;=:]+ ) \]
             | (?: [{_PLAIN}] | {_PERCENT} )* )                                  # host
           (?: : [0-9]* )?                                                       # port
           (?= [/?\#] | \Z )
      | (?!//) )
    (?: [{_PLAIN}:@/] | {_PERCENT} )*
    (?: \? (?: [{_PLAIN}:@/?{_PRIVATE}] | {_PERCENT} )* )?
    (?: \# (?: [{_PLAIN}:@/?] | {_PERCENT} )* )?
    """,
    re.VERBOSE,
)

# What most IRIs look like, recognised in a tenth of the time.
_USUAL: Final = re.compile(
    r"https?://[A-Za-z0-9.\-]++ (?:/[A-Za-z0-9\-._~!$&'()*+,;=:@/]*+)? (?:\#[A-Za-z0-9\-._~!$&'()*+,;=:@/]*+)?",
    re.VERBOSE,
)


def is_absolute(reference: str) -> bool:
    """Whether a reference begins with a scheme, so that no base has a say in it."""
    return _SCHEME.match(reference) is not None


def is_valid_iri(text: str) -> bool:
    """Whether the text is an absolute IRI by the grammar of RFC 3987."""
    if _USUAL.fullmatch(text):
        return True
    match = _VALID.fullmatch(text)
    if match is None:
        return False
    address = match["ipv6"]
    return address is None or _is_ipv6(address)


def resolve(reference: str, base: str) -> str:
    """The IRI that a reference means where `base`, an absolute IRI, is the base.

    Raises ValueError for a colon that ends no scheme, and for a path that, without a host, comes to begin with `//`.
    Which characters an IRI may have is the business of `is_valid_iri`.
    """
    if is_absolute(reference):
        return reference
    scheme = _SCHEME.match(base)
    if scheme is None:
        raise ValueError(f"the base <{base}> is no absolute IRI: it has no scheme")
    base_host, base_path, base_query, _ = _split(base[scheme.end() :])
    host, path, query, fragment = _split(reference)
    if ":" in path.partition("/")[0] and host is None:
        raise ValueError(f"<{reference}> is no IRI reference: what stands before its first colon is no scheme")
    if ".." in path and _PATH.fullmatch(path) is None:  # what is wrong may be gone from the result
        raise ValueError(f"<{reference}> is no IRI reference: its path has a character that none may have")
    if host is None:
        host = base_host
        root = "" if host is None else "/"
        if not path:
            path = base_path
            query = base_query if query is None else query
        elif path.startswith("/"):
            path = _climb("/", path[1:], root)
        elif host is not None and not base_path:
            path = _climb("/", path, root)
        else:
            path = _climb(base_path[: base_path.rfind("/") + 1], path, root)
    return "".join((scheme[0], host or "", path, query or "", fragment or ""))


def _split(text: str) -> tuple[str | None, str, str | None, str | None]:
    """Authority, path, query and fragment, each with its leading delimiter; None is not the same as empty."""
    match = _PARTS.fullmatch(text)
    assert match is not None, "the pattern takes any text"
    return match[1], match[2], match[3], match[4]


def _climb(folder: str, path: str, root: str) -> str:
    """`path` as seen from `folder` (empty, or ending in a slash), its `.` and `..` segments resolved (section 5.2.4).

    `root` is what remains where `..` has left all folders behind.
    """
    output = done = folder
    for segment in path.split("/"):
        if segment == "..":
            output = done = output[: output.rfind("/", 0, -1) + 1] or root
        elif segment == ".":
            done = output
        else:
            done = output + segment
            output = done + "/"
        if not root and done.startswith("//"):  # after each step: pyoxigraph does not wait for a `..` to mend it
            raise ValueError(f"the path {path} leads to one that begins with //, which would read as a host")
    return done


def _is_ipv6(text: str) -> bool:
    try:
        ipaddress.IPv6Address(text)
    except ValueError:
        return False
    return True
