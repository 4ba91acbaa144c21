"""Generated dumps: what is read back is what was written, the same bytes each time, in every format."""

from __future__ import annotations

import bz2
import gzip
import itertools
import subprocess
import tracemalloc
from collections import defaultdict
from pathlib import Path

import pyarrow
import pytest

from datasets.dbpedia import DBpedia
from datasets.dump import COMPRESSIONS, FORMATS, Compression, Format, line, main, write_dump
from datasets.publications import World
from sparql_ft import Publication
from sparql_ft.terms import IRI, XSD, BlankNode, Literal, Triple

COUNT = 300
DBPEDIA = DBpedia(7)


def read(path: Path) -> bytes:
    """The content of a file, decompressed by something other than what compressed it where there is such a thing."""
    match path.suffix:
        case ".gz":
            return gzip.decompress(path.read_bytes())
        case ".bz2":
            return bz2.decompress(path.read_bytes())
        case ".zst":
            with pyarrow.CompressedInputStream(str(path), "zstd") as file:
                return bytes(file.read())
        case _:
            return path.read_bytes()


def read_back(folder: Path, format: Format) -> dict[str, set[Triple]]:
    """The triples of each subject, over all files, as pyoxigraph reads them."""
    found: dict[str, set[Triple]] = defaultdict(set)
    for path in sorted(folder.iterdir()):
        for publication in Publication.parse_many(read(path), "nq" if format == "nq" else "nt"):
            for triple in publication:
                assert isinstance(triple[0], IRI)
                assert triple not in found[triple[0].value]  # none is written twice
                found[triple[0].value].add(triple)
    return found


@pytest.mark.parametrize(("format", "compression"), list(itertools.product(FORMATS, COMPRESSIONS)))
def test_round_trip(tmp_path: Path, format: Format, compression: Compression) -> None:
    """The dump read back is the world's entities, whatever their names, texts and values are."""
    written = write_dump(DBPEDIA, COUNT, tmp_path, format=format, compression=compression)
    entities = {entity.id: set(entity.triples) for entity in DBPEDIA.entities(COUNT)}
    assert len(entities) == COUNT
    assert read_back(tmp_path, format) == entities
    assert written.triples == sum(map(len, entities.values()))
    assert sorted(written.files) == sorted(tmp_path.iterdir())


@pytest.mark.parametrize("world", [World(7), DBpedia(7, uris=True)], ids=["plain", "uris"])
def test_other_worlds(tmp_path: Path, world: World) -> None:
    """The plain entities of the benchmarks, and those with ASCII in IRIs only."""
    write_dump(world, COUNT, tmp_path, format="nt")
    assert read_back(tmp_path, "nt") == {entity.id: set(entity.triples) for entity in world.entities(COUNT)}


def test_parts(tmp_path: Path) -> None:
    """An entity has its label, class, properties and abstract in different files, named as DBpedia's."""
    write_dump(DBPEDIA, COUNT, tmp_path, compression="bz2")
    names = {path.name for path in tmp_path.iterdir()}
    languages = {f"labels_en_uris_{each}.ttl.bz2" for each in "ar de el fr hi ja ko ru".split()}
    assert names == languages | {
        "instance_types_en.ttl.bz2",
        "labels_en.ttl.bz2",
        "long_abstracts_en.ttl.bz2",
        "mappingbased_literals_en.ttl.bz2",
        "mappingbased_objects_en.ttl.bz2",
    }
    for path in tmp_path.iterdir():
        lines = read(path).decode().splitlines()
        assert lines[0].startswith("# started 20")
        assert lines[-1].startswith("# completed 20")
        assert not any(each.startswith("#") for each in lines[1:-1])


def test_spelling(tmp_path: Path) -> None:
    """The files show what readers may trip over, each where the real ones have it."""
    for format in FORMATS:
        write_dump(DBPEDIA, COUNT, tmp_path / format, format=format)
    text = {format: b"".join(read(path) for path in (tmp_path / format).iterdir()).decode() for format in FORMATS}
    assert '".\n' in text["ttl"]
    assert '".\n' not in text["nt"] + text["nq"]
    assert not text["ttl"].isascii()
    assert text["nt"].isascii()
    assert text["nq"].isascii()
    assert "\\u" not in text["ttl"]
    assert "\\u00" in text["nt"]
    assert "\\U0001" in text["nt"]
    for piece in ('\\"', "\\n", "\\\\", "%22", "%3F", "%25", "%5C", "–", "datatype/usDollar>", "#gYear>"):
        assert piece in text["ttl"], piece
    assert "?oldid=600000007> .\n" in text["nq"]


