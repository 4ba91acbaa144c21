"""Hadoop's file systems, from the driver: wherever Spark reads and writes, on disk, in HDFS, in S3."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["FileSystem"]


class FileSystem:
    """Files by their names. Paths and statuses are Java objects."""

    def __init__(self, spark: SparkSession) -> None:
        jvm: Any = spark.sparkContext._jvm
        self._jvm = jvm
        self._conf: Any = spark.sparkContext._jsc.hadoopConfiguration()
        self._codecs = jvm.org.apache.hadoop.io.compress.CompressionCodecFactory(self._conf)

    # --- finding ------------------------------------------------------------------------------------------------------

    def matching(self, pattern: str) -> list[Any]:
        """The statuses of what a pattern stands for."""
        path, system = self._at(pattern)
        return list(system.globStatus(path) or [])

    def status(self, name: str) -> Any:
        """The status of a file or folder."""
        path, system = self._at(name)
        return system.getFileStatus(path)

    def exists(self, name: str) -> bool:
        """Whether there is a file or folder of this name."""
        path, system = self._at(name)
        return bool(system.exists(path))

    def files_in(self, status: Any) -> Iterator[Any]:
        """A file, or those of a folder and its folders; hidden ones are left out, as Spark does."""
        if not status.isDirectory():
            yield status
            return
        children = status.getPath().getFileSystem(self._conf).listStatus(status.getPath())
        for child in sorted(children, key=lambda each: str(each.getPath().getName())):
            if not child.getPath().getName().startswith((".", "_")):
                yield from self.files_in(child)

    def qualified(self, name: str) -> str:
        """The whole path of a name."""
        path, system = self._at(name)
        return str(system.makeQualified(path).toString())

    # --- reading ------------------------------------------------------------------------------------------------------

    def read(self, path: Any, start: int, count: int) -> bytes:
        """Some bytes of a file, fewer where it ends."""
        stream = path.getFileSystem(self._conf).open(path)
        try:
            stream.seek(start)
            return bytes(stream.readNBytes(count))
        finally:
            stream.close()

    def head(self, path: Any, count: int) -> bytes:
        """The first bytes of a file, decompressed."""
        stream = path.getFileSystem(self._conf).open(path)
        try:
            if path.getName().endswith(".zst"):  # Hadoop's codec needs a native library; Spark brings its own
                plain = self._jvm.com.github.luben.zstd.ZstdInputStream(stream)
            else:
                codec = self._codecs.getCodec(path)
                plain = stream if codec is None else codec.createInputStream(stream)
            return bytes(plain.readNBytes(count))
        finally:
            stream.close()

    # --- small files of our own ---------------------------------------------------------------------------------------

    def text(self, name: str) -> str:
        """All of a small file."""
        status = self.status(name)
        return self.read(status.getPath(), 0, status.getLen()).decode()

    def put(self, name: str, text: str) -> None:
        """Write a small file, all of it or none: under another name first."""
        path, system = self._at(name)
        other, _ = self._at(f"{name}.tmp")
        stream = system.create(other, True)
        stream.write(bytearray(text.encode()))
        stream.close()
        system.delete(path, False)
        system.rename(other, path)

    def upload(self, local: str, name: str) -> None:
        """Copy a file of this machine, under another name first."""
        path, system = self._at(name)
        other, _ = self._at(f"{name}.tmp")
        system.copyFromLocalFile(False, True, self._path(f"file://{local}"), other)
        system.delete(path, False)
        system.rename(other, path)

    def download(self, name: str, local: str) -> None:
        """Copy a file to this machine."""
        path, system = self._at(name)
        system.copyToLocalFile(False, path, self._path(f"file://{local}"), True)

    def delete(self, name: str) -> None:
        """Delete a file, if it is there."""
        path, system = self._at(name)
        system.delete(path, False)

    def names(self, folder: str) -> list[str]:
        """The names in a folder; none, if it is not there."""
        path, system = self._at(folder)
        return [str(each.getPath().getName()) for each in system.listStatus(path)] if system.exists(path) else []

    def _at(self, name: str) -> tuple[Any, Any]:
        path = self._path(name)
        return path, path.getFileSystem(self._conf)

    def _path(self, name: str) -> Any:
        return self._jvm.org.apache.hadoop.fs.Path(name)
