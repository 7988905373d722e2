import unittest

from scores import Finding, Outcome, Share, false_alarms, lines, precision, recall


def outcome(first: str, confidence: str, *expected: str) -> Outcome:
    return Outcome("any", expected, (Finding(first, confidence),) if first else ())


class ScoresTest(unittest.TestCase):

    def test_wilson(self):
        # R: prop.test(x, n, correct = FALSE)$conf.int
        for count, of, low, high in (0, 80, 0.0, 0.04582), (24, 48, 0.36390, 0.63610), (27, 28, 0.82288, 0.99367), (10, 10, 0.72247, 1.0):
            found = Share(count, of).wilson()
            self.assertAlmostEqual(low, found[0], places=4)
            self.assertAlmostEqual(high, found[1], places=4)

    def test_wilson_of_nothing(self):
        self.assertEqual((0.0, 1.0), Share(0, 0).wilson())
        self.assertEqual("0 of 0", str(Share(0, 0)))

    def test_text(self):
        self.assertEqual("24 of 48, 50 % (36 to 64 %)", str(Share(24, 48)))

    def test_any_expected_finding_is_right_but_only_as_the_first(self):
        two = Outcome("any", ("drift",), (Finding("outage", "likely"), Finding("drift", "certain")))
        found = [outcome("drift", "likely", "saturation", "drift"), outcome("outage", "certain", "drift"), two, outcome("", "", "drift")]
        self.assertEqual(Share(1, 4), recall(found))
        self.assertEqual(Share(1, 3), precision(found))
        self.assertEqual(Share(1, 2), precision(found, "likely"))
        self.assertEqual(Share(0, 1), precision(found, "certain"))

    def test_silence_where_it_is_allowed_counts_for_nothing(self):
        found = [outcome("", "", "drift", "nothing")]
        self.assertEqual(Share(0, 0), recall(found))
        self.assertEqual(Share(0, 0), precision(found))
        self.assertEqual(Share(0, 1), recall([outcome("outage", "certain", "drift", "nothing")]))

    def test_findings_of_clean_runs_are_false_alarms_and_cost_precision(self):
        found = [outcome("", ""), outcome("outage", "certain"), outcome("drift", "certain", "drift")]
        self.assertEqual(Share(1, 2), false_alarms(found))
        self.assertEqual(Share(1, 2), precision(found, "certain"))
        self.assertEqual(Share(1, 1), recall(found))

    def test_lines(self):
        self.assertEqual("Recall: 1 of 1, 100 % (21 to 100 %)", lines([outcome("drift", "likely", "drift")])[0])


if __name__ == "__main__":
    unittest.main()
