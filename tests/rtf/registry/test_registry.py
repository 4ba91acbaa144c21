"""The registry: what it holds, what it refuses, and what is left of it when its process is killed."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rtf import DuplicateQueryError, Engine, Publication, RegistrationError, UnknownQueryError
from rtf.registered_query import RegisteredQuery
from rtf.registry.registration import Registered
from rtf.registry.registry import Registry, RegistryError
from sparql_ft import QuerySyntaxError, parse

ROOT = Path(__file__).resolve().parents[2]
A = "ASK { ?x a <http://x.org/A> }"
B = "ASK { ?x a <http://x.org/B> }"
BAD = "ASK { ?x a }"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the registry is."""
    return tmp_path / "queries.db"


@pytest.fixture
def registry(path: Path) -> Iterator[Registry]:
    """A new one."""
    with Registry(path) as registry:
        yield registry


def ids(registry: Registry, **chosen: object) -> list[str]:
    """The ids of its queries."""
    return [query.id for query in registry.queries(**chosen)]  # type: ignore[arg-type]


# --- what it holds --------------------------------------------------------------------------------------------------


def test_lasts(path: Path) -> None:
    """What was registered is there when the file is opened again, with all that was said about it."""
    with Registry(path) as registry:
        registry.register("häfen", A, owner="ana", tags=["sport", "news"])
    with Registry(path, read_only=True) as registry:
        query = registry["häfen"]
    assert (query.id, query.text, query.owner, query.tags) == ("häfen", A, "ana", {"news", "sport"})
    assert query.enabled
    assert query.created.utcoffset() is not None
    assert list(path.parent.iterdir()) == [path]


def test_like_a_set(registry: Registry) -> None:
    """Its length, its members, and its queries in order of registration."""
    registry.register_many([("b", A), ("a", B), ("c", A)])
    assert (len(registry), ids(registry)) == (3, ["b", "a", "c"])
    assert "a" in registry
    assert "d" not in registry
    assert "\ud800" not in registry


def test_order_after_removal(registry: Registry) -> None:
    """A new query comes last, also when the last one was removed before."""
    registry.register_many([("a", A), ("b", A)])
    before = registry["b"].place
    registry.unregister("b")
    registry.register("c", A)
    assert registry["c"].place > before


def test_fingerprint(path: Path, registry: Registry) -> None:
    """It changes with every change of the queries, and with nothing else."""
    seen = [registry.fingerprint()]
    for change in (
        lambda: registry.register("a", A),
        lambda: registry.register("b", A),
        lambda: registry.register("a", B, replace=True),
        lambda: registry.register("a", B, owner="ana", replace=True),
        lambda: registry.disable("a"),
        lambda: registry.unregister("b"),
    ):
        change()
        seen.append(registry.fingerprint())
    assert len(set(seen)) == len(seen) == 7
    registry.register("a", B)  # enables it
    before = registry.fingerprint()
    registry.register("a", B)
    with Registry(path, read_only=True) as other:
        assert other.fingerprint() == registry.fingerprint() == before


def test_base(registry: Registry) -> None:
    """A base goes with the query, whatever the base of an engine is."""
    text = 'BASE <sub/> ASK { <s> type ?x FILTER (?x = IRI("y")) }'
    registry.register("q", text, base="http://x.org/")
    assert parse(registry["q"].text) == parse(text, "http://x.org/") == parse(registry["q"].text, "http://other.org/")


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({}, ["a", "b", "c", "d"]),
        ({"owner": "ana"}, ["a", "b"]),
        ({"owner": "nobody"}, []),
        ({"tags": ["x"]}, ["a", "c"]),
        ({"tags": ["y", "x"]}, ["a", "b", "c"]),
        ({"tags": []}, []),
        ({"owner": "ana", "tags": ["y"]}, ["a", "b"]),
        ({"enabled": True}, ["a", "b", "c"]),
        ({"enabled": False}, ["d"]),
    ],
)
def test_some_queries(registry: Registry, chosen: dict[str, object], expected: list[str]) -> None:
    """Of an owner, with one of some tags, enabled or not."""
    registry.register("a", A, "ana", ["x", "y"])
    registry.register("b", A, "ana", ["y"])
    registry.register("c", A, "bob", ["x"])
    registry.register("d", A)
    registry.disable("d")
    assert ids(registry, **chosen) == expected


