"""The application without its window: one object that widgets read, call and listen to."""

from __future__ import annotations

from gui.app.session.comparisons import Pinning
from gui.app.session.file_actions import Filing
from gui.app.session.navigation import Stepping


class Session(Filing, Pinning, Stepping):
    """The whole state of the application: what is edited, which runs are shown, where the playhead is.

    Widgets read the attributes, call the verbs and listen to the signals; they hold no truth of their own. Everything
    happens in one thread, the window's; only jobs leave it. Nothing is computed before `start()`, so that the window
    can show first.

    Args:
        jobs: where the work is done; `InlineJobs` in tests.
        settings: the person's settings and their folder.
        scenario: what is open at first; `rr-swing` if None.
        engine: what computes; the project's own if None.
        now: the wall clock [s].
        inside: finds the scenarios in a picture or film that Armstep exported, the edited one first; raises BadInput.

    Attributes:
        scenario: what is being edited; every edit makes another one.
        runs: the rows of the table of runs, the current one (id 0) first, then the pinned ones.
        playback: the playhead and its clock, with verbs of its own (seek, toggle, faster, ...).
        view: how the runs are looked at; change it by `set_view`.
        problems: refused edits, path to sentence; file trouble is under `file`. The next good edit of the field
            clears it.
        notice: one sentence for the status bar.
        from_here: whether edits apply from the playhead on instead of from the beginning.
        file, dirty, title, recent: the scenario file.
        can_undo, can_redo, undo_text, redo_text: the history.
        settings: what belongs to the person.

    Signals:
        scenario_changed(): another scenario is being edited (any field, undo, open), or `from_here` changed.
        runs_changed(): a row was added, removed, shown or hidden.
        run_updated(row_id): a row has another scenario, state, result, reference or progress.
        playhead_moved(t): the playhead is somewhere else.
        playback_changed(): playing, speed, loop, span or range changed.
        view_changed(), problems_changed(), notice_changed(): the attribute of that name changed.
        file_changed(): `file`, `dirty` or the recent files may have changed.
        history_changed(): what can be undone and redone changed.
    """
