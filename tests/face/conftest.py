"""A short take for all tests of `import kinema`."""

import pytest

import kinema


@pytest.fixture(scope="package")
def take() -> kinema.Motion:
    script = [kinema.Segment("idle", 0.5), kinema.Segment("walk", 2.0), kinema.Segment("idle", 0.5)]
    return kinema.perform(script=script, fps=30.0, name="stroll")
