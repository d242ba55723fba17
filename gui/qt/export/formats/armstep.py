"""Armstep's own file: the scenario as JSON, which a double click opens (`armstep desktop install`)."""

from __future__ import annotations

from dataclasses import replace

from gui.qt.export.formats import json

FORMAT = replace(json.FORMAT, suffix=".armstep", label="Scenario, for Armstep", place=53, table=None)
