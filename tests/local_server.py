"""A server on this machine for tests of systems behind addresses."""

import json
import threading
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@contextmanager
def server(answer):
    """A server whose answers are (status, headers, body) of a posted payload.

    Gives its address and the list of what was posted. A status of None hangs up. The
    payload of an answer that takes three arguments comes with the request's headers.
    """

    posted = []
    with_headers = answer.__code__.co_argcount == 3

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # else each answer waits 40 ms for the client

        def handle(self):
            # A client that waits no longer: what is said of it would stand on the
            # stderr of another test.
            with suppress(ConnectionError):
                super().handle()

        def do_POST(self):
            size = int(self.headers["Content-Length"])
            payload = json.loads(self.rfile.read(size))
            posted.append(payload)
            told = (payload, len(posted), dict(self.headers))
            status, headers, body = answer(*told[: 3 if with_headers else 2])
            if status is None:  # hang up
                self.close_connection = True
                self.connection.close()
                return
            body = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    running = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    running.daemon_threads = True
    # It looks for its end every so many seconds: by itself every half a second.
    serve = threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True)
    serve.start()
    try:
        yield f"http://127.0.0.1:{running.server_port}/ask?key=1", posted
    finally:
        running.shutdown()
        running.server_close()
