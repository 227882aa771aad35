# SPDX-License-Identifier: Apache-2.0
"""The mutants of one build by their numbers, the sources that hold them, and those that do not compile.

What does not compile is dropped: of each error the innermost mutant at its place, or else all of its line, until the
rest compiles."""
from __future__ import annotations

import collections
import dataclasses
import pathlib
import types
from typing import Callable, Iterable, Mapping, Sequence

import building
import rewrite
from source_mutants import Mutant
from sites import ROOT

ROUNDS = 40


@dataclasses.dataclass
class MutantSet:
    """`files`: sources that are rewritten even without a mutant, after `prepare`, which moves nothing; `hooks`: changes
    that are no mutants."""

    mutants: dict[int, Mutant]
    dropped: list[Mutant] = dataclasses.field(default_factory=list)
    files: Sequence[str] = ()
    prepare: Callable[[str, str], str] = lambda file, text: text
    hooks: Sequence[rewrite.Span] = ()

    def rewritten(self) -> dict[str, rewrite.Rewritten]:
        """file -> its text with every mutant."""
        spans: dict[str, list[rewrite.Span]] = collections.defaultdict(list)
        for span in [*self.hooks, *(mutant.span(number) for number, mutant in self.mutants.items())]:
            spans[span.edit.file].append(span)
        files = {*spans, *self.files, *(mutant.file for mutant in self.dropped)}
        return {file: rewrite.rewrite_spans(self.prepare(file, (ROOT / file).read_text()), spans[file],
                                            rewrite.language_of(file)) for file in sorted(files)}

    def until_it_builds(self, attempt: Callable[[dict[str, str]], object]) -> None:
        """`attempt` writes the texts and builds them; BuildError when no mutant is at fault."""
        for _ in range(ROUNDS):
            texts = self.rewritten()
            try:
                attempt({file: here.text for file, here in texts.items()})
                return
            except building.BuildError as error:
                if self.drop(error.errors, texts) == 0:
                    raise
        raise building.BuildError(f"the mutants do not build after {ROUNDS} rounds")

    def built_copy(self, copy: pathlib.Path, executables: Iterable[str], flags: str = building.RELEASE,
                   more: Mapping[str, str] = types.MappingProxyType({}), header: str = rewrite.HEADER_TEXT,
                   build: Callable[[], object] | None = None) -> pathlib.Path:
        """Makes `copy` a copy of the sources with the mutants and the texts `more`, and builds it, or calls `build`.
        The folder with the executables."""
        def attempt(texts: dict[str, str]) -> None:
            rewrite.write_tree({**texts, **more}, ROOT, copy, header)
            build() if build else building.build(copy, executables, flags)

        self.until_it_builds(attempt)
        return copy / "build"

    def drop(self, errors: Sequence[tuple[str, int, int]], texts: dict[str, rewrite.Rewritten]) -> int:
        """Drops those that `errors` are about and returns how many they are."""
        guilty: set[int] = set()
        for path, line, column in errors:
            file = self._file_of(path, texts)
            if file is not None:
                guilty |= self._at(file, line, column, texts[file])
        for number in guilty:
            self.dropped.append(self.mutants.pop(number))
        return len(guilty)

    @staticmethod
    def _file_of(path: str, texts: dict[str, rewrite.Rewritten]) -> str | None:
        """The mutated file that a compiler means: a copy's path ends like the original's; a block's files lie flat."""
        for file in texts:
            if path.endswith("/" + file) or (file.startswith("rtl_ref/") and
                                             pathlib.Path(path).name == pathlib.Path(file).name):
                return file
        return None

    def _at(self, file: str, line: int, column: int, here: rewrite.Rewritten) -> set[int]:
        head = rewrite.language_of(file).head
        begin_of_text = head.count("\n")  # #line hides these lines from the compiler
        lines = here.text.split("\n")
        if line < 1 or line + begin_of_text > len(lines):
            return set()
        offset = sum(len(text) + 1 for text in lines[:line - 1 + begin_of_text]) + column - 1
        around = [(end - begin, number) for begin, end, number in here.regions if begin <= offset < end]
        if around:
            return {min(around)[1]} - {0}
        return {n for n, m in self.mutants.items() if m.file == file and m.line <= line <= m.line + m.old.count("\n")}
