"""How an exported frame is arranged: each module is one layout, found by its registry."""
