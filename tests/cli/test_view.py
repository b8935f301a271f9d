"""`kinema view`."""

from __future__ import annotations

import json
import socket

import numpy as np
import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install 'kinema[view]'")

from kinema import Motion, formats
from kinema.cli.main import main


@pytest.fixture
def walk(tmp_path, biped):
    path = tmp_path / "walk.bvh"
    formats.save(Motion.create(biped, np.tile(biped.rest_rotations, (20, 1, 1)), fps=30.0, name="walk"), path)
    return path


def test_ends_by_itself_and_prints_one_object(walk, capsys):
    assert main(["view", str(walk), "--port", "0", "--seconds", "0.3", "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["files"] == 1
    assert "http://127.0.0.1:" in err


def test_a_bad_file_alone_is_one_line(tmp_path, capsys):
    (tmp_path / "bad.bvh").write_text("HIERARCHY\nROOT Hips\n{\n")
    assert main(["view", str(tmp_path / "bad.bvh"), "--port", "0", "--seconds", "0.2"]) == 1
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and "bad.bvh" in err


def test_a_bad_file_among_good_ones_is_left_out(walk, tmp_path, capsys):
    (tmp_path / "bad.bvh").write_text("HIERARCHY")
    assert main(["view", str(walk), str(tmp_path / "bad.bvh"), "--port", "0", "--seconds", "0.2"]) == 1
    assert "left out" in capsys.readouterr().err


def test_a_port_in_use_is_one_line(walk, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["view", str(walk), "--port", str(port)]) == 1
    err = capsys.readouterr().err
    assert err == f"kinema: error: port {port} is in use; use --port N, for example {port + 1}\n"


def test_writes_a_page_but_not_over_another(walk, tmp_path, capsys):
    page = tmp_path / "walk.html"
    assert main(["view", str(walk), "--html", str(page), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"outputs": [str(page)], "bytes": page.stat().st_size}
    assert main(["view", str(walk), "--html", str(page)]) == 1
    assert "--force" in capsys.readouterr().err
    assert main(["view", str(walk), "--html", str(page), "--force"]) == 0


@pytest.mark.parametrize("port", ["-1", "70000", "x"])
def test_wrong_ports_are_wrong_arguments(walk, port):
    assert main(["view", str(walk), f"--port={port}"]) == 2
