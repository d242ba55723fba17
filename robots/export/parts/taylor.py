"""The Taylor method: the solution's own power series."""

from __future__ import annotations

import math

import numpy as np

from robots.export.parts.stepping import is_good, stop, whole_steps


class Series:
    """A power series as the list of its first coefficients, with the recurrences of arithmetic."""

    def __init__(self, c):
        self.c = c

    def like(self, other):
        """The coefficients of a series, or of a number, which has one that is not 0."""
        return other.c if isinstance(other, Series) else [other] + [0.0] * (len(self.c) - 1)

    def __neg__(self):
        return Series([-x for x in self.c])

    def __add__(self, other):
        return Series([x + y for x, y in zip(self.c, self.like(other))])

    def __sub__(self, other):
        return Series([x - y for x, y in zip(self.c, self.like(other))])

    def __rsub__(self, other):
        return -self + other

    def __mul__(self, other):
        if not isinstance(other, Series):
            return Series([x * other for x in self.c])
        a, b = self.c, other.c
        return Series([sum(a[j] * b[k - j] for j in range(k + 1)) for k in range(len(a))])

    def __truediv__(self, other):
        found, b = [], self.like(other)
        for k, x in enumerate(self.c):
            found.append((x - sum(b[j] * found[k - j] for j in range(1, k + 1))) / b[0])
        return Series(found)

    def __rtruediv__(self, other):
        return Series(self.like(other)) / self

    def waves(self):
        """Sine and cosine, which need each other."""
        a, s, c = self.c, [math.sin(self.c[0])], [math.cos(self.c[0])]
        for k in range(1, len(a)):
            s.append(sum(j * a[j] * c[k - j] for j in range(1, k + 1)) / k)
            c.append(-sum(j * a[j] * s[k - j] for j in range(1, k + 1)) / k)
        return Series(s), Series(c)

    def sin(self):
        return self.waves()[0]

    def cos(self):
        return self.waves()[1]

    __radd__, __rmul__ = __add__, __mul__


def borrow(size):
    """Scratch memory that holds power series, too: `size` zeros, until `give_back`."""
    return np.full(size, 0.0, dtype=object)


def taylor(f, t0, t1, y, degree, positions, velocity_degree, step=None, rtol=0.0, atol=0.0, max_step=None):
    """The state at t1 and the number of steps: with a fixed step, or with what the last two terms allow.

    Degree by degree: the first k coefficients of y give those of f(y), and these the next one of y. The components
    from `positions` on are cut off at another degree.
    """
    highest, steps, t = max(degree, velocity_degree), 0, t0
    total = whole_steps(t1 - t0, step) if step else 0
    while True:
        series = [[value] for value in y.tolist()]
        for k in range(highest):
            slopes = f(t, np.array([Series(list(row)) for row in series]))
            for row, slope in zip(series, slopes):
                row.append((slope.c[k] if isinstance(slope, Series) else slope * (k == 0)) / (k + 1))
        c = np.array(series)
        h = min(max_step or math.inf, t1 - t0)
        for k in range(max(degree - 1, 1), degree + 1):
            size = 0.0 if step else math.sqrt(np.mean((c[:, k] / (atol + rtol * np.abs(y))) ** 2))
            h = min(h, 0.9 * size ** (-1.0 / k)) if size > 0.0 else h
        lands = steps + 1 == total if step else t1 - t <= h
        h = t1 - t if lands else step or h
        last = [degree if j < positions else velocity_degree for j in range(len(y))]
        after = np.array([np.polyval(row[: n + 1][::-1], h) for row, n in zip(c, last)])
        if not is_good(after) or not math.isfinite(h) or (not lands and t + h == t):
            stop("diverged", t, y)
        steps += 1
        t, y = (t1 if lands else t0 + steps * step if step else t + h), after
        if lands:
            return y, steps, 0
