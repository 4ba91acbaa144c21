"""The documentation is true: links lead somewhere, targets of the Makefile exist, Python in it runs.

In README.md and docs/, a ```python block with `>>>` prompts is a doctest (the blocks of one file share their names, as
a reader would expect); one without prompts must at least be Python.
"""

from __future__ import annotations

import ast
import doctest
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).resolve().parents[1]
SKIPPED = {"build", "dist", "node_modules"}

FENCE = re.compile(r"^(```+|~~~+)[ \t]*([^\n]*)\n(.*?)^\1[ \t]*$", re.MULTILINE | re.DOTALL)
CODE_SPAN = re.compile(r"(`+)(.+?)\1", re.DOTALL)
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?(?:\s+[\"'][^)]*)?\)|^\[[^\]]+\]:\s*<?([^\s>]+)", re.MULTILINE)
HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t]*#*$", re.MULTILINE)
MAKE = re.compile(r"(?:^|[\s;&(])make ((?:[a-z]+[ \t]*)+)")


def documents() -> Iterator[Path]:
    """Our Markdown files, as paths from the root."""
    for path in sorted(ROOT.rglob("*.md")):
        relative = path.relative_to(ROOT)
        if not any(part in SKIPPED or part.startswith(".") for part in relative.parts[:-1]):
            yield relative


def anchors(markdown: str) -> set[str]:
    """The names that GitHub gives to the headings."""
    seen: dict[str, int] = {}
    names = set()
    for heading in HEADING.findall(FENCE.sub("", markdown)):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)  # of a link only its text
        name = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
        count = seen.get(name, 0)
        seen[name] = count + 1
        names.add(f"{name}-{count}" if count else name)
    return names


def commands(markdown: str) -> Iterator[str]:
    """The code in a document: blocks and spans."""
    for fence in FENCE.finditer(markdown):
        yield fence[3]
    for span in CODE_SPAN.finditer(FENCE.sub("", markdown)):
        yield span[2]


def python_blocks(markdown: str) -> Iterator[tuple[int, str]]:
    """The ```python blocks, each with the number of its first line."""
    for fence in FENCE.finditer(markdown):
        if fence[2].split()[:1] in (["python"], ["pycon"]):
            yield markdown.count("\n", 0, fence.start(3)) + 1, fence[3]


def targets() -> set[str]:
    """The targets of the Makefile."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    return set(re.findall(r"^([a-z]+):(?!=)", makefile, re.MULTILINE))


DOCUMENTS = [pytest.param(path, id=path.as_posix()) for path in documents()]
WITH_PYTHON = [
    pytest.param(path, id=path.as_posix())
    for path in documents()
    if path.name == "README.md" or path.parts[0] == "docs"
]


@pytest.mark.parametrize("path", DOCUMENTS)
def test_links(path: Path) -> None:
    """Every relative link leads to a file of the repository, and to a heading of it if it names one."""
    markdown = (ROOT / path).read_text(encoding="utf-8")
    broken = []
    for first, second in LINK.findall(CODE_SPAN.sub("", FENCE.sub("", markdown))):
        link = first or second
        if re.match(r"[a-z][a-z0-9+.-]*:", link):
            continue  # somewhere else
        name, _, anchor = unquote(link).partition("#")
        target = (ROOT / path.parent / name).resolve() if name else ROOT / path
        if not target.exists() or not target.is_relative_to(ROOT):
            broken.append(link)
        elif anchor and target.suffix == ".md" and anchor not in anchors(target.read_text(encoding="utf-8")):
            broken.append(link)
    assert broken == []


@pytest.mark.parametrize("path", DOCUMENTS)
def test_make_targets(path: Path) -> None:
    """Every `make X` in code is a target."""
    markdown = (ROOT / path).read_text(encoding="utf-8")
    named = {word for code in commands(markdown) for words in MAKE.findall(code) for word in words.split()}
    assert named - targets() == set()


@pytest.mark.parametrize("path", WITH_PYTHON)
def test_python(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python in the documentation does what is printed below it."""
    monkeypatch.chdir(ROOT)
    markdown = (ROOT / path).read_text(encoding="utf-8")
    names: dict[str, object] = {}
    report: list[str] = []
    for line, block in python_blocks(markdown):
        if not re.search(r"^\s*>>>", block, re.MULTILINE):
            ast.parse(block, filename=path.as_posix())
            continue
        test = doctest.DocTestParser().get_doctest(block, names, path.as_posix(), path.as_posix(), line - 1)
        doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.append, clear_globs=False)
        names = test.globs
    assert not report, "".join(report)


def test_helpers() -> None:
    """The checks see what they should see."""
    markdown = (
        "# A `b` c!\n\n# A b c\n\n```sh\nmake demo && make test  # ](nowhere)\n```\n`make clean` and make sure.\n"
    )
    assert anchors(markdown) == {"a-b-c", "a-b-c-1"}
    found = [word for code in commands(markdown) for words in MAKE.findall(code) for word in words.split()]
    assert found == ["demo", "test", "clean"]
    assert {"demo", "test", "check", "bench", "slow", "clean", "help"} <= targets()
    assert list(python_blocks("x\n```python\n>>> 1\n1\n```\n")) == [(3, ">>> 1\n1\n")]
