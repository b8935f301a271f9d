"""A viser plot of training losses."""

from __future__ import annotations

import numpy as np
import viser
from viser import uplot

from kinema.session.rehearser import LossCurve


class LossPlot:
    """Training and held-out loss over the steps."""

    def __init__(self, server: viser.ViserServer) -> None:
        with server.gui.add_folder("Loss"):
            self.plot = server.gui.add_uplot(
                (np.array([0.0, 1.0]),) * 3,
                (
                    uplot.Series(label="step"),
                    uplot.Series(label="training", stroke="#3a7cbe", width=2),
                    uplot.Series(label="held-out", stroke="#d45e34", width=2),
                ),
                scales={"x": uplot.Scale(time=False), "y": uplot.Scale(distr=3)},
                legend=uplot.Legend(live=False),
                padding=(16, 10, 4, 0),
                aspect=1.5,
            )

    def refresh(self, curve: LossCurve | None) -> None:
        """Show the losses so far."""
        if curve is not None and not np.array_equal(curve[0], self.plot.data[0]):
            self.plot.data = curve
