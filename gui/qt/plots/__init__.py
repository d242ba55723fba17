"""The painter of charts for the window: what `gui/charts` makes of the runs, drawn by pyqtgraph."""
