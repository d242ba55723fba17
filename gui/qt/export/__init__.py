"""Writing films, pictures, plots and data: the sheet, the process that draws, and the files."""
