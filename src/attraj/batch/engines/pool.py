"""A pool of processes. A worker that dies takes one file with it, not the batch; results keep the order of the items.

Items travel in chunks. When a worker dies, its chunk is run again one item at a time in a new worker, and the item
that kills that one too is lost: a task says what is told of it.
"""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Generic, Protocol, TypeVar

from attraj.batch.discover import Item
from attraj.batch.work import Done, look_at
from attraj.findings import DocumentReport
from attraj.verbs.validate import Request

CHUNK_ITEMS = 64
CHUNK_BYTES = 8 << 20
AHEAD = 4  # chunks that may be in flight for each worker: bounds what is kept while an early one is slow

T = TypeVar("T")
R = TypeVar("R")
T_contra = TypeVar("T_contra", contravariant=True)
R_co = TypeVar("R_co", covariant=True)


class Task(Protocol[T_contra, R_co]):
    """What workers do with each item. It travels to them once, so it is made of values."""

    def begin(self) -> Callable[[Any], R_co]:
        """In a worker, once: what turns an item into its result."""
        ...

    def lost(self, item: T_contra) -> R_co:
        """The result of an item that took its worker with it."""
        ...

    def size(self, item: T_contra) -> int:
        """Bytes of an item, so that chunks are of a size; CHUNK_BYTES or more for one that travels alone."""
        ...


class _Validation:
    """The task of `validate`."""

    def __init__(self, request: Request) -> None:
        self._request = request

    def begin(self) -> Callable[[Item], Done]:
        return lambda item: look_at(item, self._request)

    def lost(self, item: Item) -> Done:
        return Done([DocumentReport(item.path, status="unreadable", reason=DIED)])

    def size(self, item: Item) -> int:
        return CHUNK_BYTES if item.kind in ("trial", "job", "stdin") else item.size


DIED = "the worker died while reading it"


def run(items: Iterable[Item], request: Request, jobs: int) -> Iterator[tuple[Item, Done]]:
    """Each item with what became of it, in the order of the items, whatever worker was first.

    Args:
        items: What to look at.
        request: What to ask of each.
        jobs: Number of worker processes, at least 1.
    """
    return run_task(items, _Validation(request), jobs)


def run_task(items: Iterable[T], task: Task[T, R], jobs: int) -> Iterator[tuple[T, R]]:
    """Each item with its result, in the order of the items."""
    with _Pool(jobs, task) as pool:
        for chunk, results in pool.results(_chunks(items, task)):
            yield from zip(chunk, results, strict=True)


def _chunks(items: Iterable[T], task: Task[T, R]) -> Iterator[list[T]]:
    chunk: list[T] = []
    size = 0
    for item in items:
        chunk.append(item)
        size += task.size(item)
        if len(chunk) >= CHUNK_ITEMS or size >= CHUNK_BYTES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


class _Worker(Generic[T]):
    """One process, and the chunk that it is busy with."""

    def __init__(self, process: BaseProcess, pipe: Connection) -> None:
        self.process = process
        self.pipe = pipe
        self.number: int | None = None
        self.chunk: list[T] = []


class _Pool(Generic[T, R]):
    def __init__(self, jobs: int, task: Task[T, R]) -> None:
        method = "forkserver" if "forkserver" in get_all_start_methods() else "spawn"
        self._context: Any = get_context(method)
        if method == "forkserver":
            self._context.set_forkserver_preload(["attraj.batch.work"])
        self._jobs = jobs
        self._task = task
        self._workers: list[_Worker[T]] = []

    def __enter__(self) -> _Pool[T, R]:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.pipe.close()
            worker.process.terminate()
        for worker in self._workers:
            worker.process.join()

    def results(self, chunks: Iterator[list[T]]) -> Iterator[tuple[list[T], list[R]]]:
        """Each chunk with its results, in order."""
        done: dict[int, tuple[list[T], list[R]]] = {}
        given = wanted = 0
        waiting: deque[tuple[int, list[T]]] = deque()
        is_more = True
        while is_more or waiting or wanted < given:
            while is_more and given - wanted < self._jobs * AHEAD:
                chunk = next(chunks, None)
                if chunk is None:
                    is_more = False
                    break
                waiting.append((given, chunk))
                given += 1
            self._hand_out(waiting)
            for number, chunk, results in self._take_in():
                done[number] = (chunk, results)
            while wanted in done:
                yield done.pop(wanted)
                wanted += 1

    def _hand_out(self, waiting: deque[tuple[int, list[T]]]) -> None:
        while waiting:
            worker = next((w for w in self._workers if w.number is None), None)
            if worker is None:
                if len(self._workers) >= self._jobs:
                    return
                worker = self._start()
                self._workers.append(worker)
            worker.number, worker.chunk = waiting.popleft()
            worker.pipe.send(worker.chunk)

    def _start(self) -> _Worker[T]:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_work, args=(theirs, self._task), daemon=True)
        process.start()
        theirs.close()
        return _Worker(process, ours)

    def _take_in(self) -> Iterator[tuple[int, list[T], list[R]]]:
        busy = {worker.pipe: worker for worker in self._workers if worker.number is not None}
        for pipe in wait(list(busy)) if busy else ():
            worker = busy[pipe]  # type: ignore[index]  # wait() gives back what it was given
            number = worker.number
            assert number is not None
            try:
                results: list[R] = worker.pipe.recv()
            except (EOFError, ConnectionError):
                self._workers.remove(worker)
                worker.process.join()
                results = [self._alone(item) for item in worker.chunk]
            worker.number = None
            yield number, worker.chunk, results

    def _alone(self, item: T) -> R:
        """Run one item in a worker of its own; when that dies as well, the item is to blame."""
        worker = self._start()
        try:
            worker.pipe.send([item])
            results: list[R] = worker.pipe.recv()
        except (EOFError, ConnectionError):
            return self._task.lost(item)
        finally:
            worker.pipe.close()
            worker.process.terminate()
            worker.process.join()
        return results[0]


def _work(pipe: Connection, task: Task[Any, Any]) -> None:
    """What a worker does until the pipe closes (which it also does when the parent dies)."""
    import gc

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears Ctrl-C and ends the workers
    gc.disable()  # parsed documents hold no cycles, and a worker holds one at a time
    look = task.begin()
    while True:
        try:
            chunk: list[Any] = pipe.recv()
            pipe.send([look(item) for item in chunk])
        except (EOFError, ConnectionError, BrokenPipeError):
            return
