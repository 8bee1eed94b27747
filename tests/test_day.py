"""The day in the README: its commands run in a repository with the README's catalog, and print what it shows."""

import os
import re
import subprocess
import sys
from pathlib import Path

from support import EXAMPLES, README, ROOT

_DAY = README.partition("\n## A day with errgen\n")[2].partition("\n## ")[0]
_BLOCKS = re.findall(r"```(\w+)\n(.*?)```\n", _DAY, re.DOTALL)
_SETTINGS = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    **{f"GIT_{role}_NAME": "A" for role in ("AUTHOR", "COMMITTER")},
    **{f"GIT_{role}_EMAIL": "a@example.com" for role in ("AUTHOR", "COMMITTER")},
}


def shell(folder: Path, command: str) -> str:
    """Run a command as in a terminal, in which errgen is that of this repository, and return what it shows."""
    outside = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    errgen = f'errgen() {{ {sys.executable} -m errgen "$@"; }}\n'
    done = subprocess.run(
        ["bash", "-c", f"{errgen}{command}"],
        cwd=folder,
        env={**outside, **_SETTINGS, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.stdout


def played(folder: Path, block: str) -> str:
    """Return a block of commands with what they print today."""
    commands = [line[2:] for line in block.splitlines() if line.startswith("$ ")]
    return "".join(f"$ {command}\n{shell(folder, command)}" for command in commands)


def written(folder: Path, entry: str) -> None:
    """Put a key of the catalog, with all below it, in the place of what it says so far."""
    catalog = folder / "catalog" / "errors.yaml"
    key = entry.partition(":")[0]
    below = " " * (len(key) - len(key.lstrip()) + 1)
    old = rf"^{key}:.*\n(?:{below}.*\n)*"
    text, count = re.subn(old, lambda _: entry, catalog.read_text("utf-8"), flags=re.MULTILINE)
    assert count == 1
    catalog.write_text(text, "utf-8")


def test_the_day_in_the_readme_goes_as_it_is_told(tmp_path: Path) -> None:
    catalog = tmp_path / "catalog" / "errors.yaml"
    catalog.parent.mkdir()
    catalog.write_text(EXAMPLES["catalog"], "utf-8")
    shell(tmp_path, "git init -q -b main && errgen build && git add -A && git commit -qm shop")
    assert {kind for kind, _ in _BLOCKS} == {"console", "yaml"}
    for kind, block in _BLOCKS:
        if kind == "yaml":
            written(tmp_path, block)
        else:
            assert played(tmp_path, block) == block
    # The day ends with what can be merged: nothing is owed, and nothing differs.
    assert shell(tmp_path, "errgen check --against main >&2; echo $?").endswith("\n0\n")
