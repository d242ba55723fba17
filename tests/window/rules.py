"""What is true of every widget that a person sees: its text is whole and readable, nothing lies over anything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSlider,
    QCheckBox,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QListWidget,
    QRadioButton,
    QSlider,
    QStyle,
    QStyleOptionButton,
    QStyleOptionComboBox,
    QStyleOptionFrame,
    QStyleOptionSlider,
    QStyleOptionViewItem,
    QTextBrowser,
    QToolButton,
    QWidget,
)

from gui.qt.widgets.quiet import ElidedLabel

LEAST_CONTRAST = 4.5
"""Source: Web Content Accessibility Guidelines 2.2 (2023), success criterion 1.4.3."""

FRAME = 3
"""What the frame around a control with the focus covers at its edges [px]."""

CONTROLS = (QLabel, QAbstractButton, QComboBox, QLineEdit, QAbstractSlider, QAbstractScrollArea)


def clipped(root: QWidget) -> list[str]:
    """Texts that have less room than they need; labels that end in an ellipsis on purpose have tooltips."""
    found = []
    for widget in _seen(root):
        for need, room in _rooms(widget):
            if need > room + 1:
                found.append(f"{name_of(widget)}: needs {need} px, has {room}")
    return found


def covered(root: QWidget) -> list[str]:
    """Controls of one parent that lie over each other."""
    found = []
    for parent in {widget.parentWidget() for widget in _seen(root)}:
        children = [] if parent is None else [c for c in parent.children() if isinstance(c, CONTROLS) and c.isVisible()]
        children = [c for c in children if not c.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)]
        for place, one in enumerate(children):
            for other in children[place + 1 :]:
                both = one.geometry() & other.geometry()
                if both.width() > 1 and both.height() > 1:
                    found.append(f"{name_of(one)} and {name_of(other)}")
    return found


def faint(root: QWidget) -> list[str]:
    """Texts that stand out too little from the ground that is really behind them."""
    picture, found = root.window().grab().toImage(), []
    ratio = picture.devicePixelRatio()
    for widget in _seen(root):
        if not widget.isEnabled() or not isinstance(widget, QLabel | QAbstractButton | QLineEdit | QComboBox):
            continue
        box = widget.visibleRegion().boundingRect()
        box = QRect(widget.mapTo(root.window(), box.topLeft()), box.size()).adjusted(2, 2, -2, -2)
        if not _text(widget) or box.isEmpty():
            continue
        across = range(int(box.left() * ratio), int(box.right() * ratio), 2)
        down = range(int(box.top() * ratio), int(box.bottom() * ratio), 2)
        colours = Counter(picture.pixel(x, y) for y in down for x in across if picture.valid(x, y))
        if colours:
            ground, text = QColor(colours.most_common(1)[0][0]), widget.palette().color(widget.foregroundRole())
            if contrast(ground, text) < LEAST_CONTRAST:
                found.append(f"{name_of(widget)}: {text.name()} on {ground.name()}, {contrast(ground, text):.1f}")
    return found


def grooves(root: QWidget) -> dict[str, int]:
    """How wide the groove of each slider is [px], by the slider's name."""
    found = {}
    for slider in _seen(root):
        if isinstance(slider, QSlider):
            option = QStyleOptionSlider()
            slider.initStyleOption(option)
            groove = slider.style().subControlRect(
                QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderGroove, slider
            )
            found[slider.accessibleName()] = groove.width()
    return found


def greys(widget: QWidget) -> NDArray[np.int64]:
    """What a person without colours sees of a widget: (height, width), 0 to 255."""
    image = widget.grab().toImage().convertToFormat(QImage.Format.Format_Grayscale8)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : image.width()].astype(np.int64)


