"""Sent to a new kernel and run there: makes it read and end code as the interpreter itself would.

It stands alone, for the kernel may know nothing of this package.
"""

from __future__ import annotations

import sys
import traceback
import warnings
from typing import Any


def set_up(shell: Any) -> None:
    """Take the code as it is, show no values, and print errors where the interpreter prints them."""
    shell.transform_cell = lambda cell: cell
    shell.ast_node_interactivity = "none"
    shell.user_ns.update(exit=sys.exit, quit=sys.exit)
    warnings.filterwarnings("ignore", message="To exit: use")

    def show(exc_tuple: Any = None, *args: Any, **kwargs: Any) -> None:
        error: Any = exc_tuple[1] if exc_tuple else sys.exc_info()[1]
        if isinstance(error, SystemExit):
            # The one way on which a status comes back with the reply.
            shell.payload_manager.write_payload({"source": "exit-status", "status": _exit_status(error.code)})
        else:
            traceback.print_exception(type(error), error, _of_the_code(error.__traceback__))

    shell.showtraceback = show
    shell.showsyntaxerror = lambda *args, **kwargs: show()


def _exit_status(code: object) -> int:
    if code is None:
        return 0
    if isinstance(code, int):
        return code & 0xFF
    print(code, file=sys.stderr)
    return 1


def _of_the_code(trace: Any) -> Any:
    """The traceback without the shell's own frames."""
    while trace is not None and trace.tb_frame.f_globals.get("__name__", "").startswith("IPython."):
        trace = trace.tb_next
    return trace
