"""Numbers as the window shows them, read again."""

from __future__ import annotations

POWERS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


def typed(text: str) -> str:
    """`3.2·10⁻⁵` as a program writes it, `3.2e-5`."""
    plain = text.replace("−", "-")
    lead, _, power = plain.rpartition("10")
    if not power or power.translate(POWERS) == power:
        return plain
    lead = lead.rstrip("·")
    return f"{lead}{'' if lead.lstrip('-') else '1'}e{power.translate(POWERS)}"
