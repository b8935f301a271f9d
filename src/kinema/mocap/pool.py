"""Makes shards in several processes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, wait
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from kinema.errors import DatabaseError
from kinema.mocap import shards
from kinema.mocap.shards import ShardJob
from kinema.workers import open_pool, worth_using

MOST_PER_CHUNK = 16  # sources handed to a worker at a time


def make_all(jobs: Sequence[ShardJob], folder: Path, workers: int | None) -> Iterator[tuple[ShardJob, str | None]]:
    """Make the shards of all jobs; yields each job with why it failed (or None), as they get done.

    Args:
        workers: processes; None for one each core, or this one alone for little work.

    Raises:
        DatabaseError: a worker died.
        OSError: a shard could not be written.
    """
    workers = min(worth_using(workers, sum(job.source.size for job in jobs)), len(jobs))
    if workers <= 1:
        for job in jobs:
            yield job, shards.make(job, folder)
        return
    size = min(max(len(jobs) // (8 * workers), 1), MOST_PER_CHUNK)
    chunks = [jobs[start : start + size] for start in range(0, len(jobs), size)]
    pool = open_pool(workers)
    try:
        running = {pool.submit(_make_chunk, chunk, folder): chunk for chunk in chunks}
        while running:
            finished, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                yield from zip(running.pop(future), future.result(), strict=True)
    except BrokenProcessPool:
        raise DatabaseError(
            "a worker process died (out of memory, or killed; a script also needs `if __name__ == '__main__':` around "
            "its build); what is done is kept, the same call goes on from there, with workers=1 in this process alone"
        ) from None
    finally:
        pool.shutdown(cancel_futures=True)


def _make_chunk(jobs: Sequence[ShardJob], folder: Path) -> list[str | None]:
    return [shards.make(job, folder) for job in jobs]
