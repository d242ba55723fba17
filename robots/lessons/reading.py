"""Reads a lesson from its text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from assets.errors import BadInput
from robots.files.folder import Folder
from robots.lessons.expression import Use, expression
from robots.lessons.lesson import (
    Block,
    Claim,
    Hint,
    Lesson,
    LessonError,
    LessonStep,
    Prediction,
    Teacher,
    Text,
    at_line,
)
from robots.lessons.questions import read_prediction
from robots.lessons.scenes import SceneReader, with_uses
from robots.lessons.text_blocks import TextBlock, check_language, split

MOST_STEPS = 40


def read_lesson(text: str, key: str, folder: Folder | None = None) -> Lesson:
    """The lesson in a file's text.

    Args:
        text: Markdown with a header and fenced blocks; see docs/write-a-lesson.md.
        key: the file's name without its suffix.
        folder: the file's, whose scenario files and robot files the lesson may use; None for none.

    Raises:
        LessonError: with the line and what is wrong there.
    """
    header, blocks = split(text)
    check_language(header, key)
    first = next((k for k, block in enumerate(blocks) if block.word == "step"), len(blocks))
    introduction, notes = _introduction(blocks[:first])
    scenes = SceneReader(folder)
    steps = list(_steps(blocks[first:], scenes))
    if not steps:
        raise LessonError(1, "a lesson must have at least one step: a line '## TITLE'")
    if len(steps) > MOST_STEPS:
        raise LessonError(steps[MOST_STEPS].line, str(BadInput("steps", len(steps), f"at most {MOST_STEPS}")))
    about = header.title, float(header.minutes), header.language, header.level, header.needs
    return Lesson(key, *about, introduction, tuple(steps), notes, tuple(scenes.files))


def _introduction(blocks: Sequence[TextBlock]) -> tuple[str, str]:
    """The texts before the first step: for everyone, and for the teacher."""
    for block in blocks:
        if block.word not in ("text", "teacher"):
            raise LessonError(block.line, f"a {block.word} block must stand in a step, after a line '## TITLE'")
    for_all, for_teacher = (
        "\n\n".join(block.markdown for block in blocks if block.word == word) for word in ("text", "teacher")
    )
    return for_all, for_teacher


def _steps(blocks: Sequence[TextBlock], scenes: SceneReader) -> Iterator[LessonStep]:
    """The steps, each with the scene that it shows."""
    scene = None
    starts = [k for k, block in enumerate(blocks) if block.word == "step"]
    for start, end in pairwise([*starts, len(blocks)]):
        heading, inner = blocks[start], blocks[start + 1 : end]
        if not heading.rest:
            raise LessonError(heading.line, "a step must have a title: '## TITLE'")
        own = [block for block in inner if block.word == "scene"]
        if len(own) > 1:
            raise LessonError(own[1].line, "a step must have one scene; begin another step")
        if own:
            scene = scenes.read(own[0], scene)
        if scene is None:
            raise LessonError(heading.line, "the first step must have a scene: a block ```scene with a run")
        found: list[Block] = []
        uses: list[Use] = []
        for block in inner:
            if block.word != "scene":
                for one, needed in _read(block, scenes):
                    found.append(one)
                    uses += needed
        _check_hints(found)
        shown = with_uses(scene, uses, scenes.runs)
        yield LessonStep(heading.rest, heading.line, shown, tuple(found))


def _read(block: TextBlock, scenes: SceneReader) -> Iterator[tuple[Block, tuple[Use, ...]]]:
    """What a block means, and what it reads of which runs."""
    if block.word == "predict":
        yield read_prediction(block, scenes)
    elif block.word == "check":
        yield from _claims(block, scenes)
    else:
        if not block.markdown:
            raise LessonError(block.line, f"the {block.word} must not be empty")
        kind = {"text": Text, "hint": Hint, "teacher": Teacher}[block.word]
        yield kind(block.line, block.markdown), ()


def _claims(block: TextBlock, scenes: SceneReader) -> Iterator[tuple[Claim, tuple[Use, ...]]]:
    """The claims of a block, one in each line."""
    lines = [(number, line.strip()) for number, line in enumerate(block.lines, block.line + 1) if line.strip()]
    if not lines:
        raise LessonError(block.line, "the check must not be empty")
    for number, line in lines:
        with at_line(number):
            claimed = expression(line, condition=True)
            scenes.check(claimed.runs)
        yield Claim(number, claimed.text, claimed), claimed.uses


def _check_hints(blocks: Sequence[Block]) -> None:
    """Refuse a hint without a prediction before it."""
    asked = False
    for block in blocks:
        asked = asked or isinstance(block, Prediction)
        if isinstance(block, Hint) and not asked:
            raise LessonError(block.line, "a hint must follow a prediction in the same step")
