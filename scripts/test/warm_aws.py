"""A warm AWS CLI: a process that has it imported forks for each call.

The deploy scripts' tests call the AWS CLI a thousand times, and nearly all of a call's time goes into its start.
"""

from __future__ import annotations

import functools
import json
import os
import signal
import socket
import subprocess
import sys
import traceback
from pathlib import Path

# What stands for the AWS CLI on PATH: it hands its arguments, folder, environment and streams to a fork.
CALL = """#!{python} -IS
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as call:
    call.connect({address!r})
    socket.send_fds(call, [b"."], [0, 1, 2])
    call.sendall(json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ)]).encode() + b"\\n")
    sys.exit(int(call.recv(16) or 1))
"""


class WarmAws:
    """Runs in the background until it is stopped. `program` is called as the AWS CLI is."""

    def __init__(self, folder: Path) -> None:
        address = folder / "warm-aws.socket"
        self.program = folder / "warm-aws"
        self.program.write_text(CALL.format(python=sys.executable, address=str(address)))
        self.program.chmod(0o755)
        self._process = subprocess.Popen([sys.executable, __file__, str(address)], stdout=subprocess.PIPE)
        self._process.stdout.readline()  # it says so when it listens

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait()
        self._process.stdout.close()


def serve(address: str) -> None:
    import awscli.clidriver
    from botocore.loaders import JSONFileLoader

    # The descriptions of services are megabytes of JSON.
    load = functools.cache(functools.partial(JSONFileLoader.load_file, JSONFileLoader()))
    JSONFileLoader.load_file = lambda _, path: load(path)
    session = awscli.clidriver.create_clidriver().session
    for service in ("ec2", "iam", "lambda", "logs", "s3", "ssm", "sts"):
        session.get_service_model(service)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for forks
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(address)
        server.listen()
        print("listening", flush=True)
        while True:
            call, _ = server.accept()
            if os.fork() == 0:
                server.close()
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                run(call, awscli.clidriver.main)
            call.close()


def run(call: socket.socket, main) -> None:
    """In a fork: is the AWS CLI for one call."""
    status = 1
    try:
        _, streams, _, _ = socket.recv_fds(call, 1, 3)
        with call.makefile(encoding="utf-8") as line:
            arguments, folder, environment = json.loads(line.readline())
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        os.chdir(folder)
        environment.setdefault("AWS_DATA_PATH", os.environ["AWS_DATA_PATH"])  # which its import has set
        os.environ.clear()
        os.environ.update(environment)
        sys.argv = ["aws", *arguments]
        status = main()
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            call.sendall(str(status or 0).encode())
            os._exit(0)


if __name__ == "__main__":
    serve(sys.argv[1])
