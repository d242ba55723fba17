"""How an exported frame is arranged: each file is one layout, found by gui.qt.export.layout."""
