"""A folder flows in, the peers that npm installs there and the commands that run them flow out."""

import json
import shutil
from functools import partial
from pathlib import Path
from typing import Final

from measuring import Command, run

_PACKAGES: Final = ("@bufbuild/buf", "@bufbuild/protoc-gen-es", "@bufbuild/protobuf")


def install(folder: Path, timeout: float) -> Path:
    """Install buf and its TypeScript plugin; return the folder of their programs. Raises MeasuringError."""
    folder.mkdir()
    (folder / "package.json").write_text('{ "private": true }\n', "utf-8")
    options = ("--loglevel=error", "--no-progress", "--no-audit", "--no-fund")
    run(Command(("npm", "install", *options, *_PACKAGES), folder), timeout)
    return folder / "node_modules" / ".bin"


def generate(programs: Path, folder: Path) -> Command:
    """Return the command that makes TypeScript of a folder's .proto file."""
    plugin = {"local": str(programs / "protoc-gen-es"), "out": "out", "opt": "target=ts"}
    template = json.dumps({"version": "v2", "plugins": [plugin]})
    (folder / "buf.gen.yaml").write_text(template, "utf-8")
    remove = partial(shutil.rmtree, folder / "out", ignore_errors=True)
    return Command((str(programs / "buf"), "generate"), folder, remove)
