import pytest

from kinema.mocap.creatures import ACTIONS, allowed_actions, make_creature


@pytest.mark.parametrize(
    ("name", "cannot"),
    [
        ("dog", {"fly", "glide", "swim"}),
        ("eagle", {"swim"}),
        ("snake", {"back", "jump", "fly", "glide", "swim"}),
        ("centipede", {"back", "jump", "fly", "glide", "swim"}),
        ("fish", {"walk", "run", "back", "jump", "fly", "glide"}),
        ("octopus", {"run", "jump", "fly", "glide"}),
    ],
)
def test_bodies_do_what_their_limbs_allow(name, cannot):
    allowed = allowed_actions(make_creature(name))
    assert set(ACTIONS) - set(allowed) == cannot
    assert list(allowed) == sorted(allowed, key=ACTIONS.index)
