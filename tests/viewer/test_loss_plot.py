"""A training in a real browser, with its losses."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install 'kinema[view]'")

from kinema.viewer.browser import serve_page
from kinema.viewer.loss_plot import LossPlot
from kinema.viewer.page import Viewer, open_viewer

CHROMIUM_ARGUMENTS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
SIZE = {"width": 960, "height": 540}


@pytest.fixture
def viewer() -> Iterator[Viewer]:
    with open_viewer(port=0, mode="train") as opened:
        yield opened


def test_losses_replace_each_other(viewer: Viewer):
    plot = LossPlot(viewer.server)
    plot.refresh(None)
    assert len(plot.plot.data[0]) == 2
    steps = np.array([50.0, 100.0, 150.0])
    plot.refresh((steps, 1 / steps, 2 / steps))
    assert plot.plot.data[2].tolist() == (2 / steps).tolist()


def learning() -> tuple[Any, Any]:
    """What opens a watch, and what makes a training; tests are skipped without torch."""
    pytest.importorskip("torch", reason="torch is not installed: pip install 'kinema[learn]'")
    from kinema.session.training import open_watch

    from ..session.test_training import training

    return open_watch, training


def saved_database(path: Path) -> Any:
    from kinema.mocap import MotionDatabase
    from kinema.mocap.procedural import generate
    from kinema.mocap.procedural.script import Segment

    motions = [generate(script=(Segment("walk", 4.0),), fps=30.0, seed=seed, name=f"take{seed}") for seed in range(3)]
    MotionDatabase.from_motions(motions).save(path)
    return MotionDatabase.open(path)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return saved_database(tmp_path_factory.mktemp("data") / "walk.db")


@pytest.mark.slow
@pytest.mark.browser
def test_a_real_browser_shows_two_bodies_while_the_loss_goes_down(database, tmp_path, browser: Any):
    open_watch, training = learning()
    trained = training(database, tmp_path / "run", 1_000_000)
    errors: list[str] = []
    seen: list[tuple[int, float]] = []
    page = browser.new_page(viewport=SIZE)
    page.on("pageerror", lambda error: errors.append(str(error)))

    def figures() -> dict[str, str]:
        lines = page.locator("#kinema table").inner_text().splitlines()
        return dict(line.split("\t") for line in lines if "\t" in line)

    with open_watch(trained, serve_page, port=0) as watch:
        page.goto(watch.url)
        page.locator("canvas").first.wait_for()
        until = time.monotonic() + 60

        def after_step(now: Any) -> None:
            watch.after_step(now)
            if now.step % 100 == 0:
                page.wait_for_timeout(150)  # the driver of the browser lives in this thread
                shown = figures()
                if "loss" in shown and int(shown["step"].replace(",", "")) > 0:
                    seen.append((int(shown["step"].replace(",", "")), float(shown["clip off by"].split()[0])))
            if time.monotonic() > until or (len(seen) > 3 and seen[-1][0] >= 600):
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            trained.go(after_step)
        assert len({step for step, _ in seen}) >= 3, "weights must arrive again and again"
        assert seen[-1][1] < seen[0][1] or seen[-1][1] < 3.0, "the model comes nearer to the truth"
        page.get_by_text("Held out").first.wait_for()

        # Two bodies: with everything paused, what stands at the left is not what stands at the right.
        page.keyboard.press("Space")
        page.wait_for_timeout(1500)
        page.wait_for_timeout(800)
        picture = tmp_path / "page.png"
        page.screenshot(path=str(picture))
        truth, model = (body_within(picture, *columns) for columns in ((300, 465), (480, 680)))
        assert len(truth) > 2500 and len(model) > 2500
        assert violet(model) > 0.8 and violet(truth) < 0.3
        page.close()
    assert errors == []


def body_within(picture: Path, left: int, right: int) -> np.ndarray:
    """Colours `[N, 3]` between two columns of the page which are neither ground nor sky, all but grey."""
    from PIL import Image

    with Image.open(picture) as image:
        pixels = np.asarray(image.convert("RGB")).astype(int)[100:430, left:right]
    return pixels[np.ptp(pixels, axis=-1) > 12]


def violet(colors: np.ndarray) -> float:
    """Share of colours in which green is the least and blue the most."""
    return float(((colors[:, 2] > colors[:, 0]) & (colors[:, 0] > colors[:, 1])).mean())


@pytest.mark.bench
@pytest.mark.browser
@pytest.mark.timeout(400)
def test_watching_costs_a_tenth_of_the_speed_at_most(tmp_path):
    """On two cores, one of them the training's; the browser itself, which draws in software here, stands back."""
    from kinema.learn.recipe import Recipe
    from kinema.learn.run import start_run
    from kinema.learn.training import Training
    from kinema.mocap import MotionDatabase
    from kinema.mocap.procedural import locomotion_set

    open_watch, _ = learning()
    path = tmp_path / "walk.db"
    MotionDatabase.from_motions(locomotion_set(minutes=4.0)).save(path)
    database = MotionDatabase.open(path)
    quiet = tmp_path / "chromium"
    quiet.write_text(f'#!/bin/sh\necho 19 > /proc/self/autogroup\nexec nice -n 19 {shutil.which("chromium")} "$@"\n')
    quiet.chmod(0o755)
    run = start_run(tmp_path / "run", "autoencoder", database, {}, Recipe(steps=20 * BLOCK, validate_every=10**6))
    trained = Training(run)
    arguments = [*CHROMIUM_ARGUMENTS, "--headless", "--window-size=320,240", f"--user-data-dir={tmp_path}/profile"]
    seconds: tuple[list[float], list[float]] = [], []
    with open_watch(trained, serve_page, port=0) as watch:
        page = subprocess.Popen(
            [quiet, *arguments, watch.url],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        began = [time.perf_counter()]

        def after_step(now: Any) -> None:
            """Blocks in turn with and without: what else this machine does meets both alike."""
            block, place = divmod(now.step - 1, BLOCK)
            watched = block % 2 == 1
            if watched:
                watch.after_step(now)
            if place == BLOCK - 1:
                seconds[watched].append(time.perf_counter() - began[0])
                for process in (watch._process.pid, *_children(page.pid)):
                    os.kill(process, signal.SIGSTOP if watched else signal.SIGCONT)
                began[0] = time.perf_counter()

        try:
            time.sleep(10.0)
            os.kill(watch._process.pid, signal.SIGSTOP)
            trained.go(after_step)
        finally:
            for process in (watch._process.pid, *_children(page.pid)):
                os.kill(process, signal.SIGCONT)
            os.killpg(page.pid, signal.SIGTERM)
            page.wait(20)
    ratio = float(np.median(np.array(seconds[0][1:]) / np.array(seconds[1][1:])))
    print(f"steps a second with the page open, over those without: {ratio:.3f}")
    assert ratio > 0.9


BLOCK = 60


def _children(parent: int) -> list[int]:
    """A process and those it started, however far down."""
    found = [parent]
    for number in Path(f"/proc/{parent}/task/{parent}/children").read_text().split():
        found += _children(int(number))
    return found
