"""What a person can ask the window to do: the table of commands, their actions in menus, and what each does."""
