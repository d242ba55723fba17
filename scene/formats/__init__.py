"""The export formats of scenes and motions: each file is one, found by gui.qt.export.format."""
