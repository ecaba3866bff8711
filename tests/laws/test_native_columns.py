"""Columns that count equal items (bags), by the C++ code alone: they lie between 0 and 1."""

from __future__ import annotations

import subprocess
from operator import itemgetter
from pathlib import Path

import numpy as np
import pytest

from ftk_core.native.build import FLAGS, find_compiler
from ftk_core.native.shared_rules_library import SOURCES
from ftk_core.rl.view_encoding import writer
from tests.support.native_library import WARNING_FLAGS

pytestmark = pytest.mark.slow

PROGRAM = """
#include <cstdio>
#include <string>
#include "columns.hpp"
int main() {
    for (int each = 1; each <= 120; ++each) {
        ftk::Plan plan = ftk::read_plan("[\\"bag\\"," + std::to_string(each) + ",[1,2]]");
        plan.bind<ftk::Vec<std::int8_t, 120>>();
        float columns[2] = {};
        std::uint32_t notes[2];
        ftk::ColumnRow row(columns, notes);
        plan.write(ftk::Vec<std::int8_t, 120>(static_cast<std::size_t>(each), 2), row, 0);
        std::printf("%.9g %.9g\\n", static_cast<double>(columns[0]), static_cast<double>(columns[1]));
    }
}
"""


def test_native_and_python_encodings_of_a_full_multiset_column_are_equal_and_never_exceed_1(tmp_path: Path) -> None:
    source, program = tmp_path / "bags.cpp", tmp_path / "bags"
    source.write_text(PROGRAM)
    flags = [flag for flag in (*FLAGS, *WARNING_FLAGS, "-O0") if flag not in ("-shared", "-fvisibility=hidden")]
    subprocess.run([*find_compiler(), *flags, f"-I{SOURCES}", str(source), "-o", str(program)], check=True)
    lines = subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()
    for each, line in enumerate(lines, 1):
        expected = np.zeros(2, np.float32)
        writer(["bag", each, [1, 2]], getattr, itemgetter)((2,) * each, expected, 0)
        assert [np.float32(column) for column in line.split()] == list(expected), each
        assert expected[1] <= 1, each
    assert len(lines) == 120
