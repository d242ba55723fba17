"""`armstep lesson`: check that lessons are true, and collect students' answers.

`check` computes every scene of a lesson, every answer and every claim, without a window.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from time import perf_counter

from assets.counting import counted
from assets.errors import ArmstepError, BadInput
from assets.writing import write_atomically
from gui.command import Command
from gui.commands._progress import ProgressBar

BAD = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to do, the files, and how to report."""
    parser.add_argument("action", metavar="check|collect", help="check lessons, or collect students' answers")
    parser.add_argument("file", nargs="*", metavar="FILE", help="lessons (files or keys), or files of answers (.html)")
    parser.add_argument("--all", action="store_true", help="check every lesson that Armstep ships")
    parser.add_argument("--out", type=Path, metavar="TABLE.csv", help="collect: the table to write")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def execute(args: argparse.Namespace) -> int:
    """Check or collect; 2 if a lesson has a problem."""
    actions = {"check": _check, "collect": _collect}
    if args.action not in actions:
        raise BadInput("lesson", args.action, choices=actions)
    return actions[args.action](args)


def _check(args: argparse.Namespace) -> int:
    from robots.lessons.library import shipped_lessons

    if args.out:
        raise BadInput("--out", str(args.out), "left out with check")
    if args.all == bool(args.file):
        raise ArmstepError("FILE or --all must be given (`armstep list lessons` shows all lessons)")
    names = [entry.key for entry in shipped_lessons()] if args.all else args.file
    found, seen = [], set[str]()
    with ProgressBar() as bar:
        for k, name in enumerate(names):
            bar.show("lesson", k / len(names), name)
            found.append(_checked(name, seen))
    if args.json:
        print(json.dumps({"lessons": found}, ensure_ascii=False))
    else:
        for one in found:
            steps, problems = counted(one["steps"], "step"), counted(len(one["problems"]), "problem")
            print(f"{one['key']}: {steps}, {problems}, {one['seconds']:.1f} s")
            for problem in one["problems"]:
                print(f"  line {problem['line']}: {problem['what']}")
    return BAD if any(one["problems"] for one in found) else 0


def _checked(name: str, seen: set[str]) -> dict[str, object]:
    """The report on one lesson; its key joins those that were seen."""
    from gui.charts.registry import plots_of
    from robots.lessons.checking import check
    from robots.lessons.lesson import LessonError
    from robots.lessons.library import LESSONS, find_lesson

    started, key, steps = perf_counter(), Path(name).name.removesuffix(".md"), 0
    try:
        lesson = find_lesson(name)
        key, steps = lesson.key, len(lesson.steps)
        problems = list(check(lesson, plots=plots_of, lessons=LESSONS.keys()))
    except LessonError as problem:
        problems = [problem]
    if key in seen:
        problems.insert(0, LessonError(1, f"the file's name must differ from other lessons', got {key!r} twice"))
    seen.add(key)
    return {
        "key": key,
        "steps": steps,
        "seconds": round(perf_counter() - started, 3),
        "problems": [{"line": problem.line, "what": problem.what} for problem in problems],
    }


def _collect(args: argparse.Namespace) -> int:
    """Write the table of everything that can be read; the other files are named."""
    from robots.lessons.answer_files import read_answers, to_csv

    if not args.out or args.out.suffix != ".csv":
        raise BadInput("--out", str(args.out) if args.out else None, "a file that ends in .csv")
    if not args.file or args.all or args.json:
        raise ArmstepError("collect must be given files of answers (.html) and --out TABLE.csv")
    pages, refused = [], 0
    for name in args.file:
        try:
            pages.append(read_answers(Path(name)))
        except BadInput as problem:
            refused += 1
            print(f"armstep: {problem}", file=sys.stderr)
    write_atomically(args.out, to_csv(pages).encode("utf-8"))
    print(f"{len(pages)} files, {sum(len(page.given) for page in pages)} answers, written to {args.out}")
    return BAD if refused else 0


COMMAND = Command("check lessons, and collect students' answers", __doc__, add_arguments, execute)