# --- the same id again ----------------------------------------------------------------------------------------------


def test_same_text(registry: Registry) -> None:
    """The same id with the same text changes nothing."""
    assert registry.register("a", A, "ana") == Registered(new=1, changed=0, as_before=0)
    before = registry["a"]
    assert registry.register("a", A, "bob", ["x"]) == Registered(new=0, changed=0, as_before=1)
    assert registry["a"] == before


def test_another_text(registry: Registry) -> None:
    """With another text it is an error, as in an engine, and the old one stays."""
    registry.register("a", A)
    with pytest.raises(DuplicateQueryError):
        registry.register("a", B)
    assert registry["a"].text == A


def test_replace(registry: Registry) -> None:
    """Unless it is to be replaced; then it is a new query, the last in order, as in an engine."""
    engine = Engine()
    for each in (registry, engine):
        each.register("a", A)
        each.register("b", A)
    engine.register("a", B, replace=True)
    assert registry.register("a", B, replace=True) == Registered(new=0, changed=1, as_before=0)
    assert [query.id for query in engine] == ids(registry) == ["b", "a"]
    assert registry["a"].text == B


def test_replace_owner_and_tags(registry: Registry) -> None:
    """With the same text, `replace` changes owner and tags, and only those."""
    registry.register_many([("a", A), ("b", A)])
    assert registry.register("a", A, "bob", ["x"], replace=True) == Registered(new=0, changed=1, as_before=0)
    assert (registry["a"].owner, registry["a"].tags, ids(registry)) == ("bob", {"x"}, ["a", "b"])
    assert registry.register("a", A, "bob", ["x"], replace=True) == Registered(new=0, changed=0, as_before=1)


def test_disabled(registry: Registry) -> None:
    """A disabled query is kept, but not matched, until it is enabled or registered again."""
    registry.register_many([("a", A), ("b", A)])
    registry.disable("a", "b")
    assert (len(registry), len(registry.engine())) == (2, 0)
    registry.enable("a")
    assert registry.register("b", A) == Registered(new=0, changed=1, as_before=0)
    assert [query.id for query in registry.engine()] == ["a", "b"]


# --- all or nothing -------------------------------------------------------------------------------------------------


def test_counts(registry: Registry) -> None:
    """What became of each; an id that is given twice with one text counts once."""
    registry.register_many([("a", A), ("b", A)])
    done = registry.register_many([("a", B), ("b", A), ("c", A), ("c", A)], replace=True)
    assert done == Registered(new=1, changed=1, as_before=1)


@pytest.mark.parametrize("replace", [False, True])
def test_errors_together(registry: Registry, replace: bool) -> None:
    """One report for all that are wrong, and nothing is registered."""
    with pytest.raises(RegistrationError) as caught:
        registry.register_many([("a", A), ("b", BAD), ("c", "ASK {")], replace=replace)
    assert (list(caught.value.errors), caught.value.total, len(registry)) == (["b", "c"], 3, 0)
    assert isinstance(caught.value.errors["b"], QuerySyntaxError)


def test_clashes_together(registry: Registry) -> None:
    """Also of ids: those that belong to another query, and those that were given with two texts."""
    registry.register("a", A)
    with pytest.raises(RegistrationError) as caught:
        registry.register_many([("a", B), ("b", A), ("c", A), ("c", B)])
    assert set(caught.value.errors) == {"a", "c"}
    assert ids(registry) == ["a"]
    with pytest.raises(RegistrationError) as caught:
        registry.register_many([("a", B), ("c", A), ("c", B)], replace=True)
    assert (set(caught.value.errors), registry["a"].text) == ({"c"}, A)


@pytest.mark.parametrize("change", [Registry.unregister, Registry.disable, Registry.enable])
def test_unknown(registry: Registry, change: Callable[..., None]) -> None:
    """If one id is not there, nothing happens to the others."""
    registry.register_many([("a", A), ("b", A)])
    registry.disable("b")
    before = list(registry)
    with pytest.raises(UnknownQueryError, match="there is no query 'x'"):
        change(registry, "a", "b", "x")
    assert list(registry) == before


def test_unknown_item(registry: Registry) -> None:
    """There is no query to look at, either."""
    with pytest.raises(UnknownQueryError):
        registry["x"]