def test_spelling_of_uris(tmp_path: Path) -> None:
    """Percent-encoded IRIs are ASCII in any format, while literals are not; nothing is encoded twice."""
    write_dump(DBpedia(7, uris=True), COUNT, tmp_path)
    lines = read(tmp_path / "labels_en.ttl").decode().splitlines()[1:-1]
    assert all(each.partition(" ")[0].isascii() for each in lines)
    assert not all(map(str.isascii, lines))
    assert any("%C3%" in each for each in lines)
    assert any("%22" in each for each in lines)
    assert not any("%2522" in each for each in lines)


S, P = IRI("http://x.org/é"), IRI("http://x.org/p")


@pytest.mark.parametrize(
    ("value", "ttl", "nt"),
    [
        (Literal("BA"), '"BA".', '"BA" .'),
        (Literal('a "b" \\ c\nd\te\r'), r'"a \"b\" \\ c\nd\te\r".', r'"a \"b\" \\ c\nd\te\r" .'),
        (Literal("Ω𐌲", language="el"), '"Ω𐌲"@el .', r'"\u03A9\U00010332"@el .'),
        (Literal("1", XSD + "int"), f'"1"^^<{XSD}int> .', f'"1"^^<{XSD}int> .'),
        (IRI("http://x.org/%22é"), "<http://x.org/%22é> .", r"<http://x.org/%22\u00E9> ."),
        (BlankNode("b"), "_:b .", "_:b ."),
    ],
)
def test_line(value: IRI | BlankNode | Literal, ttl: str, nt: str) -> None:
    """One triple in all formats."""
    assert line((S, P, value), "ttl") == f"<http://x.org/é> <http://x.org/p> {ttl}\n"
    start = r"<http://x.org/\u00E9> <http://x.org/p> "
    assert line((S, P, value), "nt") == f"{start}{nt}\n"
    assert line((S, P, value), "nq", IRI("http://g.org/é")) == rf"{start}{nt[:-1]}<http://g.org/\u00E9> ." + "\n"


@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_same_bytes(tmp_path: Path, compression: Compression) -> None:
    """The same seed gives the same files, another seed others."""
    folders = [tmp_path / name for name in "abc"]
    for folder, seed in zip(folders, (3, 3, 4), strict=True):
        write_dump(DBpedia(seed, vocabulary=3000), 20, folder, compression=compression)
    first, second, other = ({path.name: path.read_bytes() for path in folder.iterdir()} for folder in folders)
    assert first == second
    assert first["labels_en.ttl" + ("" if compression == "none" else f".{compression}")] not in other.values()


def test_goes_on(tmp_path: Path) -> None:
    """A dump from `first` has the entities that a larger one has at that place."""
    write_dump(DBPEDIA, 5, tmp_path, first=20)
    expected = {entity.id: set(entity.triples) for entity in itertools.islice(DBPEDIA.entities(25), 20, None)}
    assert read_back(tmp_path, "ttl") == expected


def test_nothing_is_kept(tmp_path: Path) -> None:
    """Four times as many entities take no more memory."""
    world = DBpedia(7, vocabulary=3000)
    peaks = []
    for count in (1000, 500, 2000):  # the first fills caches
        tracemalloc.start()
        write_dump(world, count, tmp_path / str(count))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[2] < 1.3 * peaks[1]


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command writes the same as the function, and refuses a folder that has files."""
    out = tmp_path / "out"
    arguments = ["--entities", "20", "--seed", "7", "--out", str(out), "--format", "nt", "--compression", "gz"]
    assert main(arguments) == 0
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("wrote 20 entities, ")
    assert read_back(out, "nt") == {entity.id: set(entity.triples) for entity in DBPEDIA.entities(20)}
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert "is not empty" in capsys.readouterr().err


def test_zstd_is_standard(tmp_path: Path) -> None:
    """What pyarrow compresses, the zstd command reads, where there is one."""
    (path, *_) = write_dump(DBPEDIA, 20, tmp_path, compression="zst").files
    try:
        done = subprocess.run(["zstd", "-dc", str(path)], capture_output=True, check=True)
    except FileNotFoundError:
        pytest.skip("there is no command zstd")
    assert done.stdout == read(path)
