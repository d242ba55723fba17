"""The commands, one file each, found by gui.command."""
