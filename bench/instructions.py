"""Instructions of the pure stages, by callgrind.

Each example runs twice, with few and with more rounds; the difference, divided by the rounds, is
what one round costs without what surrounds it.
"""

import os
import re
import subprocess
import sys
import tempfile

TOLERANCE = 0.03
FEW, MORE = 100, 600
# The example, its crate, and the stages it goes through in a round.
EXAMPLES = [
    ("scan_speed", "sql", "lexer and fingerprint, comparison of a hit: five texts"),
    ("plan_speed", "feature-sharding", "fingerprint, route, rewrite, parse and bind: three texts"),
    ("merge_speed", "kernel", "merge of 4 x 25 rows, ordered and grouped"),
]


def build(root):
    command = ["cargo", "build", "--locked", "--profile", "quick"]
    for example, crate, _ in EXAMPLES:
        subprocess.run(command + ["-p", crate, "--example", example], cwd=root, check=True)
    target = os.environ.get("CARGO_TARGET_DIR", os.path.join(root, "target"))
    return os.path.join(target, "quick", "examples")


def count(program, rounds):
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", program,
             str(rounds)],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    found = re.search(r"Collected : (\d+)", result.stderr)
    if result.returncode != 0 or not found:
        sys.exit(f"callgrind failed on {program}:\n{result.stderr}")
    return int(found.group(1))


def read(path):
    figures = {}
    if os.path.exists(path):
        for line in open(path, encoding="utf-8"):
            if not line.startswith("#"):
                name, figure = line.split("\t")[:2]
                figures[name] = int(figure)
    return figures


def main():
    root, arguments = sys.argv[1], sys.argv[2:]
    path = os.path.join(root, "bench", "instructions.tsv")
    folder, known, lines, failures = build(root), read(path), [], []
    for name, _, what in EXAMPLES:
        program = os.path.join(folder, name)
        figure = round((count(program, MORE) - count(program, FEW)) / (MORE - FEW))
        lines.append(f"{name}\t{figure}\t{what}\n")
        before = known.get(name)
        change = (figure / before - 1) if before else 0.0
        print(f"{name:12} {figure:9} instructions a round ({change:+.1%}): {what}")
        if before is None or change > TOLERANCE:
            failures.append(name)
        elif change < -TOLERANCE:
            print(f"  fewer than written down: run bench/instructions --update")
    if "--update" in arguments:
        with open(path, "w", encoding="utf-8") as file:
            file.write("# Written by bench/instructions --update: example, instructions a round, stages.\n")
            file.writelines(lines)
    elif failures:
        sys.exit(f"more than {TOLERANCE:.0%} above bench/instructions.tsv: {', '.join(failures)}. "
                 "Make them cheaper, or say in the commit why not and run bench/instructions --update.")


main()
