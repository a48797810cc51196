"""A server that misbehaves: it gets each request with its socket."""

import socket
import threading
import time
from contextlib import contextmanager, suppress

OK = (
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
)


def answer(body, status=b"200 OK", *headers):
    """A whole answer; the server closes the connection behind it, and says so."""
    lines = [b"HTTP/1.1 " + status, *headers, b"Content-Length: %d" % len(body)]
    return b"\r\n".join([*lines, b"Connection: close"]) + b"\r\n\r\n" + body


@contextmanager
def rude_server(behave):
    """Calls ``behave(socket, request, number)`` for each request on a new connection.

    Gives the address and the requests, as bytes. The connection is closed afterwards.
    """
    requests = []
    listening = socket.create_server(("127.0.0.1", 0))
    lock = threading.Lock()

    def one(connection):
        with connection, suppress(OSError):
            connection.settimeout(600)
            request = b""
            while b"\r\n\r\n" not in request:
                more = connection.recv(65536)
                if not more:
                    return
                request += more
            head, _, body = request.partition(b"\r\n\r\n")
            length = [
                int(line.split(b":")[1])
                for line in head.lower().split(b"\r\n")
                if line.startswith(b"content-length")
            ]
            while length and len(body) < length[0]:
                more = connection.recv(65536)
                if not more:
                    return
                body += more
            with lock:
                requests.append(head + b"\r\n\r\n" + body)
                number = len(requests)
            behave(connection, requests[-1], number)

    def serve():
        with suppress(OSError):
            while True:
                connection, _ = listening.accept()
                threading.Thread(target=one, args=(connection,), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/ask", requests
    finally:
        listening.close()


def drips(piece, every=0.05):
    """Sends the same bytes again and again, until its client is gone."""

    def behave(connection, _request, _number):
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n")
        while True:
            connection.sendall(piece)
            time.sleep(every)

    return behave
