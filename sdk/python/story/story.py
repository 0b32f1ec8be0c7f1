"""The shared story (sdk/story/README.md), told by the library for Python."""

import json
import os
import queue
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from hengfu import CallbackEvent, CallbackVerificationError, Hengfu, HengfuError, verify_callback

BASE, KEY, SECRET, NAME = (os.environ[name] for name in ("HENGFU_BASE", "HENGFU_KEY", "HENGFU_SECRET", "STORY_NAME"))
PATIENCE = 60

events: "queue.Queue[CallbackEvent]" = queue.Queue()
refused = 0


class Callbacks(BaseHTTPRequestHandler):
    def do_POST(self):
        global refused
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            events.put(verify_callback(SECRET, dict(self.headers), body))
            status = 204
        except CallbackVerificationError:
            refused += 1
            status = 401
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        pass


def expect(what, found, expected):
    if found != expected:
        sys.exit(f"{what}: {found!r} instead of {expected!r}")


def callback(kind, number):
    """Waits for a callback about a number of ours."""
    while True:
        event = events.get(timeout=PATIENCE)
        if event.type == kind and number in (event.data.get("out_trade_no"), event.data.get("out_refund_no")):
            return event


def until(read, status):
    """Looks something up until it has a status."""
    deadline = time.monotonic() + PATIENCE
    while True:
        found = read()
        if found["status"] == status:
            return found
        if time.monotonic() > deadline:
            sys.exit(f"still {found['status']}, not {status}")
        time.sleep(0.1)


def error_of(call):
    try:
        call()
    except HengfuError as error:
        return error
    sys.exit("a call succeeded that must not")


server = ThreadingHTTPServer(("127.0.0.1", 0), Callbacks)
threading.Thread(target=server.serve_forever, daemon=True).start()
notify_url = f"http://127.0.0.1:{server.server_address[1]}/callback"
hengfu = Hengfu(BASE, KEY, SECRET)

new_order = {"out_trade_no": f"{NAME}-order", "amount": "100.00", "currency": "CNY", "notifyUrl": notify_url}
order = hengfu.collections.create(new_order)
expect("the repeated order", hengfu.collections.create(new_order)["trade_no"], order["trade_no"])
print(json.dumps({"step": "pay", "cashierUrl": order["cashierUrl"], "notifyUrl": notify_url}), flush=True)

paid = callback("collection.paid", order["out_trade_no"])
expect("the paid order", (paid.data["status"], paid.data["trade_no"]), ("paid", order["trade_no"]))
found = until(lambda: hengfu.collections.find(order["out_trade_no"]), "success")
expect("the order by our number", hengfu.collections.get(order["trade_no"]), found)

new_refund = {"out_refund_no": f"{NAME}-refund", "trade_no": order["trade_no"], "amount": "30.00", "reason": "退一件"}
refund = hengfu.refunds.create(new_refund)
expect("the repeated refund", hengfu.refunds.create(new_refund)["refund_no"], refund["refund_no"])
callback("refund.succeeded", refund["out_refund_no"])
expect("the refund", hengfu.refunds.find(refund["out_refund_no"])["status"], "refunded")
too_much = {**new_refund, "out_refund_no": f"{NAME}-refund-2", "amount": "100.00"}
error = error_of(lambda: hengfu.refunds.create(too_much))
expect("the second refund", (error.code, error.status, error.details["left"]), ("refund_exceeds", 409, "70.00"))

payout = hengfu.payouts.create({
    "out_trade_no": f"{NAME}-payout",
    "amount": os.environ["STORY_PAYOUT"],
    "currency": "CNY",
    "channel": "CN_BANK",
    "payee": "王芳",
    "payeeAccount": "6222021234567890128",
    "bank": "ICBC",
    "bankName": "中国工商银行",
    "notifyUrl": notify_url,
})
callback("payout.processed", payout["out_trade_no"])
expect("the payout", hengfu.payouts.find(payout["out_trade_no"])["status"], "processed")

error = error_of(lambda: hengfu.collections.find(f"{NAME}-unknown"))
expect("an unknown number", (error.code, bool(error.request_id)), ("not_found", True))
expect("a wrong secret", error_of(Hengfu(BASE, KEY, "wrong").balance).code, "signature_invalid")

if os.environ.get("STORY_LISTS") == "1":
    orders = [each["trade_no"] for each, _ in zip(hengfu.collections.list(limit=1), range(3))]
    expect("the list", (orders[0], len(set(orders))), (order["trade_no"], 3))
    entry = next(hengfu.balance_entries.list(type=["payoutDeduction"], limit=1))
    expect("the newest deduction", entry["subject_no"], payout["trade_no"])
    expect("the newest settlement", next(hengfu.settlements.list(status=["settled"], limit=1))["status"], "settled")

server.shutdown()
print(json.dumps({
    "step": "done",
    "order": order["trade_no"],
    "refund": refund["refund_no"],
    "payout": payout["trade_no"],
    "refused": refused,
}))
