"""Shaders: pieces, variants, what a broken one says, and looking at the files again."""

import os
import shutil

import pytest

from kinema.rendering.shading import FOLDER, ShaderError, Shaders

VERTEX = "void main() { gl_Position = vec4(0.0); }\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "v.glsl").write_text(VERTEX)
    (tmp_path / "piece.glsl").write_text("float half_of(float x) {\n    return x * 0.5;\n}\n")
    (tmp_path / "f.glsl").write_text(
        '#include "piece.glsl"\nuniform float a;\nout vec4 c;\n'
        "void main() {\n    c = vec4(half_of(a + float(EXTRA)));\n}\n"
    )
    return tmp_path


def test_pieces_and_variants(renderer, folder):
    with renderer.context:
        shaders = Shaders(renderer.context, folder)
        one = shaders.get("v.glsl", "f.glsl", EXTRA=1)
        assert shaders.get("v.glsl", "f.glsl", EXTRA=1) is one and shaders.get("v.glsl", "f.glsl", EXTRA=2) is not one
        one.set(a=2.0, not_there=3)
        assert one.program["a"].value == 2.0
        shaders.release()


@pytest.mark.parametrize(("name", "line"), [("piece.glsl", 2), ("f.glsl", 5)])
def test_a_broken_shader_names_file_and_line(renderer, folder, name, line):
    text = (folder / name).read_text().splitlines()
    text[line - 1] = "    nonsense;"
    (folder / name).write_text("\n".join(text))
    with renderer.context, pytest.raises(ShaderError, match=rf"^shader {name}, line {line}: .*nonsense") as caught:
        Shaders(renderer.context, folder).get("v.glsl", "f.glsl", EXTRA=1)
    assert "\n" not in str(caught.value)


def test_what_does_not_link_or_is_not_there_is_said(renderer, folder):
    with renderer.context:
        (folder / "v.glsl").write_text("out vec2 both;\n" + VERTEX.replace("gl_P", "both = vec2(1.0); gl_P"))
        (folder / "f.glsl").write_text("in vec3 both;\nout vec4 c;\nvoid main() { c = vec4(both, 1.0); }\n")
        with pytest.raises(ShaderError, match=r"^shaders v.glsl and f.glsl do not link"):
            Shaders(renderer.context, folder).get("v.glsl", "f.glsl")
        with pytest.raises(ShaderError, match=r"shader gone.glsl cannot be read"):
            Shaders(renderer.context, folder).get("v.glsl", "gone.glsl")


def test_a_running_program_survives_a_broken_file(renderer, folder):
    with renderer.context:
        shaders = Shaders(renderer.context, folder, live=True)
        old = shaders.get("v.glsl", "f.glsl", EXTRA=1)
        assert shaders.refresh() is None and shaders.get("v.glsl", "f.glsl", EXTRA=1) is old
        good = (folder / "f.glsl").read_text()
        edits = ((good.replace("a +", "b +"), 2e9, "line 5"), (good.replace("a +", "2.0 * a +"), 3e9, None))
        for text, stamp, said in edits:
            (folder / "f.glsl").write_text(text)
            os.utime(folder / "f.glsl", (stamp, stamp))
            error = shaders.refresh()
            assert (error is None) if said is None else (error is not None and said in error)
            assert (shaders.get("v.glsl", "f.glsl", EXTRA=1) is old) == (said is not None)
        assert shaders.generation == 1
        shaders.release()


def test_pictures_go_on_while_a_shader_is_edited(driver, tmp_path, monkeypatch, shapes):
    from kinema.rendering import shading
    from kinema.rendering.camera import Camera
    from kinema.rendering.renderer import Renderer
    from kinema.rendering.view import View

    shutil.copytree(FOLDER, tmp_path / "shaders")
    monkeypatch.setattr(shading.Shaders.__init__, "__defaults__", (tmp_path / "shaders", False))
    view = View(Camera.look_at((0, 1, 3), (0, 0, 0)), (shapes.rest(shapes.ball(0.5)),))
    with Renderer(48, 32, "draft", live_shaders=True) as renderer:
        before = renderer.render(view).color
        tone = tmp_path / "shaders" / "tone.frag.glsl"
        good = tone.read_text()
        tone.write_text(good.replace("void main() {", "void main() {\n    broken\n", 1))
        os.utime(tone, (2e9, 2e9))
        assert (renderer.render(view).color == before).all()
        assert renderer.shader_error is not None and "tone.frag.glsl" in renderer.shader_error
        tone.write_text(good.replace("* exposure", "* 0.0"))
        os.utime(tone, (3e9, 3e9))
        assert renderer.render(view).color[..., :3].max() <= 1 and renderer.shader_error is None
