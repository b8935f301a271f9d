"""Who wears the clip."""

from __future__ import annotations

from kinema.session.session import Session
from kinema.window.desk import Desk
from kinema.window.footage import wardrobe
from kinema.window.panels.panel import Panel
from kinema.window.viewing import ViewMode


class BodyPanel(Panel):
    """The body that is drawn, its mirror image, and what the file says about it."""

    title = "Character"
    sessions = frozenset({"view"})

    def draw(self, desk: Desk, session: Session) -> None:
        """A list of bodies that fit, the mirror switch and some facts."""
        assert isinstance(session, ViewMode)
        footage = session.footage
        if footage is None:
            desk.muted(session.waiting or "nothing is shown")
            return
        bodies = list(wardrobe(footage.clip, session.characters))
        now = bodies.index(footage.dress) if footage.dress in bodies else 0
        chosen = desk.choice("##body", bodies, now, "Bodies that fit these joints; open more files to get more")
        if chosen != now:
            session.reopen(dress=bodies[chosen])
        mirrored = desk.switch("Mirrored", session.mirrored, "Left and right change places (M)")
        if mirrored != session.mirrored:
            session.reopen(mirrored=mirrored)
        skeleton = footage.clip.skeleton
        desk.fact("joints", f"{skeleton.joint_count}")
        desk.fact("size", f"{footage.size:.2f} m")
        if footage.motion is not None:
            desk.fact("length", f"{footage.frames} frames, {footage.motion.seconds:.2f} s")
            desk.fact("rate", f"{footage.fps:g} /s")
            frame = session.playhead.frame
            speed = footage.velocities[frame, skeleton.roles.hips]
            desk.fact("speed", f"{float((speed[0] ** 2 + speed[2] ** 2) ** 0.5):.2f} m/s")
        warnings = footage.motion.warnings if footage.motion is not None else ()
        for line in warnings[:3]:
            desk.wrapped(line, desk.look.warn)
