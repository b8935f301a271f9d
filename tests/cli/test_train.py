"""`kinema train`."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install 'kinema[learn]'")

from kinema.cli.main import main
from kinema.learn.folder import load_model
from kinema.mocap import MotionDatabase
from kinema.mocap.procedural import generate
from kinema.mocap.procedural.script import Segment

SMALL = ["--set", "latent=4", "--set", "hidden=16", "--set", "layers=1", "--batch", "32", "--steps", "30"]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> str:
    motions = [generate(script=(Segment("walk", 3.0),), fps=30.0, seed=seed, name=f"take{seed}") for seed in range(3)]
    path = tmp_path_factory.mktemp("data") / "walk.db"
    MotionDatabase.from_motions(motions, mirror=False).save(path)
    return str(path)


def test_train_and_resume(data, tmp_path, capsys):
    run = str(tmp_path / "run")
    assert main(["train", "autoencoder", "--data", data, "-o", run, *SMALL, "--licence", "our own"]) == 0
    out = capsys.readouterr().out
    assert "model" in out and "PCA, 4 numbers" in out and "mean pose" in out and f"{run}: 30 steps" in out
    assert (tmp_path / "run" / "loss.png").read_bytes().startswith(b"\x89PNG")
    document = load_model(run).document
    assert document["data"]["licence"] == "our own" and "--set latent=4" in document["command"]
    assert document["command"].startswith("kinema train autoencoder --data ") and "--steps 30" in document["command"]
    assert main(["train", "autoencoder", "--data", data, "-o", run, "--resume", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["steps"] == 30 and report["finished"] and report["rows"][0]["name"] == "model"
    assert {"run", "best", "best_step", "seconds", "steps_per_second"} <= set(report)


def test_a_run_starts_from_another(data, tmp_path, capsys):
    first, second = str(tmp_path / "first"), str(tmp_path / "second")
    assert main(["train", "autoencoder", "--data", data, "-o", first, *SMALL]) == 0
    assert main(["train", "autoencoder", "--data", data, "-o", second, *SMALL, "--from", first]) == 0
    document = load_model(second).document
    assert document["initial"]["hash"] == load_model(first).document["hash"]
    assert f"--from {first}" in document["command"]
    capsys.readouterr()
    assert main(["train", "autoencoder", "--data", data, "-o", str(tmp_path / "third"), "--from", "default"]) == 2
    said = capsys.readouterr().err
    assert "no weights of the task 'autoencoder' come with Kinema, only those of any-skeleton, " in said


def test_folders_above_a_run_are_made_and_an_unknown_task_comes_first(data, tmp_path, capsys):
    run = tmp_path / "runs" / "new" / "walk"
    assert main(["train", "autoencoder", "--data", data, "-o", str(run), *SMALL]) == 0
    assert (run / "loss.png").is_file()
    capsys.readouterr()
    assert main(["train", "nonsense", "--data", "gone.db", "-o", str(tmp_path / "other" / "run")]) == 2
    assert "no 'nonsense' among the tasks" in capsys.readouterr().err and not (tmp_path / "other").exists()


def test_help_names_every_task_without_loading_torch():
    from kinema.learn.tasks import TASKS

    code = "import sys; from kinema.cli.main import main; main(['train', '--help'])"
    code = f"try:\n    {code}\nexcept SystemExit:\n    print('torch' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert all(name in said and listed.about in said for name, listed in TASKS.items())
    assert said.endswith("False\n")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (
            ["gan", "--data", "DB", "-o", "run"],
            2,
            "no 'gan' among the tasks; there are action-classifier, any-skeleton, autoencoder",
        ),
        (["autoencoder", "--data", "nowhere", "-o", "run"], 1, "no such database; make one with `kinema build"),
        (["autoencoder", "--data", "DB", "-o", "run", "--batch", "9999"], 1, "less than a batch of 9999"),
        (["autoencoder", "--data", "DB", "-o", "run", "--set", "latent"], 2, "is not NAME=VALUE"),
        (["autoencoder", "--data", "DB", "-o", "run", "--set", "width=3"], 1, "the options are: latent, hidden"),
        (["autoencoder", "--data", "DB", "-o", "run", "--schedule", "up"], 1, "the schedules are: cosine, restarts"),
        (["autoencoder", "--data", "DB", "-o", "run", "--ema", "2"], 1, "ema is 2.0, which is out of range"),
        (["autoencoder", "--data", "DB", "-o", "run", "--resume"], 1, "leave --resume out to start one"),
        (["autoencoder", "--data", "DB", "-o", "run", "--resume", "--force"], 2, "give one of them"),
        (["autoencoder", "--data", "DB", "-o", "run", "--device", "toaster"], 1, "device 'toaster' cannot be used"),
        (["autoencoder", "--data", "DB", "-o", "run", "--steps", "0"], 2, "not a whole number of at least 1"),
    ],
)
def test_bad_input_is_one_clear_line(data, tmp_path, monkeypatch, capsys, arguments, code, said):
    monkeypatch.chdir(tmp_path)
    result = main(["train", *[data if argument == "DB" else argument for argument in arguments]])
    captured = capsys.readouterr()
    assert result == code and said in captured.err and captured.out == ""
    assert "Traceback" not in captured.err and captured.err.count("kinema: error") <= 1


def test_a_folder_that_is_no_database(tmp_path, capsys):
    (tmp_path / "photos").mkdir()
    assert main(["train", "autoencoder", "--data", str(tmp_path / "photos"), "-o", str(tmp_path / "run")]) == 1
    assert "not a motion database" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    "number", [signal.SIGINT, *(pytest.param(each, marks=pytest.mark.slow) for each in (signal.SIGTERM, signal.SIGHUP))]
)
def test_signals_save_and_say_how_to_go_on(number, data, tmp_path):
    run = tmp_path / "run"
    arguments = ["train", "autoencoder", "--data", data, "-o", str(run), *SMALL[:-1], "1000000"]
    command = [sys.executable, "-m", "kinema.cli.main", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 60
    while not (run / "log.jsonl").is_file() and time.monotonic() < end:
        time.sleep(0.05)
    os.kill(process.pid, number)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 128 + number and "Traceback" not in error
    found = re.search(r"stopped and saved at step (\d+); the same command with --resume continues", error)
    assert found
    assert Path(run / "checkpoint.safetensors").is_file() and load_model(run).document["task"] == "autoencoder"
