"""Puts clauses in the order in which they happen, one after the other or at once."""

from __future__ import annotations

from dataclasses import replace

from kinema.errors import UsageError
from kinema.instructions.grammar.consistency import check, compatible, get_up, leads_on, merged, repeats
from kinema.instructions.grammar.drafts import Clause, ClauseLink
from kinema.instructions.grammar.refining import led, refined, same_again, stays_there
from kinema.instructions.grammar.wording import quoted
from kinema.instructions.programme import CameraMove, Gesture, Handling, Locomotion, Programme, Step

MOST_STEPS = 64
"""Steps that a programme may have."""

_ORDER: tuple[type[Step], ...] = (Locomotion, Handling, Gesture, CameraMove)


class Composer:
    """Puts clauses in the order in which they happen."""

    def __init__(self) -> None:
        self.groups: list[list[Step]] = []
        self.along: list[Step] = []  # goes along with the next clause
        self.held: list[Clause] = []  # comes after the next clause
        self.participle = False  # the first clause of a sentence was one, and may go along with the next
        self.begun = False  # the first clause only said how something is gone
        self.loose = False
        self.last: Clause | None = None
        self.gerunds = False
        self.manner: tuple[str, ...] = ()  # of the step that comes next
        self.side = ""
        self.opened: tuple[list[Step], Step] | None = None  # a camera that begins a sentence, and where it is
        self.done = False  # after "once she has waved"
        self.holding = False  # the clauses that are held may go on

    def add(self, clause: Clause, link: ClauseLink, said: list[str]) -> None:
        """Add the next clause.

        Raises:
            UsageError: it contradicts what it goes along with.
        """
        if not clause.steps:
            self._amend(clause, link, said)
            return
        if self.manner:
            clause.steps[0] = replace(clause.steps[0], manner=(*self.manner, *clause.steps[0].manner))
            self.manner = ()
        if self.side and isinstance(clause.steps[0], Gesture | Handling):
            clause.steps[0] = replace(clause.steps[0], side=self.side)
            self.side = ""
        opened, self.opened = self.opened, None
        if opened is not None and link.mode == "while" and clause.form != "camera":
            group, filmed = opened
            if not any(repeats(step, each) for step in clause.steps for each in group):
                group.remove(filmed)  # "walk to the tree. zoom in while she waves"
                self.groups.append([*clause.steps, filmed])
                self.last, self.loose = clause, False
                return
        front = (bool(link.mode) and (link.sentence or link.joined)) or (clause.beside and link.then)
        if link.stop:
            self._release()
        if self.groups:
            same_again(self.groups[-1][-1], clause)
        if self._refines(clause, link) or self._goes_as_begun(clause, link):
            return
        if clause.form == "noun" and self.groups and stays_there(self.groups[-1][0], clause.steps[0]):
            return
        if self._goes_with_held(clause, link):
            return
        if front and link.mode == "before":
            self.held.append(clause)
            self.holding = True
            return
        link.then |= self.done and clause.form == "camera" and clause.has_subject and not link.mode
        self.done = link.done if front else self.done and link.joined
        if clause.form == "camera" and front and link.done:
            self._follow(clause, False)  # "after the camera zooms in, wave"
        elif clause.form == "camera":
            self._camera(clause, link, front)
        elif front and link.mode == "while":
            self.along += clause.steps
        elif self.holding and (link.joined or link.then) and not link.comma and not link.mode:
            self.held.append(clause)  # "before you run to the car and wave, ..."
            return
        elif link.mode == "after" and not front and self.groups:
            at = len(self.groups) - 1
            self.groups[at:at] = [[step] for step in clause.steps]
        elif self.groups and not self.along and not self.holding and self._goes_along(clause, link):
            self._join(clause.steps, said)
        else:
            self._follow(clause, front)
        self.holding = False
        first = clause.steps[0]
        self.begun = (
            (link.sentence or len(self.groups) == 1)
            and isinstance(first, Locomotion)
            and first.place is None
            and not clause.has_subject
        )
        self.begun &= clause.form in ("ing", "noun") and not link.mode
        self.participle = link.sentence and clause.form == "ing" and not clause.has_subject and not link.mode
        if link.sentence and not link.then:
            self.gerunds = clause.form == "ing" and not clause.has_subject
        self.last, self.loose = clause, clause.loose
        if sum(map(len, self.groups)) > MOST_STEPS:
            raise UsageError(f"instructions have at most {MOST_STEPS} steps; split them up")
        if self.groups:
            check(self.groups[-1], said)

    def programme(self) -> Programme:
        """All of it."""
        self._release()
        step = self.groups[-1][0] if self.groups else None
        if self.side and isinstance(step, Gesture | Handling) and not step.side:
            self.groups[-1][0] = replace(step, side=self.side)  # "three waves, right hand"
        if self.along:
            self.groups.append(self.along)
        if self.manner and self.groups:  # "wave, then slowly"
            step = self.groups[-1][0]
            self.groups[-1][0] = replace(step, manner=(*step.manner, *self.manner))
        if not self.groups:
            raise UsageError("there are no instructions; say something such as 'walk to the tree, then wave'")
        steps: list[Step] = []
        get_up(self.groups)
        for group in self.groups:
            filmed = [step for step in group if isinstance(step, CameraMove)]
            for other in filmed[1:]:
                filmed[0] = merged(filmed[0], other)
            group = [step for step in group if not isinstance(step, CameraMove)] + filmed[:1]
            ordered = sorted(group, key=lambda step: _ORDER.index(type(step)))
            check(ordered, ordered[0].describe().split())
            steps += [replace(step, together=at > 0) for at, step in enumerate(ordered)]
        return Programme(tuple(steps))

    def _release(self) -> None:
        held, self.held = self.held, []
        for clause in held:
            self._follow(clause, False)
            if clause.along:
                self._join(clause.along, [])

    def _amend(self, clause: Clause, link: ClauseLink, said: list[str]) -> None:
        """Says more of the step before: how it is done, or how often."""
        if clause.side:
            self.side = clause.side
            return
        if clause.degrees:
            step = self.groups[-1][-1] if self.groups else None
            if not isinstance(step, Gesture) or step.action != "turn":
                raise UsageError(
                    f"{quoted(said)} does not say what to do; say it with a verb, such as 'turn 90 degrees'"
                )
            self.groups[-1][-1] = replace(step, degrees=clause.degrees)
            return
        if clause.manner and (link.then or not self.groups):
            self.manner += clause.manner  # "quickly, quietly, sneak"
            return
        if not self.groups:
            raise UsageError(f"{quoted(said)} does not say what to do; say it with a verb, such as 'walk slowly'")
        group = self.groups[-1]
        acted = [at for at, each in enumerate(group) if not isinstance(each, CameraMove)]
        of_camera = self.last is not None and self.last.form == "camera"
        at = acted[-1] if acted and not of_camera else len(group) - 1
        manner = tuple(dict.fromkeys((*group[at].manner, *clause.manner)))
        group[at] = replace(group[at], manner=manner, times=clause.again or group[at].times)
        check(self.groups[-1], said)

    def _refines(self, clause: Clause, link: ClauseLink) -> bool:
        """Whether a clause only says more of the step before it: "walk backwards, moving away from the dog"."""
        group = self.groups[-1] if self.groups else []
        acted = [at for at, step in enumerate(group) if not isinstance(step, CameraMove)]
        at = acted[-1] if acted and not (self.last and self.last.form == "camera") else len(group) - 1
        before = group[at] if group else None
        steps = None if self.holding or self.along else refined(before, self.loose, clause, link)
        steps = steps or led(before, clause, link)
        if steps is None or (self.gerunds and isinstance(before, Locomotion) and before.place and not self.loose):
            return False
        group[at] = steps[-1]
        self.groups[-1:-1] = [[step] for step in steps[:-1]]
        self.loose &= clause.loose
        return True

    def _goes_with_held(self, clause: Clause, link: ClauseLink) -> bool:
        """Whether a clause goes along with one that is held: "before walking back with a wave, push the cart"."""
        if not self.holding or not self.held or link.comma or link.then or link.joined or link.mode:
            return False
        aside = clause.form in ("ing", "camera") and not clause.has_subject
        if not (aside or link.with_noun or link.meanwhile):
            return False
        self.held[-1].along += clause.steps
        return True

    def _goes_as_begun(self, clause: Clause, link: ClauseLink) -> bool:
        """Whether a participle before a clause says how it is gone: "sneaking, she goes behind the shed"."""
        step, before = clause.steps[0], self.groups[-1][-1] if self.groups else None
        if not (self.begun and isinstance(step, Locomotion) and (clause.loose or step.gait == "walk")):
            return False
        if not isinstance(before, Locomotion) or before.place or link.joined or link.then:
            return False
        manner = tuple(dict.fromkeys((*before.manner, *step.manner)))
        self.groups[-1][-1] = replace(before, place=step.place, manner=manner)
        self.participle = self.begun = False
        return True

    def _goes_along(self, clause: Clause, link: ClauseLink) -> bool:
        waits = isinstance(clause.steps[0], Gesture) and clause.steps[0].action in ("wait", "stand")
        if link.mode == "while" or link.meanwhile or link.with_noun:
            return True
        if link.then or link.mode or link.sentence or waits:
            return False
        if self.participle and link.comma and not link.joined and clause.form != "ing":
            if leads_on(self.groups[-1][-1], clause.steps[0]):
                return False
            both = (*self.groups[-1], *clause.steps)
            turns = sum(isinstance(step, Gesture) and step.action == "turn" for step in both)
            return sum(isinstance(step, Locomotion) for step in both) < 2 and turns < 2
        own = clause.form == "ing" and not clause.has_subject  # "keep dancing" is no aside
        return own and not link.joined and not self.gerunds and self.last is not None

    def _join(self, steps: list[Step], said: list[str]) -> None:
        """Lets steps go along with the last ones; who does what was just said goes along with the step after it."""
        group = self.groups[-1]
        for step in steps:
            if isinstance(step, Locomotion) and not any(isinstance(each, Locomotion) for each in group):
                before = self.groups[-2] if len(self.groups) > 1 else []
                if any(isinstance(each, Locomotion) and repeats(step, each) for each in before):
                    self.groups[-2:] = [[*before, *group]]
                    group = self.groups[-1]
                    continue
            if any(type(each) is type(step) and repeats(step, each) for each in group):
                continue
            group.append(step)
        check(group, said)

    def _follow(self, clause: Clause, front: bool) -> None:
        for step in clause.steps:
            before = self.groups[-1] if self.groups else []
            if front and any(repeats(step, each) for each in before):
                continue  # "once she has reached the tree"
            if self._counts(step, before):
                continue
            self.groups.append([step])
            if self.along:
                self.groups[-1] += self.along
                self.along = []

    def _counts(self, step: Step, before: list[Step]) -> bool:
        """Whether a gesture is the one before it once more: "jump, then jump again"."""
        if len(before) != 1 or not isinstance(step, Gesture) or step.action == "turn" or step.seconds:
            return False
        if replace(step, times=1) != replace(before[0], times=1):
            return False
        before[0] = replace(before[0], times=before[0].times + step.times)
        return True

    def _camera(self, clause: Clause, link: ClauseLink, front: bool) -> None:
        step = clause.steps[0]
        if clause.throughout and self.groups:
            self.groups[0].append(step)
        elif link.then and self.along:
            self.groups.append(self.along)
            self.along = [step]
        elif not front and any(not isinstance(each, CameraMove) for each in self.along):
            self.groups.append([*self.along, step])  # "as he walks to the tree, zoom in"
            self.along = []
        elif front or not self.groups:
            filmed = [each for each in self.along if isinstance(each, CameraMove) and compatible(each, step)]
            self.along = [each for each in self.along if each not in filmed]
            self.along.append(merged(filmed[0], step) if filmed else step)
        elif link.then:
            self._follow(clause, False)
        else:
            held = [each for each in self.groups[-1] if isinstance(each, CameraMove)]
            if held and link.mode != "while" and not link.meanwhile and not compatible(held[0], step):
                self.groups.append([step])
            elif held:
                self.groups[-1].remove(held[0])
                self.groups[-1].append(merged(held[0], step))
            else:
                self.groups[-1].append(step)
                self.opened = (self.groups[-1], step) if link.stop else None
