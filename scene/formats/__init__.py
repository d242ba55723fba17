"""Writers of films and pictures, one file per format."""
