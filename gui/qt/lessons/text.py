"""Markdown with formulas, as high as its text needs."""

from __future__ import annotations

import re

from PySide6.QtCore import QEvent, QPointF, QRectF, QSizeF, Qt, QTimer
from PySide6.QtGui import (
    QContextMenuEvent,
    QFont,
    QFontMetricsF,
    QGuiApplication,
    QPainter,
    QPyTextObject,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextListFormat,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser, QWidget

from assets.counting import unbroken
from gui.app.lessons.plain import FORMULA, spoken
from gui.qt.lessons.formula import DrawnFormula, drawn, renderer
from gui.qt.style.change import look_changed
from gui.qt.style.theme import look, role
from gui.qt.widgets.parts import has_menu_around, passing_menu

OBJECT = QTextFormat.ObjectTypes.UserObject + 1
TEX, DISPLAY, TAIL = (QTextFormat.Property.UserProperty + k for k in (1, 2, 3))
FIRST_MARK = 0xE000
"""Formulas are letters of the private use area while Qt reads the Markdown."""

CLOSING = ".,;:!?)"
"""Such a mark is drawn with the formula before it: no line may begin with one."""

LINE_HEIGHT = 135.0
"""Of the type's [%]."""


class FormulaObject(QPyTextObject):
    """Draws the formulas of a document."""

    def intrinsicSize(self, doc: QTextDocument, posInDocument: int, format: QTextFormat) -> QSizeF:
        made, font = self._drawn(format), QFontMetricsF(_font(doc, format))
        if made is None:
            return QSizeF(font.horizontalAdvance(format.property(TEX)), font.height())
        if format.property(DISPLAY):
            return QSizeF(made.width, made.height)
        # Qt lets an object on the line reach below it as far as letters do.
        wide = made.width + font.horizontalAdvance(format.property(TAIL) or "")
        return QSizeF(wide, max(made.height - made.below, 0.0) + max(made.below, font.descent()))

    def drawObject(
        self, painter: QPainter, rect: QRectF, doc: QTextDocument, posInDocument: int, format: QTextFormat
    ) -> None:
        made = self._drawn(format)
        if made is None:
            painter.setPen(look().theme.colour("danger"))
            painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter, format.property(TEX))
            return
        if format.property(DISPLAY):
            top = rect.top()
        else:
            base = rect.bottom() - max(made.below, QFontMetricsF(_font(doc, format)).descent())
            top = base + made.below - made.height
            if tail := format.property(TAIL):
                painter.setFont(_font(doc, format))
                painter.setPen(look().theme.colour("text"))
                painter.drawText(QPointF(rect.left() + made.width, base), tail)
        renderer(made).render(painter, QRectF(rect.left(), top, made.width, made.height))

    def _drawn(self, format: QTextFormat) -> DrawnFormula | None:
        char = format.toCharFormat()
        size = 1.06 * (char.font().pixelSize() if char.font().pixelSize() > 0 else 15)
        return drawn(str(format.property(TEX)), size, look().theme.colours["text"])


def _font(doc: QTextDocument, format: QTextFormat) -> QFont:
    font = format.toCharFormat().font()
    return font if font.pixelSize() > 0 else doc.defaultFont()


