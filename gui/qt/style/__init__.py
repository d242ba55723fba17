"""How the window looks: themes, icons, dashes."""
