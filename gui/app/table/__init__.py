"""What the table of runs says: how runs differ, its columns, and two runs against each other."""
