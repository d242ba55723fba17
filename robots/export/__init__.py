"""How scenarios become scripts; `robots.export.as_python` is the entry, `parts` the building blocks of scripts."""
