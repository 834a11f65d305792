#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What docs/ci.md shows, for tests: its files must be those of examples/project, its recipes are read as YAML.

usage: read_recipes.py DOCUMENT PROJECT    compares; writes the commands of the two pipelines as scripts
       read_recipes.py matched MATCHER     problems in standard input, as the matcher sees them: severity file line
"""
import json
import os
import re
import sys
import textwrap

import yaml


def indented_blocks(text):
    """Indented blocks, each with what follows after an empty line."""
    return [textwrap.dedent(block).strip("\n") + "\n" for block in re.findall(r"(?:^    .*\n(?:\n(?=    ))?)+", text, re.M)]


def check_files(text, project):
    for name in ("CMakeLists.txt", "meson.build", "configure.ac", "Makefile.am"):
        with open(os.path.join(project, name)) as file:
            if textwrap.indent(file.read(), "    ") not in text:
                sys.exit(f"{name} is not as the document shows it")


def write_commands(name, commands):
    with open(name, "w") as file:
        file.write("set -e\n" + "\n".join(commands) + "\n")


def write_pipelines(text):
    blocks = indented_blocks(text)
    github = yaml.safe_load(next(block for block in blocks if block.startswith("name: heddle")))
    steps = {step.get("name"): step for step in github["jobs"]["explore"]["steps"]}
    write_commands("github.sh", [steps["Build"]["run"], steps["Explore"]["run"]])
    gitlab = yaml.safe_load(next(block for block in blocks if block.startswith("explore:")))
    write_commands("gitlab.sh", gitlab["explore"]["script"])
    task = json.loads(next(block for block in blocks if block.startswith("{")))
    return task["tasks"][0]["problemMatcher"]["pattern"]


def matcher_pattern(path):
    with open(path) as file:
        return json.load(file)["problemMatcher"][0]["pattern"][0]


def print_problems(pattern):
    for line in sys.stdin:
        match = re.match(pattern["regexp"], line.rstrip("\n"))
        if match:
            print(*(match.group(pattern[part]) for part in ("severity", "file", "line")))


def main():
    if sys.argv[1] == "matched":
        print_problems(matcher_pattern(sys.argv[2]))
        return
    with open(sys.argv[1]) as file:
        text = file.read()
    check_files(text, sys.argv[2])
    root = os.path.dirname(os.path.dirname(sys.argv[1]))
    if write_pipelines(text) != matcher_pattern(os.path.join(root, "contrib/problem-matcher.json")):
        sys.exit("the task's matcher is another one than contrib/problem-matcher.json")


main()
