"""A short lesson with every kind of prediction, of runs that compute in milliseconds."""

from __future__ import annotations

SIX_KINDS = """\
+++
title = "Six kinds"
minutes = 5
language = "en"
level = "beginner"
+++
Every kind of prediction, about errors of order $C h^p$.

```teacher
For the whole lesson.
```

## Who is closer?

The arm falls for a second.

```scene
coarse: rr-swing method=rk4 step=0.05 duration=1
fine: coarse step=0.01
plots: error, energy
```
```predict choice
Which run has the smaller error?
- coarse: the one with $h = 50$ ms
- fine: the one with 10 ms
answer: least max_error.energy_J
why: What does the step have to do with it?
```
```hint
Small steps see more.
```
```hint
An error of $C h^4$ falls with $h$.
```
```teacher
Ask why.
```

That was one step.

## How many?

```predict number
How many times does the fine run evaluate the right-hand side?
answer: rhs_evaluations(fine)
near: 10
```

## In order

```scene
euler: coarse method=rk1 step=0.01
```
```predict order
Begin with the smallest error.
- coarse: Runge-Kutta, 50 ms
- fine: Runge-Kutta, 10 ms
- euler: Euler, 10 ms
answer: max_error.energy_J ascending
```

## When?

```predict time
When is the first joint the fastest?
answer: peak_time(v1)(fine)
near: 0.1 s
```

## How steep?

```scene
h: coarse method=midpoint step=[0.04, 0.02, 0.01]
```
```predict slope
How does the error depend on the step?
answer: slope of max_error.energy_J over step for h
near: 0.5
```

## What shape?

```scene
last: coarse step=0.005
```
```predict curve
Draw the angle of the first joint.
answer: q1(last)
near: 20 %
```
"""
