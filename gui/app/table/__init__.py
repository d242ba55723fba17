"""The table of runs: how runs differ, its columns, and two runs compared."""