@pytest.mark.parametrize(
    ("id", "owner", "tags"),
    [("", None, []), ("\ud800", None, []), ("a", "\udcff", []), ("a", None, ["x,y"]), ("a", None, [" "])],
)
def test_wrong_names(registry: Registry, id: str, owner: str | None, tags: list[str]) -> None:
    """What cannot be written, or be told apart on a command line, is refused."""
    with pytest.raises(ValueError, match=r"must not be empty|is no text|cannot be a tag"):
        registry.register(id, A, owner, tags)
    assert len(registry) == 0


def test_an_iterable_that_fails(registry: Registry) -> None:
    """Whoever gives the queries may fail: nothing was registered, and the registry is as good as before."""

    def queries() -> Iterator[tuple[str, str]]:
        yield "a", A
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        registry.register_many(queries())
    assert len(registry) == 0
    registry.register("a", A)
    assert len(registry) == 1


# --- engines --------------------------------------------------------------------------------------------------------


def test_engine(registry: Registry) -> None:
    """An engine gets the queries in their order, with owners and tags."""
    registry.register("b", A, "ana", ["x"])
    registry.register("a", A, "bob")
    engine = registry.engine(layout="rtfm")
    publication = Publication.parse("<http://x.org/1> a <http://x.org/A> .", format="ttl")
    assert (engine.layout, engine.match_ids(publication)) == ("rtfm", ["b", "a"])
    assert engine.match_ids(publication, tags=["x"]) == ["b"]
    assert [(query.owner, query.tags) for query in engine] == [("ana", {"x"}), ("bob", frozenset())]
    assert [query.id for query in registry.engine(owner="bob")] == ["a"]


def test_registry_to_registry(registry: Registry, tmp_path: Path) -> None:
    """Queries can be copied, owners and tags included, while both are open."""
    registry.register("a", A, "ana", ["x"])
    with Registry(tmp_path / "other.db") as other:
        other.register_many(registry, owner="nobody")
        registry.register_many(other.queries())
        assert [(query.owner, query.tags) for query in other] == [("ana", {"x"})]


def test_records_to_engine() -> None:
    """An engine takes records beside pairs; what is said for all counts for pairs only."""
    engine = Engine()
    engine.register_many([("a", A), RegisteredQuery("b", B, "ana", frozenset({"x"}), 0)], owner="bob", tags=["y"])
    assert [(query.owner, query.tags) for query in engine] == [("bob", {"y"}), ("ana", {"x"})]


# --- files that cannot be used --------------------------------------------------------------------------------------


def other_sqlite(path: Path) -> None:
    """A SQLite file of something else."""
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE cooking (recipe TEXT)")
    connection.close()


def other_version(path: Path) -> None:
    """A registry of the future."""
    Registry(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 2")
    connection.close()


def damaged(path: Path) -> None:
    """A registry of which the end is lost."""
    with Registry(path) as registry:
        registry.register_many((str(number), A) for number in range(1000))
    os.truncate(path, path.stat().st_size // 2)


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda path: path.mkdir(), "this is a folder"),
        (lambda path: path.write_text("ASK { ?x a <c> }" * 100), "this is no registry"),
        (other_sqlite, "a SQLite file, but no registry"),
        (other_version, "a registry of version 2; .* update rtf"),
        (damaged, "is damaged"),
    ],
)
def test_files_of_no_use(path: Path, make: Callable[[Path], object], why: str) -> None:
    """The file is named, and what is wrong with it; it is not changed."""
    make(path)
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(RegistryError, match=why) as caught:
        list(Registry(path))
    assert str(caught.value).startswith(f"{path}: ")
    assert before == (path.read_bytes() if path.is_file() else None)


@pytest.mark.parametrize("options", [{"read_only": True}, {"create": False}])
def test_missing(path: Path, options: dict[str, bool]) -> None:
    """Whoever wants to read does not make a registry by a misspelt name."""
    with pytest.raises(RegistryError, match="there is no such file"):
        Registry(path, **options)
    assert not path.exists()


def test_missing_folder(tmp_path: Path) -> None:
    """A folder is not made."""
    with pytest.raises(RegistryError, match="there is no folder"):
        Registry(tmp_path / "a" / "b.db")


