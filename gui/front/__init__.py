"""What scripts and notebooks get from `armstep`: runs, tables and figures that display and save themselves."""
