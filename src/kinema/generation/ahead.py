"""Makes patches of motion ahead of their use, so that nothing that draws waits for them."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

from kinema.arrays import Singles
from kinema.errors import KinemaError
from kinema.generation.wishes import Wish

Make = Callable[[Wish], Singles]
"""The next patch for a wish."""


class Ahead:
    """Patches that are made on a thread, a few ahead.

    Args:
        make: makes the next patch; only called on the thread.
        ahead: number of patches that wait to be used, at most; 0 makes each when it is taken, without a thread.

    Attributes:
        wish: what the next patch is made for.
        seconds: what the last patch took.
    """

    def __init__(self, make: Make, wish: Wish, ahead: int) -> None:
        self.wish, self.seconds = wish, 0.0
        self._make, self._ahead = make, ahead
        self._made: deque[Singles] = deque()
        self._changed = threading.Condition()
        self._open = True
        self._problem: KinemaError | None = None
        self._thread = threading.Thread(target=self._work, daemon=True, name="kinema-patches")
        if ahead:
            self._thread.start()

    @property
    def waiting(self) -> int:
        """Number of patches that are made and not taken."""
        return len(self._made)

    def take(self) -> Singles | None:
        """The next patch; None if it is not made yet.

        Raises:
            KinemaError: no more can be made.
        """
        if not self._ahead:
            return self._timed(self._make)
        with self._changed:
            if self._made:
                self._changed.notify()
                return self._made.popleft()
            if self._problem is not None:
                raise self._problem
            return None

    def restart(self, make: Make) -> None:
        """Drop what was made and go on with another source."""
        with self._changed:
            self._make = make
            self._made.clear()
            self._changed.notify()

    def close(self) -> None:
        """End the thread, after the patch that it is making."""
        with self._changed:
            self._open = False
            self._changed.notify()
        if self._ahead:
            self._thread.join(10.0)

    def _work(self) -> None:
        # The message for a programming error, which ends this thread; Python prints the traceback.
        problem: KinemaError | None = KinemaError("making motion failed, see the terminal")
        try:
            while (make := self._due()) is not None:
                made = self._timed(make)
                with self._changed:
                    if make is self._make:
                        self._made.append(made)
            problem = None
        except KinemaError as error:
            problem = error
        except (MemoryError, OSError) as error:
            problem = KinemaError(f"making motion: {error or 'not enough memory'}")
        finally:
            self._problem = problem

    def _due(self) -> Make | None:
        """Wait until a patch is to be made. None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: not self._open or len(self._made) < self._ahead)
            return self._make if self._open else None

    def _timed(self, make: Make) -> Singles:
        began = time.perf_counter()
        made = make(self.wish)
        self.seconds = time.perf_counter() - began
        return made
