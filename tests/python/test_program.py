"""Commands of the program from Python: results, other forms of them, errors and Ctrl-C."""
import contextlib
import io
import json
import os
import pathlib
import pty
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import pinion
from pinion import program

try:
    import pandas
except ImportError:
    pandas = None

WORK = {"workload": "zheng:0,slots=200", "quiet": True}
PATIENT = "examples/policies/patient.lua"
SCENARIO = {"model": "slotted", "machines": 3,
            "jobs": [{"arrival": 1, "maps": 5, "reduces": [4, 4, 2]},
                     {"arrival": 2, "maps": 1, "reduces": [1]}]}


def printed(*arguments, **more):
    return subprocess.run([program.find(), *arguments], stdout=subprocess.PIPE, text=True,
                          check=True, **more).stdout


class Options(unittest.TestCase):
    def test_become_arguments_by_their_names(self):
        made = program.arguments_of("tune", {
            "policy": ("mlfq.lua", {"quantum": 5, "strict": True}), "subject_to": ["a<=1", "b<=2"],
            "metrics": ["slowdown", "fairness"], "over": {"k": [1, 2.5]}, "maximize": True,
            "param": {"pools": {"prod": {"weight": 3}}},
            "quiet": False, "goal": None, "from_": 3})
        self.assertEqual(made, [
            "--policy", "mlfq.lua:quantum=5:strict=true", "--subject-to", "a<=1", "--subject-to",
            "b<=2", "--metrics", "slowdown,fairness", "--over", "k=1,2.5", "--maximize", "--param",
            'pools={"prod": {"weight": 3}}', "--from", "3"])

    def test_that_the_program_does_not_know_are_its_own_errors(self):
        with self.assertRaisesRegex(pinion.Error, r"^unknown option '--plicies' \(did you mean"):
            pinion.compare(workload="zheng:0", plicies=["fifo"])


class Results(unittest.TestCase):
    def test_of_compare_are_what_the_program_prints(self):
        result = pinion.compare(policies=["fifo", (PATIENT, {"patience": 5})], replicas=3, **WORK)
        line = ["compare", "--workload", WORK["workload"], "--replicas", "3", "--quiet",
                "--policies", "fifo,%s:patience=5" % PATIENT, "--format"]
        self.assertEqual(result.data, json.loads(printed(*line, "json")))
        self.assertEqual(str(result), printed(*line, "table"))
        self.assertEqual([row["policy"] for row in result.rows],
                         ["fifo", PATIENT + ":patience=5"])

    def test_have_paired_differences(self):
        result = pinion.sweep(policies=["fifo", "asrpt"], over={"machines": [60, 100]},
                              replicas=3, **WORK)
        self.assertEqual([(one["machines"], one["policy"], one["baseline"])
                          for one in result.differences],
                         [(60, "asrpt", "fifo"), (100, "asrpt", "fifo")])
        for one in result.differences:
            self.assertAlmostEqual(sum(one["pairs"]) / 3, one["difference"])

    def test_of_a_scenario_as_a_dict(self):
        result = pinion.simulate(SCENARIO, policy="dspt", quiet=True)
        self.assertEqual(result.data, json.loads(printed(
            "simulate", "-", "--policy", "dspt", "--quiet", "--format", "json",
            input=json.dumps(SCENARIO))))
        self.assertEqual([row["id"] for row in result.rows], [1, 2])
        self.assertIn("digest", result.text("csv") + str(result))

    @unittest.skipUnless(pandas, "no pandas here")
    def test_become_frames(self):
        result = pinion.compare(policies=["fifo", "asrpt"], replicas=3, **WORK)
        frame = result.to_pandas()
        self.assertEqual(list(frame.columns),
                         ["policy", "replica", "group", "metric", "value", "low", "high"])
        means = frame[(frame.metric == "mean_flow_time") & (frame.policy == "asrpt")]
        self.assertEqual(list(means[means.replica.notna()].value),
                         result.rows[1]["samples"]["mean_flow_time"])
        self.assertEqual(list(means[means.replica.isna()].value),
                         [result.rows[1]["mean_flow_time"]])

    @unittest.skipUnless(pandas, "no pandas here")
    def test_of_tune_and_explain_become_frames(self):
        tuned = pinion.tune(workload="lin,jobs=100", policy="klps", over={"k": "1..8"}, runs=20,
                            replicas=2, quiet=True)
        self.assertEqual(set(tuned.to_pandas().k), {one["values"]["k"]
                                                    for one in tuned.configurations})
        told = pinion.explain(workload="zheng:0", policy="fifo", job=17)
        self.assertEqual(list(told.to_pandas().phase), [one["phase"] for one in told.phases])
        told = pinion.explain(workload="zheng:0", policy="fifo", time=60)
        self.assertEqual(list(told.to_pandas().job),
                         [one["job"] for one in told.running + told.waiting])

    def test_save_themselves(self):
        result = pinion.compare(policies=["fifo", "asrpt"], replicas=2, **WORK)
        with tempfile.TemporaryDirectory() as folder:
            result.save(folder + "/x.csv")
            self.assertEqual(pathlib.Path(folder, "x.csv").read_text(), result.text("csv"))
            result.save(folder + "/x.html")
            self.assertIn("<html", pathlib.Path(folder, "x.html").read_text())

    def test_repeat_no_run(self):
        with tempfile.TemporaryDirectory() as folder:
            result = pinion.compare(policies=["fifo"], replicas=2, store=folder, **WORK)
            self.assertEqual(result._again(only_stored=True, format="csv"), result.text("csv"))

    def test_have_rows_of_jobs(self):
        result = pinion.compare(policies=["fifo", "asrpt"], jobs_detail=True, **WORK)
        self.assertEqual([len(row["jobs"]) for row in result.rows],
                         [row["finished"] for row in result.rows])
        with self.assertRaisesRegex(pinion.Error, "needs store"):
            pinion.compare(shard="1/2", **WORK)

    def test_have_their_forms_from_methods(self):
        for name, value in ("format", "csv"), ("output", "x.csv"):
            with self.assertRaisesRegex(TypeError, "expected in (text|save)"):
                pinion.compare(**{name: value}, **WORK)

    def test_of_scripts_are_what_these_print(self):
        self.assertEqual(pinion.run("examples/lua/first.lua"),
                         printed("run", "examples/lua/first.lua"))


