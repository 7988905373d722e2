"""Tests of messages.py without clients: what it computes and what it writes."""

import unittest

import messages
from messages import Asked, Run, RunFailed


class MessagesTest(unittest.TestCase):

    def test_the_start_of_a_process_does_not_count(self):
        self.assertAlmostEqual(10.0, messages.micros_each(Run(3.0, 1_000), Run(3.1, 11_000)))
        with self.assertRaises(RunFailed):
            messages.micros_each(Run(3.0, 1_000), Run(3.1, 1_000))

    def test_a_run_that_lacks_messages_gives_no_figure(self):
        asked = Asked(pairs=10, rate=100, size=200, short=1, long=10)
        self.assertEqual(900, messages.checked(Run(1.0, 900), asked, 10, "k6").received)
        with self.assertRaisesRegex(RunFailed, "k6 received 899 of 1000 messages"):
            messages.checked(Run(1.0, 899), asked, 10, "k6")

    def test_the_table_compares_medians(self):
        self.assertIn("| phaseload | 20.00 (10.00–30.00) | 0.20 |",
                      messages.table({"phaseload": [10, 30, 20], "k6": [100]}))

    def test_the_script_of_k6_sends_at_the_rate(self):
        script = messages.script_of_k6(Asked(pairs=250, rate=10_000, size=200, short=1, long=10), "ws://h/", 10)
        self.assertIn("vus: 250,", script)
        self.assertIn("25.000000)", script)
        self.assertIn("'ws://h/rooms/'", script)
        self.assertNotIn("%", script)


if __name__ == "__main__":
    unittest.main()
