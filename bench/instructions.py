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
# Figure, crate, example with its words, and the stages it goes through in a round.
FIGURES = [
    ("scan", "sql", ["scan_speed"], "lexer and fingerprint, comparison of a hit: five texts"),
    ("hit", "feature-sharding", ["plan_speed", "hit"], "fingerprint, route, rewrite: three texts"),
    ("miss", "feature-sharding", ["plan_speed", "miss"], "parse and bind: three texts"),
    ("insert", "feature-sharding", ["insert_speed"],
     "parse, bind, route, rewrite: an INSERT of 500 rows over four nodes"),
    ("merge", "kernel", ["merge_speed"], "merge of 4 x 25 rows, ordered and grouped"),
]


def build(root):
    command = ["cargo", "build", "--locked", "--profile", "quick"]
    for crate, example in sorted({(crate, words[0]) for _, crate, words, _ in FIGURES}):
        subprocess.run(command + ["-p", crate, "--example", example], cwd=root, check=True)
    target = os.environ.get("CARGO_TARGET_DIR", os.path.join(root, "target"))
    return os.path.join(target, "quick", "examples")


def count(program, rounds, words):
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", program,
             str(rounds), *words],
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
    for name, _, (example, *words), what in FIGURES:
        program = os.path.join(folder, example)
        more, few = count(program, MORE, words), count(program, FEW, words)
        figure = round((more - few) / (MORE - FEW))
        lines.append(f"{name}\t{figure}\t{what}\n")
        before = known.get(name)
        change = (figure / before - 1) if before else 0.0
        print(f"{name:6} {figure:9} instructions a round ({change:+.1%}): {what}")
        if before is None or change > TOLERANCE:
            failures.append(name)
        elif change < -TOLERANCE:
            print(f"  fewer than written down: run bench/instructions --update")
    if "--update" in arguments:
        with open(path, "w", encoding="utf-8") as file:
            file.write("# Written by bench/instructions --update: figure, instructions a round, stages.\n")
            file.writelines(lines)
    elif failures:
        sys.exit(f"more than {TOLERANCE:.0%} above bench/instructions.tsv: {', '.join(failures)}. "
                 "Make them cheaper, or say in the commit why not and run bench/instructions --update.")


main()
