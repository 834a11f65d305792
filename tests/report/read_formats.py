#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Reads what heddle wrote, each file with a reader that heddle's authors did not write, and prints what it says.

usage: read_formats.py SCHEMA FILE...    FILE.sarif, FILE.junit.xml, FILE.graphml or FILE.yml
"""
import json
import re
import sys

import jsonschema
import junitparser
import networkx
import yaml


def read_sarif(path, schema):
    with open(path, encoding="utf-8") as file:
        log = json.load(file)
    jsonschema.Draft7Validator(schema, format_checker=jsonschema.FormatChecker()).validate(log)
    run = log["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        if rules[result["ruleIndex"]]["id"] != result["ruleId"]:
            sys.exit(f"{path}: the rule's index and its name differ")
        for flow in result.get("codeFlows", []):
            orders = [step["executionOrder"] for thread in flow["threadFlows"] for step in thread["locations"]]
            if sorted(orders) != list(range(1, len(orders) + 1)):
                sys.exit(f"{path}: the order of the code flow has holes")
    where = [result["locations"][0].get("physicalLocation", {"artifactLocation": {"uri": "?"}})["artifactLocation"]["uri"]
             for result in run["results"]]
    return " ".join(f"{result['ruleId']}@{uri}" for result, uri in zip(run["results"], where))


def read_junit(path):
    suites = junitparser.JUnitXml.fromfile(path)
    suites.update_statistics()
    case = next(iter(next(iter(suites))))
    return f"tests {suites.tests} failures {suites.failures} skipped {suites.skipped}: " + \
        " ".join(getattr(result, "type", None) or "skipped" for result in case.result)


def read_graphml(path):
    graph = networkx.read_graphml(path)
    if not networkx.is_directed_acyclic_graph(graph) or not networkx.is_weakly_connected(graph):
        sys.exit(f"{path}: not a path")
    entries = [node for node, data in graph.nodes(data=True) if data.get("entry")]
    ends = [node for node, data in graph.nodes(data=True) if data.get("violation")]
    if len(entries) != 1 or len(ends) != 1 or len(list(networkx.all_simple_paths(graph, entries[0], ends[0]))) != 1:
        sys.exit(f"{path}: not one path from the entry to the violation")
    created = [data["createThread"] for _, _, data in graph.edges(data=True) if "createThread" in data]
    threads = {data["threadId"] for _, _, data in graph.edges(data=True)}
    if not threads <= {0, *created}:
        sys.exit(f"{path}: a thread that nobody created: {threads - set(created)}")
    if not re.fullmatch("[0-9a-f]{64}", graph.graph["programhash"]):
        sys.exit(f"{path}: no hash")
    return f"threads {len(threads)}, created {len(created)}, ends at {max(data.get('startline', 0) for _, target, data in graph.edges(data=True) if target == ends[0])}"


def read_witness(path):
    with open(path, encoding="utf-8") as file:
        entry = yaml.safe_load(file)[0]
    waypoints = [point["waypoint"] for segment in entry["content"] for point in segment["segment"]]
    return entry["entry_type"] + ": " + ", ".join(
        point["type"] + " " + str(point["location"]["line"]) + (" " + point["constraint"]["value"] if "constraint" in point else "")
        for point in waypoints)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    for path in sys.argv[2:]:
        if path.endswith(".sarif"):
            print(path, read_sarif(path, schema))
        elif path.endswith(".junit.xml"):
            print(path, read_junit(path))
        elif path.endswith(".graphml"):
            print(path, read_graphml(path))
        else:
            print(path, read_witness(path))


main()
