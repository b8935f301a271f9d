"""The little programs in `integrations` do what their pages say, with files that `--for` made."""

from __future__ import annotations

import functools
import http.server
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kinema import save
from kinema.formats.profiles import prepare

from . import blender, threejs
from .test_profiles import person

FOLDER = Path(__file__).parents[2] / "integrations"


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def site(tmp_path: Path) -> Iterator[str]:
    """The page with three.js and a person beside it, on this machine."""
    threejs.program()
    save(prepare(person(), "three"), tmp_path / "person.glb")
    shutil.copy(FOLDER / "three" / "index.html", tmp_path)
    (tmp_path / "node_modules").symlink_to(threejs.INSTALLED / "node_modules")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(tmp_path)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    server.server_close()
    thread.join()


def test_the_page_shows_a_person_and_its_clip(site: str, browser: Any) -> None:
    said: list[str] = []
    page = browser.new_page(viewport={"width": 960, "height": 640})
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(f"{site}?file=person.glb")
    page.wait_for_function("window.shown && window.shown.mixer.time > 0.2")
    shown = page.evaluate("({joints: shown.joints, clips: shown.clips, height: shown.height})")
    picture = page.screenshot(path=os.environ.get("KINEMA_SCREENSHOT"))
    page.close()
    assert not said
    assert shown["clips"] == ["walk_away"] and 1.5 < shown["height"] < 1.95
    skeleton = person().skeleton
    assert skeleton is not None and shown["joints"] == skeleton.joint_count
    assert len(picture) > 5000, "there is more than a plain ground to see"


@pytest.mark.parametrize("suffix", [".glb", pytest.param(".fbx", marks=pytest.mark.slow)])
def test_the_script_opens_files_in_blender(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"person{suffix}"
    save(prepare(person(), "blender", names="standard"), path)
    asked = (
        "import bpy; s = bpy.context.scene; "
        "arm = next(o for o in s.objects if o.type == 'ARMATURE'); "
        "print('SEEN', s.render.fps / s.render.fps_base, s.frame_end, len(arm.pose.bones), 'thigh.L' in arm.pose.bones)"
    )
    done = subprocess.run(
        [
            blender.program(),
            "-b",
            "--factory-startup",
            "--python-exit-code",
            "1",
            "--python",
            str(FOLDER / "blender" / "open_in_blender.py"),
            "--python-expr",
            asked,
            "--",
            str(path),
            "save",
            str(tmp_path / "out.blend"),
        ],
        env=blender.surroundings(),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    seen = next(line for line in done.stdout.splitlines() if line.startswith("SEEN")).split()[1:]
    assert seen[0] == "30.0" and abs(int(seen[1]) - 44) <= 1 and seen[3] == "True"
    assert int(seen[2]) >= 22 and (tmp_path / "out.blend").is_file()
