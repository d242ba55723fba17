"""The export formats of charts and numbers: each file is one, found by gui.qt.export.format."""
