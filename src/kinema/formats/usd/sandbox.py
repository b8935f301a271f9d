"""A separate process for usd-core, because hostile files can crash it, hang it or exhaust the memory.

usd-core is a large C++ library that trusts its files: flipping a few bytes of a `.usdc` file is enough for a
segmentation fault. So only a second process (`worker`) opens files. It has limits of memory and time, a folder with
copies of the files that it may use, and no environment that could load plugins. It starts with the first file, serves
later ones too, and ends with this process.
"""

from __future__ import annotations

import atexit
import importlib.util
import itertools
import os
import struct
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from kinema import unfinished
from kinema.errors import FormatError, MissingError
from kinema.formats.usd.packing import PackingError, pack, unpack

SECONDS = 8.0  # for one request, and a little more for large files
BYTES_PER_SECOND = 20e6
LENGTH = struct.Struct("<Q")
LONGEST_REPLY = 4 * 1024**3

_lock = threading.Lock()
_numbers = itertools.count()
_running: dict[int, subprocess.Popen[bytes]] = {}  # by our own process id: a forked copy must start its own


def check_installed() -> None:
    """MissingError where usd-core is not installed."""
    if importlib.util.find_spec("pxr") is None:
        raise MissingError("USD files need usd-core; install it with: pip install 'kinema[formats]'")


def ask(request: dict[str, Any], path: str, size: int) -> dict[str, Any]:
    """What the worker answers.

    Args:
        request: see `worker`.
        path: display path, for messages.
        size: bytes of the file, for the limit of time.

    Raises:
        FormatError: the worker refused the file, crashed on it, or took too long.
        MissingError: usd-core is not installed.
    """
    check_installed()
    limit = SECONDS + size / BYTES_PER_SECOND
    with _lock:
        process = _worker()
        assert process.stdin is not None and process.stdout is not None
        late = threading.Event()

        def stop() -> None:
            late.set()
            process.kill()

        watch = threading.Timer(limit, stop)
        watch.daemon = True
        watch.start()
        try:
            number = next(_numbers)
            message = pack({**request, "number": number})
            process.stdin.write(LENGTH.pack(len(message)) + message)
            process.stdin.flush()
            reply = _reply(process)
            if not isinstance(reply, dict) or reply.get("number") != number:
                raise EOFError
        except (OSError, EOFError, PackingError):
            _forget(process)
            if late.is_set():
                raise FormatError(f"takes longer than {limit:.0f} s to open, refused", path=path) from None
            raise FormatError(
                f"cannot be read: usd-core crashed on it ({_ended(process.returncode)}), it is damaged", path=path
            ) from None
        except BaseException:  # Ctrl-C: the pending answer would be taken for the next one
            _forget(process)
            raise
        finally:
            watch.cancel()
    if "bug" in reply:
        with _lock:
            _forget(process)
        raise RuntimeError(f"{path}: {reply['bug']}")
    if "refused" in reply:
        raise FormatError(str(reply["refused"]), path=path, node=reply.get("node"))
    return reply


def _worker() -> subprocess.Popen[bytes]:
    found = _running.get(os.getpid())
    if found is not None and found.poll() is None:
        return found
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PXR_", "USD_", "TF_"))}
    package = str(Path(__file__).resolve().parents[3])
    searched = [package, *filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))]
    # One thread: each further one takes a large part of the address space that the process may have.
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MALLOC_ARENA_MAX", "PXR_WORK_THREAD_LIMIT"):
        environment[name] = "1"
    environment["PYTHONPATH"] = os.pathsep.join(searched)
    started = subprocess.Popen(
        # -P keeps the working directory, which may be untrusted, out of the module search path.
        [sys.executable, "-P", "-m", "kinema.formats.usd.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        start_new_session=True,  # Ctrl-C must reach only this process
    )
    unfinished.started(started)
    _running.clear()
    _running[os.getpid()] = started
    try:
        _reply(started)
    except (OSError, EOFError, PackingError):
        _forget(started)
        raise MissingError(
            f"usd-core does not start here ({_ended(started.returncode)}); install it again with: "
            "pip install --force-reinstall 'usd-core>=26.11'"
        ) from None
    return started


def _reply(process: subprocess.Popen[bytes]) -> dict[str, Any]:
    assert process.stdout is not None
    (length,) = LENGTH.unpack(_exactly(process, LENGTH.size))
    if length > LONGEST_REPLY:
        raise EOFError
    return unpack(_exactly(process, length))


def _exactly(process: subprocess.Popen[bytes], count: int) -> bytes:
    assert process.stdout is not None
    data = process.stdout.read(count)
    if len(data) != count:
        raise EOFError
    return data


def _ended(code: int | None) -> str:
    return f"signal {-code}" if code is not None and code < 0 else f"exit {code}"


def _forget(process: subprocess.Popen[bytes]) -> None:
    unfinished.ended(process)
    _running.pop(os.getpid(), None)
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except OSError:
                continue  # bytes for the ended process were still buffered


@atexit.register
def _end() -> None:
    for process in [_running[key] for key in _running if key == os.getpid()]:
        _forget(process)