class Pictures(unittest.TestCase):
    def test_of_tables(self):
        result = pinion.compare(policies=["fifo", "asrpt"], replicas=2, **WORK)
        shown = result._repr_html_()
        for row in result.rows:
            self.assertIn(">%s</td>" % row["policy"], shown)
        self.assertNotIn("| ---", shown)
        self.assertEqual("data:image/svg" in shown, shutil.which("gnuplot") is not None)

    @unittest.skipUnless(shutil.which("gnuplot"), "no gnuplot here")
    def test_of_comparisons(self):
        result = pinion.compare(policies=["fifo", "asrpt"], replicas=2, **WORK)
        self.assertTrue(result._repr_svg_().rstrip().endswith("</svg>"))
        self.assertNotEqual(result.svg(kind="bars"), result.svg())
        with self.assertRaisesRegex(pinion.Error, "kind"):
            result.svg(kind="cake")

    def test_of_runs(self):
        chart = pinion.gantt(SCENARIO, policy="fifo", title="two jobs")
        self.assertIn("two jobs", chart._repr_svg_())
        self.assertTrue(chart.svg.startswith("<svg"))
        with self.assertRaisesRegex(pinion.Error, "policy 'fifi'"):
            pinion.gantt(SCENARIO, policy="fifi")


class Failures(unittest.TestCase):
    def test_are_exceptions_with_the_message(self):
        with self.assertRaises(pinion.Error) as caught:
            pinion.compare(workload="zheng:9")
        self.assertEqual(str(caught.exception),
                         "workload 'zheng:9': setting: must be an integer in 0..3, got 9")

    def test_of_a_program_that_is_not_there(self):
        before = os.environ.get("PINION")
        try:
            os.environ["PINION"] = "/nowhere/pinion"
            with self.assertRaisesRegex(pinion.Error, "^/nowhere/pinion is no program"):
                pinion.run("x.lua")
        finally:
            os.environ.pop("PINION")
            if before:
                os.environ["PINION"] = before

    def test_notices_go_to_standard_error(self):
        with contextlib.redirect_stderr(io.StringIO()) as said:
            pinion.compare(workload="zheng:0", set={"machines": 50}, policies=["fifo", "asrpt"],
                           replicas=2)
        self.assertIn("still growing", said.getvalue())

    def test_ctrl_c_ends_the_program_and_its_workers(self):
        self.assertEqual(self.left_by(signal.SIGINT), "interrupted\n")

    @unittest.skipUnless(shutil.which("setpriv"), "no setpriv here")
    def test_of_this_process_end_the_program_and_its_workers(self):
        self.assertEqual(self.left_by(signal.SIGKILL), "")

    def left_by(self, number):
        """Sends a signal during a comparison that shows its progress on a terminal, waits for the
        end of all processes, and returns what was printed."""
        with tempfile.TemporaryDirectory() as folder:
            code = ("import pinion\n"
                    "try:\n"
                    "    pinion.compare(workload='zheng:0', replicas=100000, store=%r)\n"
                    "except KeyboardInterrupt:\n"
                    "    print('interrupted')\n" % (folder + "/store"))
            terminal, end = pty.openpty()
            child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE,
                                     stderr=end, text=True)
            os.close(end)
            try:
                self.wait_for(lambda: len(self.processes(folder)) > 2)  # with its workers
                self.assertTrue(select.select([terminal], [], [], 30)[0], "no progress")
                self.assertIn(b"comparison: ", os.read(terminal, 1000))
                child.send_signal(number)
                output, _ = child.communicate(timeout=30)
            finally:
                child.kill()
                os.close(terminal)
            self.wait_for(lambda: not self.processes(folder))
            return output

    @staticmethod
    def processes(word):
        """Returns the processes with this word in their arguments."""
        found = []
        for entry in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):
                if word.encode() in entry.read_bytes():
                    found.append(entry)
        return found

    def wait_for(self, done):
        for _ in range(600):
            if done():
                return
            time.sleep(0.05)
        self.fail("waited in vain")


if __name__ == "__main__":
    unittest.main()
