"""What assistive technology gets: roles, names, descriptions and announcements."""
