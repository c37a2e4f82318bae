"""What runs inside a session's own process: takes one request a line, runs the code, answers its exit status.

Started as a script. Requests come and answers go over the standard streams that the process was given; the code gets
other ones: none to read from, and the two files that the request names to write to.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import traceback
import types
from typing import Any


def main() -> None:
    """Serve until the requests end."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    _redirect(os.devnull, os.O_RDONLY, 0)
    module = sys.modules["__main__"] = types.ModuleType("__main__")
    sys.argv, sys.path = ["-c"], ["", *sys.path]
    for line in requests:
        request = json.loads(line)
        status = _run(request, module)
        answers.write(b"%d\n" % status)
        answers.flush()


def _run(request: dict[str, Any], module: types.ModuleType) -> int:
    _redirect(request["stdout"], os.O_WRONLY | os.O_APPEND, 1)
    _redirect(request["stderr"], os.O_WRONLY | os.O_APPEND, 2)
    try:
        return _status_of(request["code"], module)
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):  # the code may have put anything there
                stream.flush()


def _status_of(code: str, module: types.ModuleType) -> int:
    try:
        exec(compile(code, "<string>", "exec"), module.__dict__)
    except SystemExit as ending:
        return _exit_status(ending.code)
    except BaseException as error:
        skipped = error.__traceback__.tb_next if error.__traceback__ else None
        traceback.print_exception(type(error), error, skipped)
        return 1
    return 0


def _exit_status(code: object) -> int:
    if code is None:
        return 0
    if isinstance(code, int):
        return code & 0xFF
    print(code, file=sys.stderr)
    return 1


def _redirect(path: str, flags: int, descriptor: int) -> None:
    opened = os.open(path, flags)
    os.dup2(opened, descriptor)
    os.close(opened)


if __name__ == "__main__":
    main()
