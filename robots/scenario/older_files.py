"""Scenario files of earlier versions: what their fields are called now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from assets.fields import Data
from robots.model.registry import FROM_FILE, find_robot

RENAMED = {"options.customised": "options.specialised", "task.forward_customised": "task.forward_specialised"}
"""Fields that had another name in older files."""


def of_older_files(data: Data) -> Data:
    """The values of an older file, whose view held the pins, and whose task held what only changes the picture.

    Segments cannot change the picture.
    """
    for old, new in RENAMED.items():
        (group, key), name = old.split("."), new.partition(".")[2]
        if isinstance(held := data.get(group), Mapping) and key in held:
            data = {**data, group: {name if one == key else one: value for one, value in held.items()}}
    known = data["robot"] != FROM_FILE and "model" not in data
    looks = {item.key for item in find_robot(data["robot"]).looks} if known else set()
    task, view = data.get("task"), data.get("view", {})
    if isinstance(view, Mapping) and isinstance(pins := view.get("pins"), list):
        view = {key: value for key, value in view.items() if key != "pins"}
        data = {"pins": pins, **data, "view": view}
    if not looks or not isinstance(task, Mapping) or not isinstance(view, Mapping):
        return data
    moved = {key: value for key, value in task.items() if key in looks}
    gone = {f"task.{key}" for key in looks}
    segments = [
        replace(one, changes={k: v for k, v in one.changes.items() if k not in gone}) for one in data["segments"]
    ]
    return {
        **data,
        "task": {key: value for key, value in task.items() if key not in moved},
        "view": {**moved, **view},
        "segments": tuple(one for one in segments if one.changes or one.pull),
    }
