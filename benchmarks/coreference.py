"""Coreference of 1e5 mentions in files, beside coval where it is installed.

Files of 1,000 documents of 100 mentions in 25 clusters; of the hypotheses a tenth of
the mentions are missing, and a fifth of the others stand in any cluster.
"""

import contextlib
import io
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import demur

N_DOCUMENTS, N_MENTIONS, N_CLUSTERS = 1000, 100, 25


def columns(draw: random.Random) -> tuple[str, str]:
    """Key and response of one document after the other."""
    texts: tuple[list[str], list[str]] = ([], [])
    for document in range(N_DOCUMENTS):
        for lines in texts:
            lines.append(f"#begin document (d{document}); part 000")
        for _ in range(N_MENTIONS):
            cluster = other = draw.randrange(N_CLUSTERS)
            if draw.random() < 0.2:
                other = draw.randrange(N_CLUSTERS)
            cells = f"({cluster})", f"({other})" if draw.random() < 0.9 else "-"
            for lines, cell in zip(texts, cells, strict=True):
                lines += [f"a 0 word {cell}", *["a 0 word -"] * 3]
        for lines in texts:
            lines.append("\n#end document")
    key, response = ("\n".join(lines) + "\n" for lines in texts)
    return key, response


def processor_time(job: Callable[[], object]) -> float:
    """Seconds of processor time, at best of three."""
    spent = []
    for _ in range(3):
        begun = time.process_time()
        job()
        spent.append(time.process_time() - begun)
    return min(spent)


def main() -> None:
    """Measure, and print lines."""
    with tempfile.TemporaryDirectory() as folder:
        key, response = Path(folder) / "key", Path(folder) / "response"
        for path, text in zip((key, response), columns(random.Random(0)), strict=True):
            path.write_text(text, "utf-8")

        def read() -> dict[str, list[object]]:
            return demur.read_coreference(hypotheses=response, references=key)

        first = processor_time(lambda: demur.coreference_scores(read()))
        print(f"demur: {first:.2f} s")
        try:
            from coval.conll.reader import get_coref_infos
            from coval.eval import evaluator
        except ImportError:
            return

        def coval() -> None:
            with contextlib.redirect_stdout(io.StringIO()):
                documents = get_coref_infos(str(key), str(response))
            for name in ("mentions", "muc", "b_cubed", "ceafe", "lea"):
                evaluator.evaluate_documents(documents, getattr(evaluator, name))

        other = processor_time(coval)
        print(f"coval: {other:.2f} s, {other / first:.1f} x")


if __name__ == "__main__":
    main()
