from dataclasses import dataclass

import numpy as np
import pytest

from kinema.errors import UsageError
from kinema.mocap.creatures.captions import MOST_WORDS, caption, facts
from kinema.mocap.creatures.lexicon import ACTIONS
from kinema.mocap.creatures.meaning import attributes_of
from kinema.mocap.creatures.words import concepts_of

NAMES = {
    "unguligrade": ("horse", "pony", "quadruped", "animal", "creature"),
    "spider": ("spider", "tarantula", "creature"),
    "snake": ("snake", "serpent", "animal"),
    "fish": ("trout", "fish", "creature"),
    "bird": ("sparrow", "bird", "animal"),
    "biped": ("person", "human", "man"),
    "winged": ("dragon", "monster"),
    "tentacled": ("octopus", "creature"),
    "digitigrade": ("wolf", "beast"),
    "centipede": ("centipede", "bug"),
}
WINGS = ("bird", "winged")
GAITS = {
    ("unguligrade", "run"): ("trot", "gallop", None), ("unguligrade", "walk"): ("walk", "pace", None),
    ("bird", "walk"): ("hop",), ("digitigrade", "run"): ("bound",), ("digitigrade", "walk"): ("sneak", "trot"),
}  # fmt: skip


@dataclass(frozen=True)
class Act:
    kind: str
    pace: float = 0.0
    turn: float = 0.0
    curve: float = 0.0
    direction: float | None = None
    gait: str | None = None


def kinds_of(plan):
    if plan == "fish":
        return ("idle", "swim", "turn", "jump", "look", "attack", "eat", "die")
    return [kind for kind in ACTIONS if plan in WINGS or kind not in ("fly", "glide")]


def random_act(plan, rng):
    kind = str(rng.choice(kinds_of(plan)))
    gaits = GAITS.get((plan, kind), (None,))
    return Act(
        kind,
        pace=rng.uniform(-1, 1),
        turn=rng.uniform(-3, 3) if kind == "turn" else 0.0,
        curve=rng.uniform(-1, 1) if rng.random() < 0.5 else 0.0,
        direction=rng.uniform(-3, 3) if rng.random() < 0.2 else None,
        gait=gaits[rng.integers(len(gaits))],
    )


@pytest.fixture(scope="module")
def written():
    """5,000 scripts of one to four acts and their captions: `(plan, acts, caption)`."""
    rng = np.random.default_rng(3)
    found = []
    for _ in range(5000):
        plan = str(rng.choice(list(NAMES)))
        acts = [random_act(plan, rng) for _ in range(rng.choice([1, 1, 1, 2, 2, 3, 4]))]
        acts = [act for index, act in enumerate(acts) if index == 0 or act.kind != acts[index - 1].kind]
        found.append((plan, acts, caption(NAMES[plan], acts, rng, plan)))
    return found


@pytest.mark.slow
def test_captions_tell_the_acts_in_order(written):
    right = 0
    for _, acts, text in written:
        told = tuple(name for name in concepts_of(text) if name in ACTIONS)
        right += told == tuple(dict.fromkeys(act.kind for act in acts))
    assert right >= 0.99 * len(written)


def test_captions_of_one_act_contradict_nothing(written):
    opposite = {"left": "right", "right": "left", "slow": "fast", "fast": "slow"}
    for _, acts, text in written:
        if len(acts) == 1:
            said = set(concepts_of(text))
            assert not {opposite[fact] for fact in facts(acts[0]) if fact in opposite} & said, text
            if "slow" in said or "fast" in said:
                assert attributes_of(text).pace == np.sign(acts[0].pace) and abs(acts[0].pace) > 0.4, text


def test_captions_do_not_fall_back_on_the_plain_form(written):
    assert np.mean([len(set(text.lower().split())) <= 1 for *_, text in written]) < 0.15
    assert len({text for *_, text in written}) > 0.8 * len(written)


def test_facts_are_often_said(written):
    sides = [bool({"left", "right"} & set(concepts_of(text))) for _, acts, text in written
             if len(acts) == 1 and {"left", "right"} & facts(acts[0])]  # fmt: skip
    paces = [bool({"slow", "fast"} & set(concepts_of(text))) for _, acts, text in written
             if len(acts) == 1 and {"slow", "fast"} & facts(acts[0])]  # fmt: skip
    assert 0.4 < np.mean(sides) < 0.95
    assert 0.4 < np.mean(paces) < 0.95


def test_captions_vary_in_length_and_case(written):
    lengths = [len(text.split()) for *_, text in written]
    assert min(lengths) == 1 and 20 < max(lengths) <= MOST_WORDS
    assert any(text.isupper() for *_, text in written)
    assert any(text.endswith(".") for *_, text in written) and any(text.islower() for *_, text in written)


@pytest.mark.parametrize(
    ("plan", "never"),
    [
        ("spider", ("gallop", "trot", "canter", "slither", "graz", "flap", "punch")),
        ("snake", ("gallop", "step", "stride", "punch", "its feet", "trudg", "kick ")),
        ("fish", ("gallop", "walk", "slither", "run ", "stroll")),
        ("unguligrade", ("slither", "scuttl", "punch", "flap", "claws")),
        ("biped", ("gallop", "slither", "graze", "its wings")),
    ],
)
def test_verbs_fit_the_body(written, plan, never):
    texts = [text.lower() for body, _, text in written if body == plan]
    assert texts
    for word in never:
        assert not [text for text in texts if word in text], word


def test_snakes_slither_and_birds_hop(written):
    def share(plan, kind, word):
        return np.mean(
            [
                word in text.lower()
                for body, acts, text in written
                if body == plan and [act.kind for act in acts] == [kind]
            ]
        )

    assert share("snake", "walk", "slither") > 0.1
    assert share("bird", "walk", "hop") > 0.2
    assert share("unguligrade", "eat", "graz") + share("unguligrade", "eat", "eat") > 0.1


def test_the_vocabulary_is_wide(written):
    for action in set(ACTIONS) - {"fly", "glide"}:
        texts = {text.lower() for _, acts, text in written if [act.kind for act in acts] == [action]}
        assert len(texts) > 60, action


def test_the_same_seed_gives_the_same_caption():
    acts = [Act("walk", pace=0.9, curve=0.5), Act("eat")]
    texts = [caption(("horse",), acts, np.random.default_rng(5)) for _ in range(2)]
    assert texts[0] == texts[1]


def test_the_plan_comes_from_the_name():
    rng = np.random.default_rng(0)
    texts = " ".join(caption(("python", "animal"), [Act("walk")], rng).lower() for _ in range(200))
    assert "slither" in texts and "stroll" not in texts


def test_facts_of_acts():
    assert facts(Act("walk", pace=-0.8, curve=0.5)) == {"slow", "left"}
    assert facts(Act("turn", turn=-3.0)) == {"right", "around"}
    assert facts(Act("walk", direction=np.pi / 2)) == {"left", "sideways"}
    assert facts(Act("look", direction=-1.0)) == {"right"}
    assert facts(Act("run", gait="trot")) == {"trot", "forward"}
    assert facts(Act("die", curve=1.0)) == frozenset()


@pytest.mark.parametrize(
    ("names", "acts", "plan"),
    [
        ((), [Act("walk")], None),
        (("dog",), [], None),
        (("dog",), [Act("moonwalk")], None),
        (("dog",), [Act("walk")], "blob"),
    ],
)
def test_wrong_arguments_are_refused(names, acts, plan):
    with pytest.raises(UsageError):
        caption(names, acts, np.random.default_rng(0), plan)
