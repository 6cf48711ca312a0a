"""Alertmanager's webhooks in, one line per alert out: `pager firing McpErrorBudgetBurn {...}`."""

import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Receiver(BaseHTTPRequestHandler):
    """Stands where a pager, a ticket queue and a channel would."""

    def do_POST(self) -> None:
        """Print what Alertmanager says."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        for alert in body["alerts"]:
            labels = dict(alert["labels"])
            name = labels.pop("alertname")
            line = f"{self.path[1:]} {alert['status']} {name} {json.dumps(labels, sort_keys=True)}\n"
            sys.stdout.write(line)
        sys.stdout.flush()
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing else."""


if __name__ == "__main__":
    address = os.environ.get("HOST", "127.0.0.1"), int(sys.argv[1])
    with ThreadingHTTPServer(address, Receiver) as server:
        server.serve_forever()
