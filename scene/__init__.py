"""Pictures of arms: what is drawn, from where, offscreen and into files."""
