"""Many runs of one scenario: work-precision."""
