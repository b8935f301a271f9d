"""Packs are what pipelines of diffusers take: each is called as docs/conditions.md says, with tiny random weights."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kinema
from kinema.motion import Motion

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'kinema[learn]'")
diffusers = pytest.importorskip("diffusers", reason="diffusers is not installed: pip install diffusers transformers")
transformers = pytest.importorskip("transformers", reason="transformers is not installed: pip install transformers")
pytestmark = pytest.mark.slow

WIDTH, HEIGHT, FRAMES = 64, 96, 5
SHORTEST = 13  # frames that VACE takes with four reference pictures: one latent frame for each
WORDS, LATENT = 32, 8


@pytest.fixture(autouse=True)
def same_weights() -> None:
    torch.manual_seed(0)


def pack(take: Motion, folder: Path, target: str, frames: int = FRAMES) -> Path:
    report = kinema.condition(
        "mannequin", take, folder, target=target, size=(WIDTH, HEIGHT), frames=frames, quality="draft", camera="front"
    )
    assert report.faults == ()
    return folder


def video(path: Path) -> list[Any]:
    """As `diffusers.utils.load_video`, which needs imageio's ffmpeg or opencv."""
    av = pytest.importorskip("av")
    with av.open(str(path)) as film:
        return [frame.to_image() for frame in film.decode(video=0)]


def picture(path: Path) -> Any:
    from diffusers.utils import load_image

    return load_image(str(path))


def wan_parts() -> dict[str, Any]:
    """VAE and schedule of Wan, tiny."""
    vae = diffusers.AutoencoderKLWan(
        base_dim=8, z_dim=LATENT, dim_mult=[1, 1, 1, 1], num_res_blocks=1, temperal_downsample=[False, True, True],
        latents_mean=[0.0] * LATENT, latents_std=[1.0] * LATENT,
    )  # fmt: skip
    return {"vae": vae, "scheduler": diffusers.FlowMatchEulerDiscreteScheduler(shift=3.0)}


def checked(frames: Any, count: int) -> None:
    """Pictures of the size that was asked, and numbers."""
    array = np.asarray(frames)
    assert array.shape == (count, HEIGHT, WIDTH, 3) and np.isfinite(array).all()


def test_vace(take: Motion, tmp_path: Path) -> None:
    folder = pack(take, tmp_path / "pack", "vace", SHORTEST)
    transformer = diffusers.WanVACETransformer3DModel(
        patch_size=(1, 2, 2), num_attention_heads=2, attention_head_dim=16, in_channels=LATENT, out_channels=LATENT,
        text_dim=WORDS, freq_dim=32, ffn_dim=32, num_layers=2, rope_max_seq_len=32, vace_layers=[0],
        vace_in_channels=2 * LATENT + 64,
    )  # fmt: skip
    pipe = diffusers.WanVACEPipeline(tokenizer=None, text_encoder=None, transformer=transformer, **wan_parts())
    pipe.set_progress_bar_config(disable=True)
    own = video(folder / "src_video_inpaint.mp4")
    frames = pipe(
        video=own,
        mask=video(folder / "src_mask.mp4"),
        reference_images=[picture(Path(path)) for path in sorted(glob.glob(f"{folder}/reference/*.png"))],
        width=WIDTH, height=HEIGHT, num_frames=len(own), num_inference_steps=1, guidance_scale=1.0,
        prompt_embeds=torch.randn(1, 8, WORDS),
    ).frames[0]  # fmt: skip
    assert len(own) == SHORTEST
    checked(frames, SHORTEST)


@pytest.mark.parametrize("mode", ["animate", "replace"])
def test_wan_animate(take: Motion, tmp_path: Path, mode: str) -> None:
    folder = pack(take, tmp_path / "pack", "wan-animate")
    transformer = diffusers.WanAnimateTransformer3DModel(
        patch_size=(1, 2, 2), num_attention_heads=2, attention_head_dim=16, in_channels=2 * LATENT + 4,
        latent_channels=LATENT, out_channels=LATENT, text_dim=WORDS, freq_dim=32, ffn_dim=32, num_layers=2,
        image_dim=WORDS, rope_max_seq_len=32, motion_encoder_channel_sizes=dict.fromkeys(
            ("4", "8", "16", "32", "64", "128", "256", "512", "1024"), 8),
        motion_encoder_size=512, motion_style_dim=8, motion_dim=4, motion_encoder_dim=16,
        face_encoder_hidden_dim=16, face_encoder_num_heads=2, inject_face_latents_blocks=2,
    )  # fmt: skip
    eyes = transformers.CLIPVisionModel(
        transformers.CLIPVisionConfig(
            hidden_size=WORDS, projection_dim=WORDS, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
            image_size=32, patch_size=16,
        )
    )  # fmt: skip
    pipe = diffusers.WanAnimatePipeline(
        tokenizer=None, text_encoder=None, transformer=transformer, image_encoder=eyes,
        image_processor=transformers.CLIPImageProcessor(size=32, crop_size=32), **wan_parts(),
    )  # fmt: skip
    pipe.set_progress_bar_config(disable=True)
    rest = {} if mode == "animate" else {
        "background_video": video(folder / "src_bg.mp4"), "mask_video": video(folder / "src_mask.mp4")
    }  # fmt: skip
    frames = pipe(
        image=picture(folder / "src_ref.png"),
        pose_video=video(folder / "src_pose.mp4"),
        face_video=video(folder / "src_face.mp4"),
        width=WIDTH, height=HEIGHT, segment_frame_length=FRAMES, mode=mode, num_inference_steps=1,
        prev_segment_conditioning_frames=1, guidance_scale=1.0, prompt_embeds=torch.randn(1, 512, WORDS), **rest,
    ).frames[0]  # fmt: skip
    checked(frames, FRAMES)


