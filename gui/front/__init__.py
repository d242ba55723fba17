"""What scripts and notebooks get from `armstep`: runs, tables and figures that show and save themselves."""
