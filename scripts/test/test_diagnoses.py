import argparse
import contextlib
import io
import tempfile
import unittest
from pathlib import Path
from random import Random

import diagnoses
import faults
import kinds
from kinds import Bed, Kind


def kind(name: str, *expected: str, half: str = "seen") -> Kind:
    @contextlib.contextmanager
    def bed(dice: Random):
        if name == "impossible":
            raise faults.Impossible("no such server")
        yield Bed("http://127.0.0.1/", f"-c {dice.randint(1, 1000)}")

    return Kind(name, half, f"a fault called {name}", "", expected, bed)


class Results:
    """In place of runs: their results, in order."""

    def __init__(self, *results: dict):
        self.results = list(results)
        self.options = []

    def run(self, bed: Bed) -> dict:
        self.options.append(bed.options)
        return self.results.pop(0)


def result(*explained: str, blamed: tuple[str, ...] = ()) -> dict:
    return {
        "diagnoses": [{"id": one, "confidence": "likely", "text": f"it is {one}"} for one in explained],
        "findings": [{"id": one, "severity": "SUSPECT"} for one in blamed] + [{"id": "remark", "severity": "VALID"}],
        "verdict": {"reasons": []},
        "phases": [],
    }


def matrix(chosen: list[Kind], runs: Results, repeats: int = 1) -> tuple[list, str]:
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        return diagnoses.matrix(chosen, 1, repeats, runs), output.getvalue()


class DiagnosesTest(unittest.TestCase):

    def test_first_finding_decides(self):
        found, _ = matrix([kind("a", "drift"), kind("b", "drift")], Results(result("drift", "outage"), result("outage", "drift")))
        self.assertEqual([True, False], [outcome.right for _, outcome in found])
        self.assertEqual("| injected | found first | found, too |\n|---|---|---|\n| a fault called a | `drift` | `outage` |\n"
                         "| a fault called b | **`outage`** | `drift` |", diagnoses.table(found))

    def test_faults_of_the_client_are_judged_by_the_verdict(self):
        found, _ = matrix([kind("a", "throttled")], Results(result("drift", blamed=("throttled", "tail"))))
        self.assertTrue(found[0][1].right)
        self.assertEqual("verdict", found[0][1].found[0].confidence)

    def test_a_disturbed_run_is_repeated_unless_it_is_right(self):
        runs = Results(result(blamed=("crowded",)), result("drift", blamed=("crowded",)))
        found, output = matrix([kind("a", "drift")], runs)
        self.assertTrue(found[0][1].right)
        self.assertIn("again   a: something else kept the client from running (crowded)", output)

    def test_a_finding_about_the_client_is_a_false_alarm_in_a_clean_run(self):
        found, _ = matrix([kind("a"), kind("b")], Results(result(blamed=("users",)), result()))
        self.assertEqual([False, True], [outcome.right for _, outcome in found])

    def test_only_clean_runs_are_repeated_and_each_has_its_own_parameters(self):
        runs = Results(result("drift"), result(), result())
        found, _ = matrix([kind("a", "drift"), kind("b")], runs, repeats=2)
        self.assertEqual(["a", "b", "b"], [one.name for one, _ in found])
        self.assertEqual(3, len(set(runs.options)))
        again = Results(result("drift"), result(), result())
        matrix([kind("a", "drift"), kind("b")], again, repeats=2)
        self.assertEqual(runs.options, again.options)

    def test_what_is_impossible_here_is_skipped_visibly(self):
        found, output = matrix([kind("impossible", "drift")], Results())
        self.assertEqual([], found)
        self.assertEqual("skipped impossible: no such server\n", output)

    def test_a_run_without_result_is_skipped_visibly(self):
        found, output = matrix([kind("a", "drift")], Results({"diagnoses": [], "findings": [], "output": "--rate x: expected a rate"}))
        self.assertEqual([], found)
        self.assertIn("--rate x: expected a rate", output)

    def test_markdown_is_written_between_its_marks(self):
        found, _ = matrix([kind("a", "drift"), kind("b", "drift", half="held-out")], Results(result("drift"), result()))
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "page.md"
            file.write_text(f"before\n{diagnoses.BEGIN}old\n{diagnoses.END}after\n")
            diagnoses.write(file, found)
            text = file.read_text()
        self.assertTrue(text.startswith("before\n") and text.endswith("after\n"))
        self.assertNotIn("old", text)
        self.assertIn("Kinds that are held-out:", text)
        self.assertIn("- Recall: 1 of 1, 100 % (21 to 100 %)", text)
        self.assertIn("- Recall: 0 of 1, 0 % (0 to 79 %)", text)


class KindsTest(unittest.TestCase):

    def test_each_half_has_as_many_kinds_as_are_promised(self):
        those = kinds.load()
        self.assertEqual(len(those), len({one.name for one in those}))
        held_out = [one for one in those if one.half == "held-out"]
        self.assertGreaterEqual(sum(one.is_fault for one in those), 80)
        self.assertGreaterEqual(sum(not one.is_fault for one in those), 40)
        self.assertGreaterEqual(sum(one.is_fault for one in held_out), 40)
        self.assertGreaterEqual(sum(not one.is_fault for one in held_out), 20)

    def test_the_kinds_of_one_module_are_chosen(self):
        those = diagnoses.select(argparse.ArgumentParser(), "seen_clean", "held-out")
        self.assertIn("slow-go", [one.name for one in those])
        self.assertEqual({"seen_clean"}, {one.module for one in those})

    def test_an_unknown_module_is_an_error(self):
        with contextlib.redirect_stderr(io.StringIO()) as output, self.assertRaises(SystemExit):
            diagnoses.select(argparse.ArgumentParser(), "seen", "all")
        self.assertIn("--module seen: expected held_out_clean", output.getvalue())


if __name__ == "__main__":
    unittest.main()
