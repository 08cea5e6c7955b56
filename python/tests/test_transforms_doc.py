"""The pieces of docs/transforms.md in Python print what stands below them."""

import doctest
import os

PAGE = os.path.join(os.path.dirname(__file__), "..", "..", "docs", "transforms.md")


def test_the_page_says_what_happens():
    with open(PAGE) as page:
        parts = page.read().split("```python\n")[1:]
    text = "".join(p.split("```")[0] for p in parts)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    test = doctest.DocTestParser().get_doctest(text, {}, "transforms.md", PAGE, 0)
    said = []
    runner.run(test, out=said.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(said)
