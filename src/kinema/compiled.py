"""`njit` for the kernels of the package, with a cache on disk whose code is never older than the source.

The cache of numba itself compares one file, that of the function: code that it inlined from a kernel in another file,
and constants from there, stay as they were compiled first. And an index that mentions a class which has been renamed
cannot be read at all. Here the cached functions of a module are in a folder named after the source of everything they
use, so that code of another version is not even opened. And numba lets processes that start together each compile the
same: here one does, and the others wait for its code.
"""

from __future__ import annotations

import functools
import hashlib
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, ClassVar, TypeVar, overload

import numba
import numpy as np
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher
from numba.core.types import unliteral

F = TypeVar("F", bound=Callable[..., Any])

_PACKAGE = __name__.partition(".")[0] + "."

# How long a process waits for another to compile a kernel, in seconds: one that was suspended may never be done.
_PATIENCE = 120.0


@overload
def njit(function: F) -> F: ...
@overload
def njit(**options: Any) -> Callable[[F], F]: ...
def njit(function: Any = None, **options: Any) -> Any:
    """`numba.njit` with a cache on disk, bare or with options.

    The cache is where numba would put it: in `NUMBA_CACHE_DIR`, otherwise beside the module, otherwise in the user's
    cache folder.
    """
    if function is None:
        return functools.partial(njit, **options)
    kernel: Any = numba.njit(**options)(function)
    if kernel is not function:  # as it is with NUMBA_DISABLE_JIT
        kernel._cache = _Cache(function)
        kernel.get_call_template = functools.partial(_called, kernel.get_call_template)
        kernel.compile = functools.partial(_compiled, kernel, kernel.compile)
    return kernel


def _compiled(kernel: Any, compiled: Callable[..., Any], signature: Any) -> Any:
    """Code of a kernel for arguments of some types: at hand, from the disk, or compiled."""
    if signature in kernel.overloads or not isinstance(kernel._cache, _Cache):
        return compiled(signature)
    with global_compiler_lock, kernel._cache.by_one_process():
        return compiled(signature)


def _called(template: Callable[..., Any], args: Any, kws: Any) -> Any:
    """What a kernel calls for arguments of some types. Numbers in its source would each be a type of their own, for
    which the called kernel would be compiled again."""
    return template(tuple(map(unliteral, args)), {name: unliteral(kind) for name, kind in kws.items()})


def is_cached(kernel: Callable[..., Any]) -> bool:
    """Whether code of a kernel is on the disk, for some arguments; also if it is never compiled."""
    cache = getattr(kernel, "_cache", None)
    return cache is None or any(Path(cache.cache_path).glob(f"*.{kernel.__name__}-*.nbi"))


@functools.cache
def stamp(module: str) -> str:
    """Digest of the source of a module of kernels and of what it imports: kernels, constants and named tuples."""
    names = vars(sys.modules[module])
    digest = hashlib.sha256(names["__loader__"].get_data(names["__file__"]))
    for name, value in sorted(names.items()):
        if not name.startswith("__"):
            digest.update(f"{name}: {_content(value, module)}\n".encode())
    return digest.hexdigest()[:16]


def _content(value: Any, module: str) -> str:
    """What compiled code may hold of a global of a module; nothing of what the module's own source says."""
    if isinstance(value, ModuleType | Dispatcher | FunctionType):  # compiled code may use an overload of a function
        home = value.__name__ if isinstance(value, ModuleType) else value.__module__
        return stamp(home) if home.startswith(_PACKAGE) and home not in (module, __name__) else ""
    if isinstance(value, np.ndarray):
        return hashlib.sha256(value.tobytes()).hexdigest()
    if isinstance(value, bool | int | float | str | tuple | np.generic):
        return repr(value)
    return f"{value!r} {value._fields}" if hasattr(value, "_fields") else ""


def _stamped(locator: type) -> type:
    """A locator of numba whose folder has one more below it: that of a module and the stamp of its source."""

    class Stamped(locator):
        def __init__(self, py_func: Any, py_file: str) -> None:
            super().__init__(py_func, py_file)
            self._stamp = stamp(py_func.__module__)
            self._name = Path(py_file).stem

        def get_cache_path(self) -> str:
            return str(Path(super().get_cache_path(), f"{self._name}-{self._stamp}"))

        def get_source_stamp(self) -> str:
            return self._stamp

        def ensure_cache_path(self) -> None:
            folder = Path(self.get_cache_path())
            outdated = () if folder.exists() else [*folder.parent.glob(f"{self._name}-*/")]
            super().ensure_cache_path()
            for old in outdated:
                shutil.rmtree(old, ignore_errors=True)

    return Stamped


class _Kernels(CompileResultCacheImpl):
    _locator_classes: ClassVar = [_stamped(locator) for locator in CompileResultCacheImpl._locator_classes]


class _Cache(FunctionCache):
    """Cached code of a kernel; a damaged file or a full disk costs time, not the call."""

    _impl_class = _Kernels
    _held = 0

    @contextmanager
    def by_one_process(self) -> Iterator[None]:
        """Keeps other processes from this kernel, where the system has such locks and the folder can be written.

        A kernel holds the locks of those that called it, and none calls back: no two processes wait for one another.
        """
        with ExitStack() as held:
            if not self._held:
                with suppress(OSError, ImportError):
                    import fcntl

                    self._impl.locator.ensure_cache_path()
                    name = f"{self._impl.filename_base}.lock"
                    lock = held.enter_context(open(Path(self.cache_path, name), "w"))
                    until = time.monotonic() + _PATIENCE
                    while time.monotonic() < until:
                        with suppress(BlockingIOError):
                            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                            break
                        time.sleep(0.02)
            self._held += 1
            try:
                yield
            finally:
                self._held -= 1

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # reading a damaged pickle may raise anything
            with suppress(OSError):
                self.flush()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        with suppress(OSError):
            super().save_overload(sig, data)
