"""The passes of the renderer: each draws one kind of thing."""
