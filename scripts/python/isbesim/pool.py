# SPDX-License-Identifier: Apache-2.0
"""Many runs at the same time: a pool of simulator processes on this machine."""

from __future__ import annotations

import os
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from typing import Any, Callable, Iterable, Mapping, TypeVar

from .result import Result
from .runs import run

Item = TypeVar("Item")
Answer = TypeVar("Answer")


def bar(total: int, text: str, shown: bool | None) -> Any:
    """A progress bar on stderr. With `shown` None, on a terminal only."""
    from tqdm import tqdm  # not for the workers of a sweep

    return tqdm(total=total, desc=text, unit="run", disable=None if shown is None else not shown, leave=bool(shown))


def each(function: Callable[[Item], Answer], items: Iterable[Item], *, processes: int | None = None,
         progress: bool | None = None, text: str = "isbesim") -> list[Answer]:
    """The results in the order of the items. `function` starts a simulator and waits for it, so threads are enough
    here; `processes` of them at a time (default: the number of cores). After the first exception no further item
    begins."""
    work = list(items)
    with bar(len(work), text, progress) as shown, ThreadPoolExecutor(processes or os.cpu_count() or 1) as pool:
        futures: list[Future[Answer]] = [pool.submit(function, item) for item in work]
        for future in futures:
            future.add_done_callback(lambda _: shown.update())
        try:
            wait(futures, return_when=FIRST_EXCEPTION)
        finally:
            for future in futures:
                future.cancel()
        failed = [future for future in futures if not future.cancelled() and future.exception() is not None]
        if failed:
            failed[0].result()
        return [future.result() for future in futures]


def run_all(runs: Iterable[Mapping[str, Any]], *, processes: int | None = None, progress: bool | None = None,
            **common: Any) -> list[Result]:
    """Calls isbesim.run for each entry, a mapping of its arguments; `common` arguments apply to all:
    run_all([{"isbe_lines": n} for n in (256, 512)], scenario="draw/scenario.json")."""
    return each(lambda arguments: run(**{**common, **arguments}), runs, processes=processes, progress=progress)