@pytest.mark.parametrize("name", ["x" * 300, "a\0b"])
def test_impossible_names(tmp_path: Path, name: str) -> None:
    """What no file can be called."""
    with pytest.raises(RegistryError):
        Registry(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_odd_names(tmp_path: Path) -> None:
    """Names that mean something in a URI or to SQLite are just names."""
    for name in ("a?mode=memory", "a#b", "a%20b", ":memory:"):
        with Registry(tmp_path / name) as registry:
            registry.register("a", A)
        assert (tmp_path / name).stat().st_size > 0


def test_empty_file(path: Path) -> None:
    """An empty file is what a killed process may leave of a new registry: it becomes one, but not by reading."""
    path.touch()
    with pytest.raises(RegistryError, match="this file is empty"):
        Registry(path, read_only=True)
    with Registry(path) as registry:
        assert len(registry) == 0


def test_read_only(path: Path, registry: Registry) -> None:
    """A registry that may only be read can be read, and says so when it is to be changed."""
    registry.register("a", A)
    with Registry(path, read_only=True) as reader:
        assert ids(reader) == ["a"]
        for change in (lambda: reader.register("b", A), lambda: reader.unregister("a")):
            with pytest.raises(RegistryError, match="is read-only"):
                change()


# --- several at once ------------------------------------------------------------------------------------------------


def test_locked(path: Path, registry: Registry) -> None:
    """While another process writes, a change waits, and then says so."""
    other = sqlite3.connect(path)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(RegistryError, match="another process"):
        Registry(path, timeout=0)
    other.rollback()
    with Registry(path, timeout=0) as impatient:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(RegistryError, match="another process"):
            impatient.register("a", A)
        assert len(impatient) == 0
        other.rollback()
        impatient.register("a", A)
    other.close()
    assert ids(registry) == ["a"]


def test_readers_are_in_nobodys_way(path: Path, registry: Registry) -> None:
    """Somebody who reads slowly keeps nobody from writing, and sees what was there when he began."""
    registry.register_many((str(number), A) for number in range(50))
    reading = iter(registry)
    assert next(reading).id == "0"
    with Registry(path, timeout=0) as other:
        other.unregister("1")
        other.register("new", A)
    registry.register("another", A)
    assert [query.id for query in reading] == [str(number) for number in range(1, 50)]
    assert ids(registry)[-2:] == ["new", "another"]


def test_checking_is_in_nobodys_way(path: Path, registry: Registry) -> None:
    """While queries are read and checked, others can write."""

    def queries() -> Iterator[tuple[str, str]]:
        with Registry(path, timeout=0) as other:
            for number in range(2500):
                if number % 1000 == 0:
                    other.register(f"other{number}", A)
                yield str(number), A

    registry.register_many(queries())
    assert len(registry) == 2503


def test_one_beside_many(tmp_path: Path) -> None:
    """To register one query is no more work beside thousands: SQLite's steps are counted."""
    steps = []
    for size in (10, 10_000):
        with Registry(tmp_path / f"{size}.db") as registry:
            registry.register_many((str(number), A) for number in range(size))
            count = iter(range(1_000_000))
            registry._connection.set_progress_handler(lambda count=count: next(count) < 0, 1)
            registry.register("new", A)
            registry.register("new", B, replace=True)
            registry.unregister("new")
            steps.append(next(count))
    assert steps[1] < 2 * steps[0]


def test_killed(path: Path) -> None:
    """A process that is killed anywhere leaves a registry that opens and holds every committed query."""
    script = Path(__file__).with_name("registry_killer.py")
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, str(script), str(path)], env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["kills"] == 110
    assert told["interrupted"] > 10  # else the kills have missed the moments that matter


@pytest.mark.slow
def test_a_hundred_thousand(path: Path) -> None:
    """So many queries pass by one after the other: the texts have 110 MB, the process never has half as much more."""
    program = (
        "import resource, sys\n"
        "from rtf.registry.registry import Registry\n"
        "size = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        f"text = {A!r} + ' # ' + 'x' * 1000\n"
        "with Registry(sys.argv[1]) as registry:\n"
        "    before = size()\n"
        "    registry.register_many((f'q{number}', text) for number in range(100_000))\n"
        "    print(sum(1 for query in registry), (size() - before) // 1024)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True)
    count, megabytes = map(int, done.stdout.split())
    assert count == 100_000
    assert megabytes < 50
