"""How many answers a second `demur run` gets from a local server of 50 ms.

Run::

    python benchmarks/run.py
"""

import asyncio
import json
import multiprocessing
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

DELAY = 0.05
CONCURRENCY = 32
N_INPUTS = 3_000


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """One connection: each posted input is answered after the delay."""
    try:
        while head := await reader.readuntil(b"\r\n\r\n"):
            size = int(head.lower().partition(b"content-length:")[2].split()[0])
            asked = json.loads(await reader.readexactly(size))["inputs"]
            await asyncio.sleep(DELAY)
            listed = [{"item": each["item"], "response": "yes"} for each in asked]
            body = json.dumps({"responses": listed}).encode()
            line = f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n"
            writer.write(line.encode() + body)
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


def serve(port: int) -> None:
    """Answer on a port, for ever."""

    async def forever() -> None:
        server = await asyncio.start_server(_answer, "127.0.0.1", port)
        await server.serve_forever()

    asyncio.run(forever())


def main() -> None:
    """Measure, and print a line."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = multiprocessing.Process(target=serve, args=(port,), daemon=True)
    server.start()
    time.sleep(0.5)
    with tempfile.TemporaryDirectory() as folder:
        inputs, output = Path(folder) / "g.jsonl", Path(folder) / "r.jsonl"
        lines = (json.dumps({"item": k, "input": f"q {k}"}) for k in range(N_INPUTS))
        inputs.write_text("\n".join(lines))
        command = [sys.executable, "-m", "demur", "run", f"http://127.0.0.1:{port}/"]
        command += [str(inputs), "-o", str(output), "--concurrency", str(CONCURRENCY)]
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        seconds = time.perf_counter() - start
        answered = output.read_text().count('"yes"')
    server.terminate()
    most = CONCURRENCY / DELAY
    print(
        f"{answered} answers in {seconds:.1f} s: {answered / seconds:.0f} a second, "
        f"of {most:.0f} that are possible"
    )


if __name__ == "__main__":
    main()
