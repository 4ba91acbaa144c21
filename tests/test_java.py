"""tools/ensure-java.sh chooses the right Java, with fake ones in place of those of the machine."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[1] / "tools" / "ensure-java.sh"


@dataclass(frozen=True)
class Machine:
    """A machine with nothing but a few commands, at a temporary path."""

    root: Path

    def java(self, name: str, version: str) -> Path:
        """Install a Java that says it has this version; its home."""
        home = self.root / name
        text = f"cat >&2 <<END\n    java.home = {home}\n    java.specification.version = {version}\nEND"
        self.command(text, home / "bin" / "java")
        return home

    def command(self, text: str, path: Path) -> None:
        """Write an executable."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        path.chmod(0o755)

    def on_path(self, home: Path) -> None:
        """Make it the default Java."""
        (self.root / "bin" / "java").symlink_to(home / "bin" / "java")

    def run(self, **env: str) -> subprocess.CompletedProcess[str]:
        """Call the script there."""
        env = {"PATH": str(self.root / "bin"), "ENSURE_JAVA_JVM_DIRS": str(self.root / "jvm")} | env
        return subprocess.run(["/bin/sh", SCRIPT], env=env, capture_output=True, text=True, check=False)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """Neither Java nor apt-get nor sudo."""
    (tmp_path / "bin").mkdir()
    for command in ("cat", "env", "id", "sed"):
        found = shutil.which(command)
        assert found
        (tmp_path / "bin" / command).symlink_to(found)
    return Machine(tmp_path)


def test_default_java(machine: Machine) -> None:
    """The Java of the PATH will do, and its home is printed."""
    home = machine.java("jvm/java-21", "21")
    machine.on_path(home)
    done = machine.run()
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{home}\n", "")


def test_java_home_comes_first(machine: Machine) -> None:
    """Spark prefers JAVA_HOME, so do we."""
    machine.on_path(machine.java("jvm/java-21", "21"))
    home = machine.java("mine", "17")
    assert machine.run(JAVA_HOME=str(home)).stdout == f"{home}\n"


@pytest.mark.parametrize("version", ["1.8", "11"])
def test_old_java_home(machine: Machine, version: str) -> None:
    """A JAVA_HOME that is too old is named and passed over."""
    old = machine.java("old", version)
    home = machine.java("jvm/java-17", "17")
    machine.on_path(home)
    done = machine.run(JAVA_HOME=str(old))
    assert done.stdout == f"{home}\n"
    assert f"Java {version}, too old" in done.stderr


def test_wrong_java_home(machine: Machine) -> None:
    """A JAVA_HOME without a Java is passed over, too."""
    home = machine.java("jvm/java-17", "17")
    done = machine.run(JAVA_HOME=str(machine.root / "nowhere"))
    assert done.stdout == f"{home}\n"
    assert "nowhere is of no use" in done.stderr


def test_newer_java_beside_the_default(machine: Machine) -> None:
    """Where the default Java is too old, an installed newer one is found."""
    machine.on_path(machine.java("jvm/java-11", "11"))
    home = machine.java("jvm/java-17", "17")
    assert machine.run().stdout == f"{home}\n"


@pytest.mark.parametrize("default", [None, "11"])
def test_nothing_to_be_done(machine: Machine, default: str | None) -> None:
    """Without Java and apt-get the message says what to install."""
    if default:
        machine.on_path(machine.java("jvm/java-11", default))
    done = machine.run()
    assert (done.returncode, done.stdout) == (1, "")
    assert "sudo apt-get install openjdk-17-jre-headless" in done.stderr


def test_installs(machine: Machine) -> None:
    """apt-get is called for the first package that there is, after an update, and what it installs is found."""
    home = machine.java("jvm/java-21", "21")
    home.rename(machine.root / "package")
    bin_ = machine.root / "bin"
    log = machine.root / "log"
    machine.command("exit 0", bin_ / "sudo")
    machine.command("shift; [ $1 = openjdk-17-jre-headless ] || echo $1", bin_ / "apt-cache")
    machine.command("echo 0", bin_ / "fake-id")
    (bin_ / "id").unlink()
    (bin_ / "fake-id").rename(bin_ / "id")
    move = f'case "$*" in *install*) {shutil.which("mv")} {machine.root}/package {home};; esac'
    machine.command(f'echo "$*" >> {log}; echo noise; {move}', bin_ / "apt-get")
    done = machine.run()
    assert (done.returncode, done.stdout) == (0, f"{home}\n"), done.stderr
    update, install = log.read_text(encoding="utf-8").splitlines()
    assert update.endswith(" update")
    assert install.endswith(" install -y --no-install-recommends openjdk-21-jre-headless")


def test_not_allowed_to_install(machine: Machine) -> None:
    """With apt-get, but neither root nor a sudo that works, the message comes as well."""
    bin_ = machine.root / "bin"
    (bin_ / "id").unlink()
    machine.command("echo 1000", bin_ / "id")
    machine.command("exit 0", bin_ / "apt-get")
    machine.command("echo $2", bin_ / "apt-cache")
    machine.command("exit 1", bin_ / "sudo")
    done = machine.run()
    assert (done.returncode, done.stdout) == (1, "")
    assert "sudo apt-get install openjdk-17-jre-headless" in done.stderr
