"""What the papers say, judged: findings of the studies next door."""
