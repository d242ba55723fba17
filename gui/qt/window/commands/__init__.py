"""The window's commands: their table, their actions in menus, and what each does."""
