"""Trainings in several processes, as accelerate starts them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kinema.learn import journal
from kinema.learn.folder import load_model
from kinema.mocap import MotionDatabase

PROGRAM = """
import sys
from kinema.cli.main import main
from kinema.learn import training

training.JOURNAL_STEPS = 1  # the whole curve
training.CHECKPOINT_SECONDS = 0.0
if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
"""
STEPS = 50


@pytest.fixture
def command(tmp_path: Path, database: MotionDatabase):
    """Makes the command of a training in some processes, whose steps have 64 samples in all."""
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    launch = [sys.executable, "-m", "accelerate.commands.launch", "--multi_gpu", "--num_processes", "2"]
    launch += ["--num_machines", "1", "--mixed_precision", "no", "--dynamo_backend", "no", "--main_process_port", "0"]

    def make(folder: str, processes: int, *more: str) -> list[str]:
        start = launch if processes == 2 else [sys.executable]
        task = ["train", "autoencoder", "--data", str(database.path), "-o", str(tmp_path / folder)]
        size = ["--set", "latent=6", "--set", "hidden=24", "--batch", str(64 // processes), "--steps", str(STEPS)]
        return [*start, str(program), *task, *size, "--validate-every", "10", "--rate", "0.003", *more]

    return make


def done(command: list[str]) -> subprocess.CompletedProcess[str]:
    finished = subprocess.run(command, capture_output=True, text=True, timeout=200)
    assert finished.returncode == 0, finished.stderr
    return finished


def curve(folder: Path, name: str) -> list[float]:
    return [entry[name] for entry in journal.read(folder) if name in entry]


@pytest.mark.slow
def test_two_processes_give_the_curve_of_one_with_twice_the_batch(command, tmp_path):
    for folder, processes in (("one", 1), ("two", 2)):
        out = done(command(folder, processes)).stdout
        assert out.count("50 steps, the best on held-out clips") == 1, "one process reports"
    for name, count in (("loss", STEPS), ("gradient", STEPS), ("validation", 6)):
        curves = [curve(tmp_path / folder, name) for folder in ("one", "two")]
        assert len(curves[0]) == count and curves[0][0] != curves[0][-1]
        assert curves[1] == pytest.approx(curves[0], rel=1e-4), name
    recipe = load_model(tmp_path / "two").document["training"]
    assert (recipe["processes"], recipe["batch"]) == (2, 32)


def children(process: subprocess.Popen) -> list[int]:
    return [int(n) for n in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]


@pytest.mark.slow
def test_two_processes_that_were_stopped_or_killed_go_on_with_the_same_bits(command, tmp_path):
    done(command("whole", 2, "--ema", "0.9"))
    broken = tmp_path / "broken"

    def started(steps: int, *more: str) -> subprocess.Popen[str]:
        launcher = subprocess.Popen(command("broken", 2, *more), stderr=subprocess.PIPE, text=True)
        end = time.monotonic() + 120
        while len(curve(broken, "loss")) < steps and time.monotonic() < end:
            time.sleep(0.005)
        return launcher

    launcher = started(8, "--ema", "0.9")
    launcher.send_signal(signal.SIGINT)
    assert "stopped and saved at step" in launcher.communicate(timeout=60)[1]
    launcher = started(20, "--resume")
    for worker in children(launcher):
        os.kill(worker, signal.SIGKILL)
    launcher.communicate(timeout=60)
    assert launcher.returncode and 20 <= len(curve(broken, "loss")) < STEPS, "killed on the way"

    alone = subprocess.run(command("broken", 1, "--resume", "--batch", "32"), capture_output=True, text=True)
    assert "a training of 2 processes, but 1 run; start it with accelerate launch --multi_gpu" in alone.stderr
    done(command("broken", 2, "--resume"))
    assert (broken / "model.safetensors").read_bytes() == (tmp_path / "whole" / "model.safetensors").read_bytes()
    assert curve(broken, "loss") == curve(tmp_path / "whole", "loss")
