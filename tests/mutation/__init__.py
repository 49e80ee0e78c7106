"""Mutation testing: plant small mistakes in every room, and see which tests notice them.

`python -m tests.mutation --help` says how to run it, and `__main__.py` what it prints.

| module | what it holds |
|---|---|
| `mistakes` | the mistakes that can be made in a file, each as a replacement of its text |
| `planting` | a mistake made in this process, and taken back |
| `knowledge` | which tests run which lines, how long they take, and what was judged before |
| `judging` | the tests that judge a mistake, and the processes in which they do |

mutmut (3.8) and cosmic-ray (8.7) were considered. Both change Python code only, and the mistakes
that this project fears also stand in the catalogue of findings, in texts of three languages, in
profiles, in templates and in scripts. Neither can ask the tests of a room before those of the
suite, and cosmic-ray starts the tests anew for every mistake, which takes 16 seconds here. What
they do well is done by coverage.py: it measures which test runs which line.
"""