class LessonText(QTextBrowser):
    """Text of a lesson. It does not scroll: whatever it stands in does.

    Args:
        markdown: with `$...$` and `$$...$$`.
        larger: its type beside that of the window.
        name: for those who cannot see it.
    """

    def __init__(self, markdown: str, larger: float, name: str = "Text") -> None:
        super().__init__()
        self._markdown, self._larger = markdown, larger
        self.setFrameShape(QFrame.Shape.NoFrame)
        role(self, "lesson")
        self.setOpenLinks(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setAutoFillBackground(False)
        self.setAccessibleName(name)
        self.setAccessibleDescription(spoken(markdown))
        self._handler = FormulaObject(self)
        self.document().setDocumentMargin(2.0)
        self.document().documentLayout().registerHandler(OBJECT, self._handler)
        self.fill()

    def fill(self) -> None:
        """Set the text again, because its type or its colours have changed."""
        font, document = larger_font(self, self._larger), self.document()
        document.setDefaultFont(font)
        formulas: list[tuple[str, bool]] = []

        def marked(match: re.Match[str]) -> str:
            if match["code"] is not None:
                return match[0]
            display = match["display"] is not None
            formulas.append(((match["display"] or match["inline"]).strip(), display))
            mark = chr(FIRST_MARK + len(formulas) - 1)
            return f"\n\n{mark}\n\n" if display else mark

        document.setMarkdown(unbroken(FORMULA.sub(marked, self._markdown)))
        self._space()
        for place, (tex, display) in enumerate(formulas):
            self._set_formula(chr(FIRST_MARK + place), tex, display, font)
        self._take_height()

    @property
    def middle(self) -> float:
        """How far below the top the middle of the first line's letters is [px]."""
        block = self.document().begin()
        top, line = self.document().documentLayout().blockBoundingRect(block).top(), block.layout().lineAt(0)
        return top + line.y() + line.ascent() - QFontMetricsF(self.document().defaultFont()).capHeight() / 2.0

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """What can be copied here; in a presentation its menu, as on all that an audience sees."""
        if has_menu_around(self):
            event.ignore()
            return
        menu, link = passing_menu(self), self.anchorAt(event.pos())
        if self.textCursor().hasSelection():
            menu.addAction("Copy", self.copy)
        if link:
            menu.addAction("Copy the link", lambda: QGuiApplication.clipboard().setText(link))
        menu.addAction("Select all", self.selectAll)
        menu.popup(event.globalPos())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._take_height()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if hasattr(self, "_handler") and look_changed(self, event):
            self.fill()

    def _set_formula(self, mark: str, tex: str, display: bool, font: QFont) -> None:
        at = self.document().find(mark)
        if at.isNull():
            return
        kind = QTextCharFormat(at.charFormat())
        kind.setFont(font, QTextCharFormat.FontPropertiesInheritanceBehavior.FontPropertiesAll)
        kind.setObjectType(OBJECT)
        kind.setProperty(TEX, tex)
        kind.setProperty(DISPLAY, display)
        if not display:
            kind.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignBaseline)
        ahead = QTextCursor(at)
        ahead.setPosition(at.selectionEnd())
        ahead.movePosition(QTextCursor.MoveOperation.Right, QTextCursor.MoveMode.KeepAnchor)
        if not display and ahead.selectedText() and ahead.selectedText() in CLOSING:
            kind.setProperty(TAIL, ahead.selectedText())
            ahead.removeSelectedText()
        at.insertText("\ufffc", kind)
        if display:
            block = QTextBlockFormat(at.blockFormat())
            block.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            block.setLineHeight(100.0, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
            at.setBlockFormat(block)

    def _space(self) -> None:
        """Air between lines and paragraphs."""
        at = QTextCursor(self.document())
        block = self.document().begin()
        size = self.document().defaultFont().pixelSize()
        while block.isValid():
            at.setPosition(block.position())
            kind = QTextBlockFormat(block.blockFormat())
            kind.setLineHeight(LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
            listed = block.textList() is not None
            kind.setTopMargin(0.0)
            kind.setBottomMargin(0.25 * size if listed else 0.6 * size)
            at.setBlockFormat(kind)
            if listed:
                form = QTextListFormat(block.textList().format())
                form.setIndent(1)
                block.textList().setFormat(form)
            block = block.next()
        self.document().setIndentWidth(1.4 * size)

    def _take_height(self) -> None:
        self.document().setTextWidth(max(self.viewport().width(), 40))
        self.setFixedHeight(int(self.document().size().height()) + 2)
        if self.viewport().height() != self.height():
            # Qt keeps the old viewport if the height changes while the viewport takes a new width.
            QTimer.singleShot(0, self, lambda: self.setViewportMargins(0, 0, 0, 0))


def larger_font(widget: QWidget, larger: float) -> QFont:
    """The widget's type, that many times as large."""
    font = QFont(widget.font())
    font.setPixelSize(max(9, round(larger * widget.fontInfo().pixelSize())))
    return font
