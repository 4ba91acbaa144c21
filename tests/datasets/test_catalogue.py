"""The catalogue of DBpedia's dumps: addresses as people have fetched from, and a README that says the same."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from datasets.catalogue import DUMPS, RELEASES, address, main

README = (Path(__file__).resolve().parents[2] / "datasets" / "README.md").read_text(encoding="utf-8")
DATABUS = "https://downloads.dbpedia.org/repo/dbpedia"
BY_NAME = {dump.name: dump for dump in DUMPS}


@pytest.mark.parametrize(
    ("release", "name", "expected"),
    [
        ("2014", "mappingbased_objects", "http://downloads.dbpedia.org/2014/en/mappingbased_properties_en.ttl.bz2"),
        ("2015-04", "long_abstracts", "http://downloads.dbpedia.org/2015-04/core-i18n/en/long-abstracts_en.nt.bz2"),
        (
            "2015-04",
            "mappingbased_objects",
            "http://downloads.dbpedia.org/2015-04/core-i18n/en/mappingbased-properties_en.nt.bz2",
        ),
        ("2015-04", "mappingbased_literals", None),
        ("2015-10", "instance_types", "http://downloads.dbpedia.org/2015-10/core-i18n/en/instance_types_en.ttl.bz2"),
        ("2016-10", "page_ids", "http://downloads.dbpedia.org/2016-10/core-i18n/en/page_ids_en.ttl.bz2"),
        (
            "2022.12.01",
            "long_abstracts",
            f"{DATABUS}/text/long-abstracts/2022.12.01/long-abstracts_lang=en.ttl.bz2",
        ),
        (
            "2022.12.01",
            "instance_types",
            f"{DATABUS}/mappings/instance-types/2022.12.01/instance-types_lang=en_specific.ttl.bz2",
        ),
        ("2022.12.01", "page_ids", None),
    ],
)
def test_addresses(release: str, name: str, expected: str | None) -> None:
    """These have been fetched by others, so the rules that make addresses are right for them."""
    (found,) = (each for each in RELEASES if each.name == release)
    assert address(BY_NAME[name], found) == expected


def test_names_of_real_files(shared_dir: Callable[[str], Path]) -> None:
    """Most of the files of the English 2015-10 dump at hand are in the catalogue, under these very names."""
    names = {path.name.removesuffix("_en.ttl.bz2") for path in shared_dir("dbpedia").glob("2015-10/*.bz2")}
    rare = {"anchor_text", "freebase_links", "geo_coordinates_mappingbased", "out_degree", "transitive_redirects"}
    assert names - rare <= set(BY_NAME)


def test_readme() -> None:
    """What the module has as data, the README has as a table."""
    rows = re.findall(r"^\| (\*\*)?`(\w+)`(?:\*\*)? \| ([\d,]+) \| (.*) \|$", README, re.MULTILINE)
    told = [(name, int(size.replace(",", "")), holds, bool(bold)) for bold, name, size, holds in rows]
    assert told == [(dump.name, dump.megabytes, dump.holds, dump.matters) for dump in DUMPS]


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    """It lists all files, or the addresses of those that make entities, each once."""
    assert main([]) == 0
    told = capsys.readouterr().out
    assert all(dump.name in told and dump.holds in told for dump in DUMPS)
    assert main(["--release", "2015-04", "--language", "de"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"http://downloads.dbpedia.org/2015-04/core-i18n/de/{name}_de.nt.bz2"
        for name in ("labels", "instance-types", "mappingbased-properties", "long-abstracts")
    ]
