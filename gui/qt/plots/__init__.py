"""The painter of charts for the window: the charts of `gui/charts`, drawn with pyqtgraph."""
