"""Calls of blocking code in threads that nobody has to wait for: a call that hangs must not keep the process alive."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import Any

__all__ = ["in_thread"]


async def in_thread(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """What the function returns or raises. Unlike an executor's, the thread is a daemon."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Any] = loop.create_future()

    def work() -> None:
        try:
            settle = _setter(future, result=function(*args, **kwargs))
        except StopIteration as error:
            settle = _setter(future, error=RuntimeError(f"the subject raised {error!r}"))
        except BaseException as error:
            settle = _setter(future, error=error)
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(settle)

    threading.Thread(target=work, name="subject", daemon=True).start()
    return await future


def _setter(
    future: asyncio.Future[Any], *, result: Any = None, error: BaseException | None = None
) -> Callable[[], None]:
    def settle() -> None:
        if future.done():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)

    return settle
