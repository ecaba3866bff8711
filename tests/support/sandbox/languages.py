"""Languages that this machine can compile, and a small bot in each, which always chooses item 1."""

from __future__ import annotations

import shutil

from ftk_core.kit.commands.new_bot import TEMPLATE_LANGUAGES
from ftk_core.kit.uploads.programming_languages import LANGUAGES
from tests.support.machine import has_programs

CI_LANGUAGES = ("c", "cpp", "rust", "go", "java")
"""Languages with a compiler in Debian; required wherever the sandbox is required."""
INSTALLED_LANGUAGES = tuple(
    name
    for name, row in LANGUAGES.items()
    if row.compiler
    and (
        has_programs("bwrap", *row.compiler.programs)
        if name in CI_LANGUAGES
        else shutil.which(row.compiler.programs[0])
    )
)
"""Languages to test: their compilers are installed, or must be installed because the sandbox is required."""
STARTER_LANGUAGES = tuple(
    name for name in TEMPLATE_LANGUAGES if LANGUAGES[name].compiler is None or name in INSTALLED_LANGUAGES
)
"""Languages in which `ftk new` begins bots that can be tested."""
BOT_SOURCES = {
    "typescript": r"""
import { createInterface } from 'node:readline';
createInterface({ input: process.stdin }).on('line', (text: string) => {
  const line: { type: string; id?: number } = JSON.parse(text);
  if (line.type === 'ask') process.stdout.write(`{"id": ${line.id}, "choose": 1}\n`);
});
""",
    "c": r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    static char line[1 << 20];
    while (fgets(line, sizeof line, stdin)) {
        char *id = strstr(line, "\"id\":");
        if (id) { printf("{\"id\": %d, \"choose\": 1}\n", atoi(id + 5)); fflush(stdout); }
    }
}
""",
    "cpp": r"""
#include <iostream>
#include <string>
int main() {
    for (std::string line; std::getline(std::cin, line);)
        if (auto at = line.find("\"id\":"); at != std::string::npos)
            std::cout << "{\"id\": " << std::stoi(line.substr(at + 5)) << ", \"choose\": 1}" << std::endl;
}
""",
    "rust": r"""
use std::io::{stdin, BufRead};
fn main() {
    for line in stdin().lock().lines() {
        let line = line.unwrap();
        if let Some(at) = line.find("\"id\":") {
            let id: String = line[at + 5..].trim_start().chars().take_while(char::is_ascii_digit).collect();
            println!("{{\"id\": {}, \"choose\": 1}}", id);
        }
    }
}
""",
    "go": r"""
package main

import ("bufio"; "encoding/json"; "fmt"; "os")

func main() {
    for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
        var line struct { Type string; ID int }
        if json.Unmarshal(lines.Bytes(), &line) == nil && line.Type == "ask" {
            fmt.Printf("{\"id\": %d, \"choose\": 1}\n", line.ID)
        }
    }
}
""",
    "java": r"""
import java.io.*;
import java.util.regex.*;
class Bot {
    public static void main(String[] words) throws IOException {
        var lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = lines.readLine()) != null; ) {
            Matcher id = Pattern.compile("\"id\": ?(\\d+)").matcher(line);
            if (id.find()) System.out.println("{\"id\": " + id.group(1) + ", \"choose\": 1}");
        }
    }
}
""",
    "zig": r"""
const std = @import("std");
pub fn main() !void {
    var line: [65536]u8 = undefined;
    const out = std.io.getStdOut().writer();
    while (try std.io.getStdIn().reader().readUntilDelimiterOrEof(&line, '\n')) |text| {
        const at = 5 + (std.mem.indexOf(u8, text, "\"id\":") orelse continue);
        const end = std.mem.indexOfAnyPos(u8, text, at, ",}") orelse continue;
        try out.print("{{\"id\": {s}, \"choose\": 1}}\n", .{text[at..end]});
    }
}
""",
}


def source_of(language: str) -> str:
    """Return the name of the source file in a bot's command."""
    return f"Bot{LANGUAGES[language].suffix}"
