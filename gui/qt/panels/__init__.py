"""The docks: each file is one panel, found by gui.qt.window.panel."""
