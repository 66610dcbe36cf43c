# SPDX-License-Identifier: BSL-1.0
"""Policies in Python."""
import gc
import os

import cordon
from support import InScratch


class PolicyTest(InScratch):
    def test_the_text_is_canonical_and_can_be_parsed_again(self):
        text = str(self.policy)
        self.assertIn(f"write {self.inside}\n", text)
        self.assertEqual(str(cordon.Policy.parse(text)), text)
        self.assertIn("Policy.parse(", repr(self.policy))

    def test_json_is_read_too(self):
        self.assertEqual(str(cordon.Policy.parse('{"cordon": 1, "network": "none", "presets": []}')),
                         str(cordon.Policy.parse('{"cordon": 1, "network": "none", "presets": []}'.encode())))

    def test_an_error_has_file_line_and_column(self):
        with self.assertRaisesRegex(cordon.Error, r"^job\.policy:2:1: "):
            cordon.Policy.parse("level process_exec\nreed /usr\n", name="job.policy")
        with self.assertRaisesRegex(cordon.Error, r"^policy:1:"):
            cordon.Policy.parse('{"cordon": 1, "fils": []}')

    def test_a_file_is_relative_to_its_directory(self):
        file = self.top / "job.policy"
        file.write_text("level process_exec\nwrite inside\n", encoding="utf-8")
        for path in (file, str(file), os.fsencode(file)):
            self.assertIn(f"write {self.inside}\n", str(cordon.Policy.load(path)))
        with self.assertRaisesRegex(cordon.Error, "/no/such/file"):
            cordon.Policy.load("/no/such/file")

    def test_within_is_true_or_names_the_excess(self):
        narrow = cordon.Policy.parse("level process_exec\nrun /usr\nnetwork none\n")
        self.assertTrue(narrow.within(self.policy))
        self.assertEqual(narrow.within(self.policy).excess, "")
        found = self.policy.within(narrow)
        self.assertFalse(found)
        self.assertIn(f"processes may write {self.inside}; the ceiling allows nothing there", found.excess)

    def test_the_meet_allows_what_both_allow(self):
        other = cordon.Policy.parse("level process_exec\nrun /usr/bin\n")
        both = self.policy & other
        self.assertTrue(both.within(self.policy) and both.within(other))
        self.assertNotIn(str(self.inside), str(both))
        with self.assertRaises(TypeError):
            _ = self.policy & "run /usr"

    def test_compile_prints_rules_and_gaps(self):
        self.assertIn("(version 1)", self.policy.compile("seatbelt"))
        self.assertIn("\ngap unenforced landlock.", self.policy.compile("landlock"))
        presets = cordon.Policy.parse('{"cordon": 1, "files": [{"path": "/srv", "rights": ["read"]}],'
                                      ' "presets": ["system_runtime"]}')
        self.assertIn("/opt/homebrew", presets.compile("seatbelt"))
        self.assertNotIn("/opt/homebrew", presets.compile("seatbelt", system="linux"))
        with self.assertRaisesRegex(cordon.Error, "unknown backend firewall; known here: "):
            self.policy.compile("firewall")

    def test_explain_is_true_or_false_with_the_deciding_clause(self):
        found = self.policy.explain("write", self.inside / "a")
        self.assertTrue(found)
        self.assertIn(f"(files: {self.inside} ", found.text)
        self.assertFalse(self.policy.explain("write", self.outside))
        self.assertFalse(self.policy.explain("host", "example.com"))
        with self.assertRaisesRegex(cordon.Error, "the question smell is unknown"):
            self.policy.explain("smell", "/")

    def test_explain_command_judges_arguments(self):
        self.assertTrue(self.policy.explain_command(["/usr/bin/true"], cwd=self.inside))
        found = self.policy.explain_command(["/usr/bin/curl", "http://example.com"], cwd=self.inside)
        self.assertFalse(found)
        self.assertIn("example.com", found.text)

    def test_a_policy_is_freed_once(self):
        for _ in range(1000):
            self.policy & self.policy  # pylint: disable=expression-not-assigned
        gc.collect()

    def test_a_zero_byte_in_a_name_is_an_error(self):
        with self.assertRaisesRegex(ValueError, "zero byte"):
            cordon.Policy.load("job.policy\0.txt")

    def test_the_version_is_that_of_the_library(self):
        self.assertEqual(cordon.__version__, os.environ["CORDON_VERSION"])
