"""A copy of the sources with every mutation compiled in behind a run-time switch ("mutant schemata"): one build serves
all of them. Mutation n of the list, counted from 1, is at work when the environment says ISBESIM_MUTANT=n."""
import pathlib
import shutil

import sites

VARIABLE = "ISBESIM_MUTANT"
HEADER = "isbesim_mutant.h"
FOLDERS = ("models", "testbench", "tlm", "tests", "scripts", "rtl_ref")

# In a constant expression no mutant is at work: compile-time tables stay as they are.
HEADER_TEXT = """#pragma once
#include <cstdlib>
inline int isbesim_active_mutant() noexcept
{
    static const int active = [] {
        const char* const text = std::getenv("%s");
        return text == nullptr ? 0 : std::atoi(text);
    }();
    return active;
}
constexpr bool isbesim_mutant(int number) noexcept
{
    return !__builtin_is_constant_evaluated() && isbesim_active_mutant() == number;
}
""" % VARIABLE


def replacement(edit, number, old):
    """What stands for `old`, which is the edit's own text or, where several mutations share it, what they made of it."""
    condition = f"isbesim_mutant({number})"
    if edit.kind == "expression":
        return f"({condition} ? ({edit.new}) : ({old}))"
    if edit.kind == "statement":
        return f"{{ if ({condition}) {{ {edit.new} }} else {{ {old} }} }}"
    return edit.new.replace("MUTANT", condition)


def rewrite(text, edits):
    """`text` with all of its edits, pairs (number, edit). Two edits that overlap raise ListError, unless they replace
    the same text as expressions or statements."""
    spans = {}
    for number, edit in edits:
        begin = sites.place(text, edit)
        spans.setdefault((begin, begin + len(edit.old)), []).append((number, edit))
    done, behind = [], 0
    for (begin, end), here in sorted(spans.items(), key=lambda item: item[0]):
        if begin < behind or (len(here) > 1 and any(edit.kind == "text" for _, edit in here)):
            raise sites.ListError(f"{here[0][1].file}: the text '{here[0][1].old}' overlaps another mutation's")
        new = text[begin:end]
        for number, edit in here:
            new = replacement(edit, number, new)
        done += [text[behind:begin], new]
        behind = end
    return f'#include "{HEADER}"\n#line 1\n' + "".join(done) + text[behind:]


def write_if_changed(path, data):
    if path.is_file() and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def write_copy(mutations, root, target):
    """Makes `target` the mutated copy of the sources below `root`. What does not change keeps its time stamp, so that
    the next build is short."""
    root, target = pathlib.Path(root), pathlib.Path(target)
    edits = {}
    for number, mutation in enumerate(mutations, 1):
        for edit in mutation.edits:
            edits.setdefault(edit.file, []).append((number, edit))
    copied = set()
    tops = [path for path in root.iterdir() if path.is_file() or path.name in FOLDERS]
    for path in sorted(p for top in tops for p in ([top] if top.is_file() else top.rglob("*"))):
        name = path.relative_to(root)
        if not path.is_file() or "__pycache__" in name.parts:
            continue
        data = path.read_bytes()
        if str(name) in edits:
            data = rewrite(data.decode(), edits[str(name)]).encode()
        write_if_changed(target / name, data)
        shutil.copymode(path, target / name)
        copied.add(name)
    write_if_changed(target / HEADER, HEADER_TEXT.encode())
    copied.add(pathlib.Path(HEADER))
    for top in (target / folder for folder in FOLDERS):  # files that are gone
        for path in top.rglob("*"):
            if path.is_file() and path.relative_to(target) not in copied:
                path.unlink()
