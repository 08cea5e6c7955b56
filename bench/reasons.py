"""What holds back the rows that miss their goals, as profiles showed it: the first pattern that matches a row counts."""

REASONS = [
]

UNKNOWN = "Not looked into yet"
