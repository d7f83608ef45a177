#!/usr/bin/env python3
"""One order from its price to its webhook, with nothing but Python's standard library (3.9 or newer).

The account is that of API_URL, API_KEY and API_SECRET, else `demo` on the stack of `npm start`.
"""
import base64
import hashlib
import hmac
import json
import os
import pathlib
import queue
import random
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

FINAL = ("DELIVERED", "FAILED", "CANCELLED")


class ApiError(Exception):
    """An error response of the service. Branch on `code`."""

    def __init__(self, status, error):
        super().__init__(f"{status} {error.get('code', '')}: {error.get('message', '')}")
        self.status, self.code = status, error.get("code", "")


class Client:
    def __init__(self, url, key, secret):
        self.url = url.rstrip("/")
        login = self.call("POST", "/auth/login", {"username": key, "password": secret})
        # Valid for an hour. A program that runs longer logs in again after a 401.
        self.token = login["data"]["access_token"]

    token = None

    def call(self, method, path, body=None, timeout=15, **headers):
        """Sends one request. Raises ApiError if the service rejects it, OSError if there is no response."""
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        data = None if body is None else json.dumps(body).encode()
        if data:
            headers["Content-Type"] = "application/json"
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        request = urllib.request.Request(self.url + path, data, names, method=method)
        try:
            with urllib.request.urlopen(request, timeout=timeout) as response:
                text = response.read()
                if response.headers.get_content_type() == "text/csv":
                    return text.decode()
                return json.loads(text) if text else None
        except urllib.error.HTTPError as rejection:
            try:
                error = json.loads(rejection.read()).get("error", {})
            except ValueError:
                error = {}
            raise ApiError(rejection.code, error) from None

    def create_order(self, path, body):
        """Places the order once: every attempt has the same key and the same reference."""
        body = {"client_reference": str(uuid.uuid4()), **body}
        key = str(uuid.uuid4())
        # A real shop stores both before the first attempt, so that it can continue after a crash.
        for attempt in range(7):
            try:
                return self.call("POST", path, body, timeout=75, Idempotency_Key=key)
            except ApiError as error:
                is_temporary = error.status in (429, 502, 503, 504) or error.code == "IDEMPOTENCY_KEY_IN_USE"
                if not is_temporary:
                    raise
            except OSError:
                pass  # The response is lost. The order may exist: the next attempt with the same key shows it.
            time.sleep(min(8, 2**attempt / 2) * random.uniform(0.5, 1))
        raise RuntimeError(f"Unknown outcome: look up client_reference {body['client_reference']}")

    def wait_for_order(self, path, order, seconds=120):
        """Polls until the order has ended."""
        until = time.monotonic() + seconds
        while order["status"] not in FINAL:
            if time.monotonic() > until:
                raise TimeoutError(f"Order {order['id']} is {order['status']}")
            time.sleep(5)
            order = self.call("GET", f"{path}/{order['id']}", timeout=30)
        return order


def verify(secret, headers, body):
    """Whether a webhook is from the service. `body`: the received bytes, unchanged."""
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > 300:
        return False
    key = base64.b64decode(secret[len("whsec_") :])
    content = f"{headers.get('webhook-id', '')}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
    signatures = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(signature, expected) for signature in signatures)


def receiver(deliveries):
    """A local server that puts each received webhook into the queue."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            deliveries.put((dict(self.headers.items()), body))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def account():
    """A client of the account. Ends with one sentence if there is none."""
    given = [os.environ.get(name) for name in ("API_URL", "API_KEY", "API_SECRET")]
    if all(given):
        return Client(*given)
    here = pathlib.Path.cwd()
    files = [folder / ".run" / "stack.json" for folder in (here, *here.parents)]
    file = next((file for file in files if file.exists()), None)
    if file is None:
        raise SystemExit("Set API_URL, API_KEY and API_SECRET, or start a stack with npm start.")
    stack = json.loads(file.read_text())
    demo = stack["clients"]["demo"]
    return Client(stack["api_url"], demo["api_key"], demo["api_secret"])


def run(program):
    """Runs the program. Ends with one sentence if the service rejects a call or cannot be reached."""
    try:
        program()
    except ApiError as error:
        raise SystemExit(f"The service rejected a call: {error}")
    except OSError as problem:
        raise SystemExit(f"The service cannot be reached: {problem}")


def main():
    client = account()
    deliveries = queue.Queue()
    server = receiver(deliveries)
    url = f"http://127.0.0.1:{server.server_port}/hook"
    endpoint = client.call("POST", "/api/v1/webhooks/endpoints", {"url": url, "event_types": ["order.delivered"]})
    try:
        search = urllib.parse.quote("sandbox delayed")
        product = client.call("GET", f"/api/v1/products?search={search}")[0]
        item = {"denomination": product["available_denominations"][0]["min_value"], "quantity": 1}
        price = client.call("POST", f"/api/v1/products/{product['id']}/charges", item)
        print(f"{product['name']} costs {price['total_payable']}")

        # Rejected with PRICE_CHANGED if it costs more by now: show the new price, and ask again.
        limit = {"max_total_payable": price["total_payable"]}
        order = client.create_order("/api/v1/orders", {"product_id": product["id"], **item, **limit})
        print(f"Order {order['id']} is {order['status']}")
        order = client.wait_for_order("/api/v1/orders", order)
        print(f"Order {order['id']} is {order['status']} with {len(order['vouchers'])} voucher")

        while True:
            headers, body = deliveries.get(timeout=30)
            if not verify(endpoint["secret"], {name.lower(): value for name, value in headers.items()}, body):
                raise SystemExit("A webhook is not from the service")
            event = json.loads(body)
            if event["type"] == "order.delivered" and event["data"]["id"] == order["id"]:
                print(f"Webhook {event['type']} verified")
                break
    finally:
        client.call("DELETE", f"/api/v1/webhooks/endpoints/{endpoint['id']}")
        server.shutdown()


if __name__ == "__main__":
    run(main)
