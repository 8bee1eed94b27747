"""Keep what Jinja compiles of the bundled templates beside them, as Python does with modules.

Templates of a project are compiled each time, so that no bytecode which is pushed is ever run.
"""

import hashlib
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

import jinja2
from jinja2 import Environment, FileSystemBytecodeCache
from jinja2.bccache import Bucket

from errgen import __version__
from errgen.resources import templates_dir

_SANDBOX: Final = Path(__file__).with_name("sandbox.py")


class Bytecode(FileSystemBytecodeCache):
    """A folder of compiled templates; what cannot be read or written there is compiled again."""

    def __init__(self) -> None:
        """Choose the folder."""
        self._templates = templates_dir()
        status = _SANDBOX.stat()
        # The sandbox changes what templates are compiled to, and each release of Jinja may.
        compilers = (__version__, jinja2.__version__, sys.implementation.cache_tag)
        self._compiler = f"{compilers} {status.st_size} {status.st_mtime_ns}"
        super().__init__(str(self._templates / "__pycache__"), "%s.bytecode")

    def get_bucket(
        self, environment: Environment, name: str, filename: str | None, source: str
    ) -> Bucket:
        """Return what is compiled of a template, which may be nothing yet."""
        if filename and Path(filename).is_relative_to(self._templates):
            return super().get_bucket(environment, name, filename, source)
        return Bucket(environment, "", "")

    def get_cache_key(self, name: str, filename: str | None = None) -> str:  # noqa: ARG002
        """Return the name of a template's file in the folder."""
        return name.replace("/", ".")

    def get_source_checksum(self, source: str) -> str:
        """Return a hash of all that decides what is compiled."""
        return hashlib.sha256(f"{self._compiler}\n{source}".encode()).hexdigest()

    def load_bytecode(self, bucket: Bucket) -> None:
        """Read what is compiled, where there is something that is whole."""
        # A damaged file raises whatever its bytes happen to mean.
        with suppress(Exception):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Write what is compiled of a bundled template, where that is wanted and possible."""
        if bucket.key and not sys.dont_write_bytecode:
            with suppress(OSError):
                Path(self.directory).mkdir(exist_ok=True)
                super().dump_bytecode(bucket)
