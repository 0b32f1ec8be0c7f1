#!/usr/bin/python3
"""Hands the leadership over before a full disk stops it.

PostgreSQL with a full disk may refuse every write for hours and still look healthy to Patroni. This guard keeps a reserve
beside the data. When free space runs out, it deletes the reserve, so that PostgreSQL can shut down in order, and asks Patroni
for a switchover. It recreates the reserve once there is space again. It hands over once in ten minutes: the machines hold the
same data, so their disks may fill together, and would pass the leadership around all the time.

    disk-guard.py /etc/patroni/config.yml
"""
import json
import os
import sys
import time
import urllib.error
import urllib.request
from base64 import b64encode

import yaml

RESERVE_BYTES = 64 << 20
LEAST_FREE_BYTES = 32 << 20
CHECK_SECONDS = 1
RETRY_SECONDS = 5
REST_SECONDS = 600


def main(config_path):
    with open(config_path) as file:
        config = yaml.safe_load(file)
    folder = os.path.dirname(config["postgresql"]["data_dir"])
    reserve = os.path.join(folder, "disk-guard.reserve")
    ask_at = 0.0
    while True:
        free = free_bytes(folder)
        if free < LEAST_FREE_BYTES and os.path.exists(reserve):
            os.unlink(reserve)
            print(f"{folder} has {free} bytes left: the reserve is released", flush=True)
        elif not os.path.exists(reserve) and free > RESERVE_BYTES + 2 * LEAST_FREE_BYTES:
            make_reserve(reserve)
        # Without its reserve, a machine is not fit to lead, unless the others are not fit either.
        if os.path.exists(reserve):
            ask_at = 0.0
        elif time.monotonic() > ask_at and leads(config):
            is_done, answer = hand_over(config)
            ask_at = time.monotonic() + (REST_SECONDS if is_done else RETRY_SECONDS)
            print(f"switchover: {answer}", flush=True)
        time.sleep(CHECK_SECONDS)


def free_bytes(folder):
    state = os.statvfs(folder)
    return state.f_bavail * state.f_frsize


def make_reserve(path):
    descriptor = os.open(path, os.O_CREAT | os.O_WRONLY, 0o600)
    try:
        os.posix_fallocate(descriptor, 0, RESERVE_BYTES)
    except OSError as error:
        os.unlink(path)
        print(f"no reserve: {error}", flush=True)
    finally:
        os.close(descriptor)


def leads(config):
    try:
        return call(config, "/primary").status == 200
    except OSError:
        return False


def hand_over(config):
    """Asks for a switchover. Returns whether it was done, and the answer."""
    body = json.dumps({"leader": config["name"]}).encode()
    try:
        return True, call(config, "/switchover", body).read().decode()
    except urllib.error.HTTPError as error:
        return False, f"{error.code} {error.read().decode()}"
    except OSError as error:
        return False, str(error)


def call(config, path, body=None):
    api = config["restapi"]
    account = api["authentication"]
    token = b64encode(f"{account['username']}:{account['password']}".encode()).decode()
    request = urllib.request.Request(f"http://{api['connect_address']}{path}", data=body)
    request.add_header("Authorization", f"Basic {token}")
    # A switchover answers when it is over.
    return urllib.request.urlopen(request, timeout=30 if body else 2)


if __name__ == "__main__":
    main(sys.argv[1])
