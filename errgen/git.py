"""Ask git: a folder and arguments flow in, what it prints flows out; nothing is raised where there is no git."""

import os
import subprocess
from pathlib import Path


def git(folder: Path, *arguments: str, given: bytes = b"") -> bytes | None:
    """Return what git prints for arguments and its standard input, or None where it fails or is not there."""
    command = ("git", "--no-pager", "--no-optional-locks", *arguments)
    environment = {**os.environ, "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0"}
    try:
        done = subprocess.run(  # noqa: S603 - no shell, and callers check what they pass
            command, cwd=folder, input=given, capture_output=True, check=False, env=environment
        )
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None