def diffusion_parts() -> dict[str, Any]:
    """What Stable Diffusion is made of, tiny; words are given as embeddings."""
    unet = diffusers.UNet2DConditionModel(
        sample_size=16, in_channels=4, out_channels=4, layers_per_block=1, norm_num_groups=8, cross_attention_dim=WORDS,
        attention_head_dim=2, block_out_channels=(16, 32), down_block_types=("DownBlock2D", "CrossAttnDownBlock2D"),
        up_block_types=("CrossAttnUpBlock2D", "UpBlock2D"),
    )  # fmt: skip
    vae = diffusers.AutoencoderKL(
        down_block_types=("DownEncoderBlock2D",) * 4, up_block_types=("UpDecoderBlock2D",) * 4,
        block_out_channels=(8, 8, 8, 8), layers_per_block=1, latent_channels=4, norm_num_groups=4,
    )  # fmt: skip
    text = transformers.CLIPTextModel(
        transformers.CLIPTextConfig(
            hidden_size=WORDS, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32, vocab_size=100,
            projection_dim=WORDS,
        )
    )  # fmt: skip
    schedule = diffusers.DDIMScheduler(beta_schedule="scaled_linear")
    return {"unet": unet, "vae": vae, "text_encoder": text, "tokenizer": None, "scheduler": schedule}


@pytest.fixture
def parts() -> Iterator[dict[str, Any]]:
    yield diffusion_parts()


def control(parts: dict[str, Any]) -> Any:
    return diffusers.ControlNetModel.from_unet(
        parts["unet"], conditioning_channels=3, conditioning_embedding_out_channels=(4, 8, 8, 8)
    )


def test_controlnet(take: Motion, tmp_path: Path, parts: dict[str, Any]) -> None:
    folder = pack(take, tmp_path / "pack", "controlnet")
    pipe = diffusers.StableDiffusionControlNetPipeline(
        controlnet=[control(parts), control(parts)], safety_checker=None, feature_extractor=None,
        requires_safety_checker=False, **parts,
    )  # fmt: skip
    pipe.set_progress_bar_config(disable=True)
    made = pipe(
        image=[picture(folder / "pose" / "00000.png"), picture(folder / "depth" / "00000.png")],
        prompt_embeds=torch.randn(1, 8, WORDS), negative_prompt_embeds=torch.randn(1, 8, WORDS), num_inference_steps=1,
    ).images[0]  # fmt: skip
    assert made.size == (WIDTH, HEIGHT)


def test_animatediff(take: Motion, tmp_path: Path, parts: dict[str, Any]) -> None:
    folder = pack(take, tmp_path / "pack", "animatediff")
    adapter = diffusers.MotionAdapter(
        block_out_channels=(16, 32), motion_layers_per_block=1, motion_mid_block_layers_per_block=1,
        motion_num_attention_heads=2, motion_norm_num_groups=8, motion_max_seq_length=32,
    )  # fmt: skip
    pipe = diffusers.AnimateDiffControlNetPipeline(motion_adapter=adapter, controlnet=control(parts), **parts)
    pipe.set_progress_bar_config(disable=True)
    pictures = [picture(Path(path)) for path in sorted(glob.glob(f"{folder}/pose/*.png"))]
    frames = pipe(
        width=WIDTH, height=HEIGHT, num_frames=FRAMES, conditioning_frames=pictures, num_inference_steps=1,
        prompt_embeds=torch.randn(1, 8, WORDS), negative_prompt_embeds=torch.randn(1, 8, WORDS), output_type="np",
    ).frames[0]  # fmt: skip
    checked(frames, FRAMES)