def contrast(one: QColor, other: QColor) -> float:
    """The contrast ratio of two colours, 1 to 21."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: QColor) -> float:
    parts = (colour.redF(), colour.greenF(), colour.blueF())
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _seen(root: QWidget) -> list[QWidget]:
    return [w for w in root.findChildren(QWidget) if w.isVisible() and not w.visibleRegion().isEmpty()]


def _rooms(widget: QWidget) -> Iterator[tuple[int, int]]:
    """What the widget's text needs and has, in width and height [px]."""
    metrics, text = widget.fontMetrics(), _text(widget)
    longest = max((metrics.horizontalAdvance(line) for line in text.splitlines()), default=0)
    if (
        isinstance(widget, QListWidget)
        and widget.count()
        and widget.item(0).data(Qt.ItemDataRole.CheckStateRole) is not None
    ):
        option = QStyleOptionViewItem()
        widget.initViewItemOption(option)
        option.features |= QStyleOptionViewItem.ViewItemFeature.HasCheckIndicator
        option.rect = widget.visualItemRect(widget.item(0))
        box = widget.style().subElementRect(QStyle.SubElement.SE_ItemViewItemCheckIndicator, option, widget)
        yield box.height() + 2, option.rect.height()
    elif isinstance(widget, QHeaderView):
        for section in range(widget.count()):
            if not widget.isSectionHidden(section) and widget.orientation() == Qt.Orientation.Horizontal:
                yield widget.sectionSizeFromContents(section).width(), widget.sectionSize(section)
    elif isinstance(widget, QTextBrowser):
        if widget.verticalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff:
            yield round(widget.document().size().height()), widget.viewport().height()
    elif not text or isinstance(widget, ElidedLabel):
        return
    elif isinstance(widget, QLabel):
        rich = widget.textFormat() == Qt.TextFormat.RichText
        if widget.wordWrap():
            yield widget.heightForWidth(widget.width()), widget.height()
            if not rich:
                words = max(metrics.horizontalAdvance(word) for word in text.split() or [""])
                yield words, widget.contentsRect().width()
        else:
            yield widget.minimumSizeHint().width(), widget.width()
            yield widget.minimumSizeHint().height(), widget.height()
    elif isinstance(widget, QCheckBox | QRadioButton):
        yield widget.minimumSizeHint().width(), widget.width()
        yield widget.minimumSizeHint().height(), widget.height()
        button = QStyleOptionButton()
        widget.initStyleOption(button)
        ticked = isinstance(widget, QCheckBox)
        part = QStyle.SubElement.SE_CheckBoxIndicator if ticked else QStyle.SubElement.SE_RadioButtonIndicator
        mark = widget.style().subElementRect(part, button, widget)
        yield FRAME, min(mark.left(), mark.top(), widget.height() - mark.bottom() - 1) - 1
    elif isinstance(widget, QAbstractButton):
        shown = 0 if widget.icon().isNull() else widget.iconSize().width()
        yield longest + shown + 4, widget.width()
        yield len(text.splitlines()) * metrics.height(), widget.height()
    elif isinstance(widget, QComboBox):
        option = QStyleOptionComboBox()
        widget.initStyleOption(option)
        part, field = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
        yield longest, widget.style().subControlRect(part, option, field, widget).width()
    elif isinstance(widget, QLineEdit):
        option = QStyleOptionFrame()
        widget.initStyleOption(option)
        inner = widget.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, widget)
        yield longest, inner.width() if widget.property("numeric") else 10_000
        yield metrics.ascent(), inner.height()


def _text(widget: QWidget) -> str:
    if isinstance(widget, QComboBox):
        return widget.currentText()
    if isinstance(widget, QToolButton) and not widget.icon().isNull():
        return widget.text() if widget.toolButtonStyle() != Qt.ToolButtonStyle.ToolButtonIconOnly else ""
    return widget.text() if isinstance(widget, QLabel | QAbstractButton | QLineEdit) else ""


def name_of(widget: QWidget) -> str:
    """What a report calls a widget."""
    return f"{type(widget).__name__} {_text(widget) or widget.accessibleName()!r}"
