import pytest

from kinema.errors import ControlError
from kinema.mocap.creatures import Act


@pytest.mark.parametrize(
    "wrong",
    [{"kind": "sing"}, {"kind": "walk", "seconds": 0}, {"kind": "walk", "pace": 2}, {"kind": "run", "speed": -1}],
)
def test_acts_check_their_numbers(wrong):
    with pytest.raises(ControlError):
        Act(**wrong)
