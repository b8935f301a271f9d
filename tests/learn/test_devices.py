"""What a training runs on."""

from __future__ import annotations

import pytest

from kinema.errors import LearningError
from kinema.learn.devices import is_main, launched, open_accelerator
from kinema.learn.recipe import Recipe


def test_settings_of_the_training_before_do_not_stay():
    for precision, accumulate in (("bf16", 3), ("no", 1)):
        accelerator = open_accelerator(Recipe(precision=precision, accumulate=accumulate))
        assert accelerator.mixed_precision == precision and accelerator.gradient_accumulation_steps == accumulate
        assert accelerator.device.type == "cpu" and accelerator.num_processes == 1


def test_a_device_that_is_not_there_is_one_line():
    with pytest.raises(LearningError, match="device 'nonsense' cannot be used: this machine offers '"):
        open_accelerator(Recipe(device="nonsense"))
    with pytest.raises(LearningError, match="a training of 2 processes, but 1 run; start it with accelerate launch"):
        open_accelerator(Recipe(processes=2))


def test_what_the_launcher_sets_is_taken_over(monkeypatch):
    assert launched() == {} and is_main()
    for name, value in (("WORLD_SIZE", "4"), ("RANK", "3"), ("ACCELERATE_MIXED_PRECISION", "bf16")):
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("ACCELERATE_GRADIENT_ACCUMULATION_STEPS", "2")
    assert launched() == {"processes": 4, "accumulate": 2, "precision": "bf16"} and not is_main()
