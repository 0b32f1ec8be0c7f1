import json
import socket
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from hengfu import ConnectionFailed, Hengfu, HengfuError, sign
from test_signatures import read

VECTORS = read("exchanges")
KEY, SECRET = "ak_test", "sk_test"
NAMES = {
    "requestId": "request_id",
    "isRateLimit": "is_rate_limit",
    "isTemporary": "is_temporary",
    "retryAfterSeconds": "retry_after",
}


class Service:
    """A server that gives one reply after the other, and keeps the requests."""

    def __init__(self, replies):
        arrived = self.arrived = []

        class Handler(BaseHTTPRequestHandler):
            def answer(self):
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                reply = (
                    replies[len(arrived)] if len(arrived) < len(replies) else {"status": 500, "body": "too many"}
                )
                arrived.append((self.command, self.path, self.headers, body))
                if reply == "drop":
                    self.close_connection = True
                    return
                text = json.dumps(VECTORS["reply"]) if reply["body"] == "$order" else reply["body"]
                self.send_response_only(reply["status"])
                for name, value in reply.get("headers", {}).items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(text.encode())))
                self.end_headers()
                self.wfile.write(text.encode())

            do_GET = do_POST = answer

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

    def client(self, **options):
        base = f"http://127.0.0.1:{self._server.server_address[1]}"
        return Hengfu(base, KEY, SECRET, **{"max_retries": 2, "retry_delay": 0.002, **options})


class Exchanges(unittest.TestCase):
    def test_retries_what_may_succeed_later_and_nothing_else(self):
        for exchange in VECTORS["exchanges"]:
            with self.subTest(exchange["name"]), Service(exchange["replies"]) as service:
                result = self.result_of(service)
                self.assert_signed(service.arrived, exchange["attempts"])
                self.assert_outcome(result, exchange["outcome"])
                if "cause" in exchange:
                    self.assert_outcome(result.__cause__, exchange["cause"])

    def result_of(self, service):
        try:
            return service.client().collections.create(VECTORS["order"], idempotency_key="k-1")
        except (HengfuError, ConnectionFailed) as error:
            return error

    def assert_signed(self, arrived, attempts):
        self.assertEqual(len(arrived), attempts)
        self.assertEqual(len({headers["x-nonce"] for _, _, headers, _ in arrived}), attempts)
        self.assertEqual(len({body for _, _, _, body in arrived}), 1)
        for method, path, headers, body in arrived:
            self.assertEqual((method, path), ("POST", "/openapi/v1/collections"))
            self.assertEqual(json.loads(body), VECTORS["order"])
            self.assertEqual(headers["idempotency-key"], "k-1")
            expected = sign(SECRET, method, path, headers["x-timestamp"], headers["x-nonce"], body)
            self.assertEqual(headers["x-signature"], expected)

    def assert_outcome(self, result, outcome):
        if outcome == "ok":
            self.assertEqual(result, VECTORS["reply"])
        elif outcome == "connection":
            self.assertIsInstance(result, ConnectionFailed)
        else:
            self.assertIsInstance(result, HengfuError)
            for name, value in outcome.items():
                if name == "messageHas":
                    self.assertIn(value, str(result))
                else:
                    found = str(result) if name == "message" else getattr(result, NAMES.get(name, name))
                    self.assertEqual(found, value)


class Lists(unittest.TestCase):
    def setUp(self):
        self.pages = VECTORS["pages"]
        self.replies = [
            {"status": 200, "body": json.dumps({"items": [VECTORS["reply"]] * count, "next_cursor": cursor})}
            for count, cursor in zip(self.pages["items"], self.pages["cursors"])
        ]

    def test_reads_page_by_page_under_the_same_filters(self):
        with Service(self.replies) as service:
            items = list(service.client().collections.list(**self.pages["filters"]))
            self.assertEqual(len(items), 3)
            paths = [path for _, path, _, _ in service.arrived]
            self.assertEqual(paths, [self.pages["first"], *self.pages["others"]])

    def test_sends_no_filter_that_is_empty(self):
        empty = self.pages["empty"]
        with Service([{"status": 200, "body": '{"items":[],"next_cursor":null}'}]) as service:
            self.assertEqual(list(service.client().collections.list(**empty["filters"])), [])
            self.assertEqual([path for _, path, _, _ in service.arrived], [empty["first"]])

    def test_reads_no_page_that_is_not_needed(self):
        with Service(self.replies) as service:
            next(iter(service.client().collections.list(**self.pages["filters"])))
            self.assertEqual(len(service.arrived), 1)


class Options(unittest.TestCase):
    def test_a_header_that_cannot_be_sent_is_no_call(self):
        with Service([]) as service:
            with self.assertRaises(ValueError):
                service.client().collections.cancel("C1", idempotency_key="k\r\nX-Other: 1")
            self.assertEqual(service.arrived, [])

    def test_gives_up_on_a_silent_service(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            client = Hengfu(f"http://127.0.0.1:{silent.getsockname()[1]}", KEY, SECRET, timeout=0.05, max_retries=0)
            with self.assertRaises(ConnectionFailed):
                client.balance()

    def test_repeats_a_call_as_often_as_it_is_told_to(self):
        with socket.create_server(("127.0.0.1", 0)) as closed:
            base = f"http://127.0.0.1:{closed.getsockname()[1]}"
        with self.assertRaises(ConnectionFailed):
            Hengfu(base, KEY, SECRET, max_retries=1030, retry_delay=0.0).balance()

    def test_accepts_plain_http_on_this_machine_only(self):
        for base in ("http://pay.example", "ftp://127.0.0.1", "https://pay.example/path", "https://", "pay.example"):
            with self.subTest(base), self.assertRaises(ValueError):
                Hengfu(base, KEY, SECRET)
        with self.assertRaises(ValueError):
            Hengfu("https://pay.example", KEY, "")

    def test_does_not_show_the_secret(self):
        client = Hengfu("https://pay.example", KEY, SECRET)
        self.assertNotIn(SECRET, repr(client) + repr(client._transport))


if __name__ == "__main__":
    unittest.main()
