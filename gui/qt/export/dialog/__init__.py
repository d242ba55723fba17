"""The export of films, pictures and figures in the window: sheet, form, menu, progress."""
