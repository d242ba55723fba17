"""How scenarios become scripts; `robots.as_python` is the way in, `parts` what a script is put together from."""
