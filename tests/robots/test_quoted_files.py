"""What a refusal quotes of a file is on one line, and short."""

from __future__ import annotations

import pytest

from assets.errors import BadInput
from robots.scenario.scenario import Scenario


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ('{"hello": 3}\n', """got '{"hello": 3}'"""),
        ('\n\n{\n  "hello":\t3\r\n}\n', """got '{ "hello": 3 }'"""),
        (f"[{'1, ' * 99}1]\n", f"got '[{'1, ' * 19}1,...'"),
        ("hello\n", "got 'hello'"),
    ],
)
def test_a_file_is_quoted_on_one_line(text: str, quoted: str):
    with pytest.raises(BadInput) as refusal:
        Scenario.from_json(text, "other.json")
    assert str(refusal.value).endswith(quoted)
    assert "\\" not in str(refusal.value)


def test_a_value_with_lines_is_quoted_on_one_line():
    said = str(BadInput("name", "two\nlines\t \n", "a word"))
    assert said == "name must be a word, got 'two lines'"
    assert str(BadInput("name", " x ", "a word")).endswith("got ' x '"), "blanks may be what is wrong"
