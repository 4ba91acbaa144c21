"""The catalogue of DBpedia's dumps: which releases there are, which files, what each holds, and where it is.

    python -m datasets.catalogue                      the releases and the files
    python -m datasets.catalogue --release 2016-10    addresses to fetch the files from

Nothing here fetches anything.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

__all__ = ["DUMPS", "RELEASES", "Dump", "Release", "address", "main"]

_SITE: Final = "http://downloads.dbpedia.org"
_DATABUS: Final = "https://downloads.dbpedia.org/repo/dbpedia"


@dataclass(frozen=True, slots=True)
class Dump:
    """One of the files. `name` is that of the releases from 2015-10 to 2016-10."""

    name: str
    holds: str
    megabytes: int | None  # of the English file of 2016-10, compressed by bzip2
    matters: bool = False  # together these make entities as in the RTF paper: labels, types, properties, abstracts
    artifact: str | None = None  # on the Databus: group/artifact
    variant: str = ""  # on the Databus, what follows the language
    before: str | None = ""  # its name before 2015-10 if that was another; None if there was no such file


@dataclass(frozen=True, slots=True)
class Release:
    """A release. `address` has a place for the language and one for the name of a file."""

    name: str
    note: str
    address: str
    endings: tuple[str, ...]
    hyphens: bool = False  # in names, instead of underscores
    is_old: bool = False  # properties are one file, and not objects and literals


DUMPS: Final = (
    Dump("labels", "titles of articles: rdfs:label", 182, True, "generic/labels"),
    Dump(
        "instance_types",
        "the most specific class of each entity: rdf:type",
        41,
        True,
        "mappings/instance-types",
        "_specific",
    ),
    Dump(
        "instance_types_transitive",
        "the classes above that one",
        125,
        False,
        "mappings/instance-types",
        "_transitive",
        None,
    ),
    Dump(
        "mappingbased_objects",
        "properties of the ontology whose values are entities",
        165,
        True,
        "mappings/mappingbased-objects",
        before="mappingbased_properties",
    ),
    Dump(
        "mappingbased_literals",
        "properties of the ontology whose values are literals",
        131,
        True,
        "mappings/mappingbased-literals",
        before=None,  # in mappingbased_properties
    ),
    Dump(
        "specific_mappingbased_properties",
        "some of these in units that suit the class (square kilometres for a city)",
        9,
        False,
        "mappings/specific-mappingbased-properties",
    ),
    Dump(
        "infobox_properties",
        "everything in infoboxes as it stands there: more of it, and less clean",
        470,
        False,
        "generic/infobox-properties",
    ),
    Dump("long_abstracts", "the first section of each article: dbo:abstract", 781, True, "text/long-abstracts"),
    Dump("short_abstracts", "its beginning: rdfs:comment", 523, False, "text/short-abstracts"),
    Dump("article_categories", "categories: dct:subject", 226, False, "generic/categories", "_articles"),
    Dump("geo_coordinates", "latitudes and longitudes", 17),
    Dump("homepages", "foaf:homepage", 12, False, "generic/homepages"),
    Dump("images", "main images and thumbnails", 91),
    Dump("persondata", "names, dates and places of people", 64),
    Dump("redirects", "titles that lead to others: dbo:wikiPageRedirects", 105, False, "generic/redirects"),
    Dump("disambiguations", "pages that list several meanings", 13, False, "generic/disambiguations"),
    Dump("page_ids", "numbers of Wikipedia's pages", 168),
    Dump("page_links", "links between articles: dbo:wikiPageWikiLink", 1_500, False, "generic/wikilinks"),
)

RELEASES: Final = (
    Release(
        "2014",
        "",
        f"{_SITE}/2014/{{language}}/{{name}}_{{language}}",
        (".ttl.bz2", ".nt.bz2", ".nq.bz2"),
        is_old=True,
    ),
    Release(
        "2015-04",
        "that of the RTF paper",
        f"{_SITE}/2015-04/core-i18n/{{language}}/{{name}}_{{language}}",
        (".nt.bz2", ".ttl.bz2", ".nq.bz2"),
        hyphens=True,
        is_old=True,
    ),
    *(
        Release(name, note, f"{_SITE}/{name}/core-i18n/{{language}}/{{name}}_{{language}}", (".ttl.bz2", ".tql.bz2"))
        for name, note in (("2015-10", ""), ("2016-04", ""), ("2016-10", "the last of the large releases"))
    ),
    Release(
        "2022.12.01",
        "one of the monthly releases on the Databus; others differ in their date",
        f"{_DATABUS}/{{artifact}}/2022.12.01/{{name}}_lang={{language}}{{variant}}",
        (".ttl.bz2",),
    ),
)


def address(dump: Dump, release: Release, language: str = "en") -> str | None:
    """Where a file of a release is, or None if the release has no such file, or not under a name we know."""
    ending = release.endings[0]
    if "{artifact}" in release.address:
        if dump.artifact is None:
            return None
        name = dump.artifact.partition("/")[2]
        return (
            release.address.format(artifact=dump.artifact, name=name, language=language, variant=dump.variant) + ending
        )
    if release.is_old and dump.before is None:
        return None
    name = (dump.before or dump.name) if release.is_old else dump.name
    return release.address.format(name=name.replace("_", "-") if release.hyphens else name, language=language) + ending


def main(argv: Sequence[str] | None = None) -> int:
    """Print the catalogue; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m datasets.catalogue", description="DBpedia's dumps.")
    parser.add_argument("--release", choices=[each.name for each in RELEASES], help="print its addresses only")
    parser.add_argument("--language", default="en", help="(default: en)")
    parser.add_argument("--all", action="store_true", help="with --release: not only what makes entities")
    args = parser.parse_args(argv)
    if args.release:
        (release,) = (each for each in RELEASES if each.name == args.release)
        found = [address(dump, release, args.language) for dump in DUMPS if dump.matters or args.all]
        print(*dict.fromkeys(each for each in found if each), sep="\n")
        return 0
    print("releases")
    for release in RELEASES:
        print(f"  {release.name:<12}{release.address} {' '.join(release.endings)}")
        if release.note:
            print(f"  {'':<12}{release.note}")
    print("\nfiles (* labels, types, properties, abstracts: entities as in the RTF paper; MB: English, 2016-10, .bz2)")
    for dump in DUMPS:
        size = "" if dump.megabytes is None else f"{dump.megabytes:,}"
        print(f"  {'*' if dump.matters else ' '} {dump.name:<34}{size:>6} MB  {dump.holds}")
    print("\nto fetch some: python -m datasets.catalogue --release 2016-10 | xargs -n 1 wget --continue")
    return 0


if __name__ == "__main__":
    sys.exit(main())
