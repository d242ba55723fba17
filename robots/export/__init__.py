"""How scenarios become scripts; `robots.export.as_python` is the way in, `parts` what a script is put together from."""
