from __future__ import annotations

import pytest

from kinema.instructions.grammar.reader import parse


@pytest.mark.parametrize(
    "said, described",
    [
        ("before bowing and then waving, jump", "Jump. Then bow. Then wave."),
        ("sneaking, she goes behind the shed", "Sneak behind the shed."),
        ("with a limp, she walks to the bed", "Limp to the bed."),
        ("running to the fence, she jumps over it", "Run to the fence. Then jump over the fence."),
        ("running to the fence, she waves", "Run to the fence while waving."),
        ("as he walks to the tree, zoom in; then he bows", "Walk to the tree while the camera zooms in. Then bow."),
        (
            "walk to the tree. zoom out while she waves",
            "Walk to the tree. Then wave while the camera zooms out.",
        ),
        (
            "walk to the tree, then with the camera circling, bow",
            "Walk to the tree. Then bow while the camera circles.",
        ),
        (
            "dance for two seconds with the camera zooming in as she dances",
            "Dance for 2 seconds while the camera zooms in.",
        ),
        ("jump, then jump again", "Jump 2 times."),
        ("clap, two times", "Clap 2 times."),
        ("grab the box, walk to the table with it", "Pick up the box. Then carry the box to the table."),
        ("pace back and forth for two seconds", "Walk back and forth for 2 seconds."),
        ("turn left, then to the right", "Turn 90 degrees to the left. Then turn 90 degrees to the right."),
        ("three waves, right hand", "Wave with the right hand 3 times."),
        ("before walking back with a wave, push the cart", "Push the cart. Then walk back to the start while waving."),
        ("before the camera zooms in, she waves", "Wave. Then the camera zooms in."),
        ("after the camera zooms in, she waves", "The camera zooms in. Then wave."),
        ("once she has waved and bowed, the camera zooms out", "Wave. Then bow. Then the camera zooms out."),
        ("wave, then, slowly, walk away", "Wave. Then slowly walk away."),
        ("walk to the tree. at the tree, wave", "Walk to the tree. Then wave."),
        ("walk slowly and sadly away", "Slowly sadly walk away."),
        ("push the box to the wall and sit on it", "Push the box to the wall. Then sit on the box."),
        ("push the box to the door and open it", "Push the box to the door. Then open the door."),
        ("the camera follows as she walks, full of joy", "Happily walk while the camera follows."),
    ],
)
def test_clauses_follow_each_other_or_go_along(said: str, described: str) -> None:
    assert parse(said).describe() == described
