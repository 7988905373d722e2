"""The checks of the site that the generator doesn't make."""

import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/site"))

import check  # noqa: E402  pylint: disable=wrong-import-position
import references  # noqa: E402  pylint: disable=wrong-import-position


class SiteTest(unittest.TestCase):

    def test_long_lines_of_text_alone(self):
        page = ROOT / "target/test_site.md"
        page.parent.mkdir(exist_ok=True)
        self.addCleanup(page.unlink)
        page.write_text(f"{'a' * 120}\n{'b' * 121}\n| {'c' * 121} |\n```\n{'d' * 121}\n```\n{'e' * 121}\n")
        self.assertEqual([f"target/test_site.md:{line}: 121 columns" for line in (2, 7)], list(check.long_lines(page)))

    def test_requests_to_other_hosts(self):
        with tempfile.TemporaryDirectory() as folder:
            site = Path(folder)
            (site / "good.html").write_text('<a href="https://a.example">a</a><img src="b.png"><link href="c.css"><script src="d.js"></script>')
            (site / "good.css").write_text("a { background: url(data:image/svg+xml,x) }")
            self.assertEqual([], list(check.requests_elsewhere(site)))
            for text in ('<script async src="//a.example/b.js">', '<img alt="" src=https://a.example/b.png>',
                         '<link rel="stylesheet" href="https://a.example/b.css">', '<style>@import "https://a.example/b.css";'):
                (site / "bad.html").write_text(text)
                self.assertEqual(1, len(list(check.requests_elsewhere(site))), text)
            (site / "bad.html").unlink()
            (site / "bad.css").write_text("@font-face { src: url('https://a.example/font.woff2') }")
            self.assertEqual(1, len(list(check.requests_elsewhere(site))))

    def test_every_page_has_its_place(self):
        parts = check.order()
        self.assertEqual(["Start", "Tutorials", "How to", "Reference", "Understanding", "Work on the code"], list(parts))
        self.assertEqual([], list(check.unordered(parts)))
        self.assertIn("docs/load.md: not in docs/index.md", list(check.unordered({"How to": ["journeys"]})))

    def test_keys_of_a_schema(self):
        schema = {"properties": {"a": {"type": "string", "description": "a | b <c> {d}"},
                                 "b": {"type": "array", "items": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/step"}]}},
                                 "c": {"type": "object", "properties": {"d": {"enum": [1, "x"]}}}},
                  "$defs": {"step": {"description": "one step", "properties": {"get": {"type": ["string", "null"]}}}, "time": {}}}
        self.assertEqual(["| key | value | meaning |", "|---|---|---|", "| `a` | string | a \\| b &lt;c> &#123;d} |",
                          "| `b` | list of string or step |  |", "| `c` | object |  |", "| `c.d` | `1`, `x` |  |", "",
                          "## step", "", "One step.", "",
                          "| key | value | meaning |", "|---|---|---|", "| `get` | string or null |  |", ""], list(references.page(schema)))


if __name__ == "__main__":
    unittest.main()
