"""The MOTION section: rates, and rows on lines that are not theirs."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.errors import FormatError
from kinema.formats.bvh.rows import DEFAULT_FPS, read_rows


def rows(numbers: str, frames: int, columns: int = 3, frame_time: str = "0.1") -> tuple[np.ndarray, float, list[str]]:
    warnings: list[str] = []
    text = f"MOTION\nFrames: {frames}\nFrame Time: {frame_time}\n{numbers}"
    return (*read_rows(text.encode(), 0, columns, warnings), warnings)


@pytest.mark.parametrize("frame_time", ["3000", "1e9", "1e-12", "0", "-0.1", "1e-320", "-1e-320"])
def test_rates_that_no_motion_can_have_are_replaced(frame_time: str) -> None:
    _, fps, warnings = rows("1 2 3", 1, frame_time=frame_time)
    assert fps == DEFAULT_FPS and "took 30 frames per second" in warnings[0]


@pytest.mark.parametrize(("frame_time", "fps"), [("1000", 0.001), ("1e-5", 1e5)])
def test_rates_at_the_bounds_are_kept(frame_time: str, fps: float) -> None:
    assert rows("1 2 3", 1, frame_time=frame_time)[1] == pytest.approx(fps)


@pytest.mark.parametrize("end", ["", "\n", " \r\n\n"])
def test_all_frames_may_be_on_one_line(end: str) -> None:
    found, _, warnings = rows("1 2 3 4 5 6 7 8 9" + end, 3)
    assert found.tolist() == [[1, 2, 3], [4, 5, 6], [7, 8, 9]] and warnings == ["all frames are on one line"]


@pytest.mark.parametrize(("numbers", "frames"), [("1 2 3 4", 1), ("1 2 3 4 5 6", 3), ("1 2 3 4\n5 6", 2)])
def test_a_line_of_parts_of_rows_is_refused(numbers: str, frames: int) -> None:
    with pytest.raises(
        FormatError, match=r"line 4: row has \d values where 3 are due; the channels make 3 values a row"
    ):
        rows(numbers, frames)


def test_a_bad_number_on_the_one_line_is_named() -> None:
    with pytest.raises(FormatError, match="line 4: expected a number, found 'x'"):
        rows("1 2 3 4 x 6", 2)
