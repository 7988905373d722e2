#!/usr/bin/env python3
"""
Runs a coordinator and agents in network namespaces of their own, on Linux, and checks what becomes of a run
when something breaks: in each case either all requests are accounted for, or what is missing is named, and nothing hangs. The load
goes over a second network, which stays up. Needs the jar, Java, ip and unshare, and for one case
sshd and root; what can't be done on a machine is skipped, and said.

    python3 scripts/test/agents.py                        # all of it, about four minutes
    python3 scripts/test/agents.py --only cut,killed
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import faults
from cluster import AHEAD, COORDINATOR, JAR, JAVA, TWO, Cluster, Place, Process, namespaces, networks, sh, under
from histogram import Histogram

THINK = "--think 10ms"
TIMED = f"-c 4 --phases 'peak=1 for 18s' {THINK}"


def equal(what: str, a: object, b: object) -> None:
    if a != b:
        raise AssertionError(f"{what}: {a} and {b}")


def lost(result: dict) -> list[str]:
    return [finding["text"] for finding in result["findings"] if finding["id"] == "agent-lost"]


def nothing_lost(cluster: Cluster) -> str:
    cluster.run.end(120)
    result = cluster.run.result()
    equal("lost", lost(result), [])
    equal("sent and served", result["totals"]["requests"], cluster.served())
    return f"{result['totals']['requests']} requests sent and served"


def clean(folder: Path) -> str:
    """All is accounted for, and an agent's clock is known within the bound."""
    cluster = Cluster(folder, f"-c 40 -n 100 --phases warmup=0.1,peak=1 {THINK}")
    try:
        text = nothing_lost(cluster)
        agents = cluster.run.result()["agents"]
        clock = next(agent["clocks"][-1] for agent in agents["members"] if agent["name"] == "two")
        off = abs(clock["offsetMs"] - AHEAD / 1e6)
        if not off <= clock["boundMs"]:
            raise AssertionError(f"the clock is {AHEAD / 1e6} ms ahead, and not {clock['offsetMs']} give or take {clock['boundMs']}")
        starts = ", ".join(f"{start['phase']} {start['spreadMs']:.2f} ± {start['errorMs']:.2f} ms" for start in agents["starts"])
        return f"{text}; clock off by {off:.3f} ms, bound {clock['boundMs']:.3f} ms; starts {starts}"
    finally:
        cluster.close()


def exact(folder: Path) -> str:
    """Four agents with clocks of their own and an asymmetric route: counts, percentiles and clocks are exact, and starts close together."""
    places = {"one": Place(2, AHEAD), "two": Place(3, 3_500_000), "three": Place(5, -3_500_000), "four": Place(6)}
    with faults.asymmetric(under(1), under(6), ("10.77.0.1", "10.77.0.6"), (0.005, 0)):
        return exactly(folder, places)


def exactly(folder: Path, places: dict[str, Place]) -> str:
    cluster = Cluster(folder, "-c 1000 -n 100 --phases peak=1 --engine events", agents=places)
    try:
        text = nothing_lost(cluster)
        result = cluster.run.result()
        equal("sent and asked", result["totals"]["requests"], 100_000)
        response = result["totals"]["response"]
        samples = Histogram()
        for agent in cluster.agents.values():
            samples.add_log(next((agent.folder / "results").iterdir()) / "latency.hlog", "response")
        for share, figure in ((50, "p50Ms"), (90, "p90Ms"), (95, "p95Ms"), (99, "p99Ms"), (99.9, "p999Ms")):
            equal(figure, response[figure], samples.percentile(share))
        worst = 0.0
        for member in result["agents"]["members"]:
            for clock in member["clocks"]:
                off = abs(clock["offsetMs"] - places[member["name"]].ahead / 1e6)
                worst = max(worst, off / clock["boundMs"])
        if worst > 1:
            raise AssertionError(f"a clock is further off than its bound: {worst:.2f} ×")
        start = result["agents"]["starts"][0]
        return (f"{text}; p50 to p99.9 are those of one histogram of {samples.total}; clocks are off by {100 * worst:.0f} % of their bounds at most;"
                f" started within {start['spreadMs']:.2f} ± {start['errorMs']:.2f} ms")
    finally:
        cluster.close()


def killed(folder: Path, option: str = "") -> str:
    """An agent that is killed is named, and so is what is missing."""
    cluster = Cluster(folder, f"-c 4 --phases 'peak=1 for 8s' {THINK} {option}", agent=option)
    try:
        cluster.peak()
        cluster.agents["two"].kill(signal.SIGKILL)
        took = cluster.run.says("agent two is lost: it isn't running any more", 10)
        equal("exit code", cluster.run.end(), 4)
        result = cluster.run.result()
        equal("lost", len(lost(result)), 1)
        missing, served = cluster.served() - result["totals"]["requests"], result["totals"]["requests"]
        if not 0 <= missing < served / 4:
            raise AssertionError(f"{missing} requests more were served than {served}")
        return f"named after {took:.1f} s; {lost(result)[0]}"
    finally:
        cluster.close()


def messages(folder: Path, peak: int, options: str = "") -> Cluster:
    """Messages from agent to agent, between clocks hours apart."""
    return Cluster(folder, f"--pairs 8 --rate '200 messages/s' --phases 'warmup=1 for 4s,peak=1 for {peak}s' --timeout 2s"
                           f" --subscribers-on other-agent {options}", of="'ws://10.78.0.4:8080/rooms/{pair}'")


def receivers(folder: Path) -> str:
    """Messages from agent to agent: all are delivered until one is killed, and what is lost with it has that cause."""
    cluster = messages(folder, 10)
    try:
        cluster.peak()
        cluster.agents["two"].kill(signal.SIGKILL)
        equal("exit code", cluster.run.end(), 4)
        warmup, peak = cluster.run.result()["phases"]
        equal("sent and delivered before", warmup["requests"], warmup["succeeded"])
        equal("sent, and delivered or lost", peak["requests"], peak["succeeded"] + sum(peak["failures"].values()))
        equal("causes", set(peak["failures"]), {"lost: receiver gone with its agent"})
        clocks = warmup["messages"]["clocks"]
        return f"{warmup['requests']} delivered, give or take {clocks['bound']['maxMs']:.2f} ms; then {peak['failures']}"
    finally:
        cluster.close()


def receivers_cut(folder: Path) -> str:
    """The link of an agent with receivers is cut for 8 s: what they received meanwhile is told later, and nothing is lost."""
    cluster = messages(folder, 18)
    try:
        cluster.peak()
        sh("ip link set c3 down")
        took = cluster.run.says("agent two can't be reached", 12)
        time.sleep(max(0.0, 8 - took))
        sh("ip link set c3 up")
        cluster.run.says("agent two is back", 20)
        cluster.run.end()
        result = cluster.run.result()
        equal("lost", lost(result), [])
        totals = result["totals"]
        equal("sent and delivered", totals["requests"], totals["succeeded"])
        return f"{totals['requests']} sent and delivered"
    finally:
        cluster.close()


def receivers_apart(folder: Path) -> str:
    """Agents lose the way to each other, but not to the coordinator: they give up their pairs and say so, and each message is delivered or lost with that cause."""
    cluster = messages(folder, 10, "--agents-timeout 10s")
    try:
        cluster.peak()
        with strangers_to_each_other():
            cluster.run.says(r"agent \w+ couldn't reach agent \w+ for too long", 60)
            start = time.monotonic()
            cluster.run.end()
            took = time.monotonic() - start
        result = cluster.run.result()
        warmup, peak = result["phases"]
        equal("sent and delivered before", warmup["requests"], warmup["succeeded"])
        equal("sent, and delivered or lost", peak["requests"], peak["succeeded"] + sum(peak["failures"].values()))
        equal("causes", set(peak["failures"]), {"lost: receiver gone with its agent"})
        return f"ended {took:.1f} s after they gave up; {peak['requests']} sent, {peak['failures']}"
    finally:
        cluster.close()


def frozen(folder: Path) -> str:
    """An agent that is stopped for three seconds isn't lost."""
    cluster = Cluster(folder, f"-c 4 --phases 'peak=1 for 8s' {THINK}")
    try:
        cluster.peak()
        cluster.agents["two"].kill(signal.SIGSTOP)
        time.sleep(3)
        cluster.agents["two"].kill(signal.SIGCONT)
        text = nothing_lost(cluster)
        cluster.run.says("agent two is back")
        return text
    finally:
        cluster.close()


def interrupted(folder: Path, cut: str, mend: str, agent: str = "", run: str = "") -> str:
    cluster = Cluster(folder, f"{TIMED} {run}", agent)
    try:
        cluster.peak()
        if TUNNEL in agent:
            equal("ports of agents", [sockets(host) for host in (2, 3)], ["", ""])
        sh(cut)
        took = cluster.run.says("agent two can't be reached", 12)
        time.sleep(max(0.0, 8 - took))
        sh(mend)
        back = cluster.run.says("agent two is back", 20)
        return f"{nothing_lost(cluster)}; named after {took:.1f} s, back {back:.1f} s after the link"
    finally:
        cluster.close()


def cut(folder: Path) -> str:
    """A link that is cut for 8 s delivers what was measured meanwhile."""
    return interrupted(folder, "ip link set c3 down", "ip link set c3 up")


def blackhole(folder: Path) -> str:
    """The same for a route that loses one direction."""
    route = "ip -n h3 route {} blackhole 10.77.0.1/32"
    return interrupted(folder, route.format("add"), route.format("del"))


TUNNEL = "--cluster-tunnel"


def sockets(host: int) -> str:
    """The TCP ports where somebody listens."""
    return subprocess.run([*under(host), "ss", "-Htln"], capture_output=True, check=True, text=True).stdout


@contextlib.contextmanager
def strangers_to_each_other() -> Iterator[None]:
    """Agents have no way to each other."""
    apart = "ip -n h2 route {0} blackhole 10.77.0.3/32 && ip -n h3 route {0} blackhole 10.77.0.2/32"
    sh(apart.format("add"))
    try:
        yield
    finally:
        sh(apart.format("del"))


def tunnel(folder: Path) -> str:
    """Agents that nobody can connect to reach the coordinator, with keys of their own; a link that is cut delivers what was measured meanwhile."""
    subprocess.run([JAVA, "-jar", str(JAR), "agent", "--init", folder / "keys"], check=True, capture_output=True)
    keys = f"{TUNNEL} --cluster-secret-file {folder}/keys/secret --cluster-keys {folder}/keys"
    with strangers_to_each_other():
        return interrupted(folder, "ip link set c3 down", "ip link set c3 up", f"{keys}/agent.p12", f"{keys}/coordinator.p12")


def tunnel_killed(folder: Path) -> str:
    """There, too, an agent that is killed is named."""
    with strangers_to_each_other():
        return killed(folder, TUNNEL)


def without_coordinator(folder: Path, policy: str, load: str) -> tuple[int, int, float]:
    cluster = Cluster(folder, load, agent=f"--on-coordinator-loss {policy}")
    try:
        cluster.peak()
        cluster.run.kill(signal.SIGKILL)
        start = time.monotonic()
        for agent in cluster.agents.values():
            agent.says("Results: ")
        took = time.monotonic() - start
        equal("exit codes", [agent.end() for agent in cluster.agents.values()], [1, 1])
        folders = [next((agent.folder / "results").iterdir()) for agent in cluster.agents.values()]
        merge = cluster.start(1, "merge", f"merge {folders[0]} {folders[1]} -o out")
        merge.end()
        return merge.result()["totals"]["requests"], cluster.served(), took
    finally:
        cluster.close()


def coordinator(folder: Path) -> str:
    """Without their coordinator agents stop, and merge makes the result of their folders."""
    merged, served, took = without_coordinator(folder, "stop", TIMED)
    equal("merged and served", merged, served)
    return f"{merged} requests merged and served; agents had stopped after {took:.1f} s"


def finish(folder: Path) -> str:
    """Or they go on with their own parts."""
    merged, served, _ = without_coordinator(folder, "finish", f"-c 4 -n 500 --phases peak=1,more=0.5 {THINK}")
    equal("merged and asked", merged, 4 * 500 + 2 * 500)
    equal("merged and served", merged, served)
    return f"{merged} requests merged and served"


def full(folder: Path) -> str:
    """An agent whose disk is full has told the coordinator of everything."""
    disk = folder / "disk"
    disk.mkdir()
    sh(f"mount -t tmpfs -o size=32k none {disk}")
    phases = ",".join(f"p{i}=1" for i in range(30))
    cluster = Cluster(folder, f"-c 4 -n 5 --phases {phases} {THINK}", agents=TWO | {"two": Place(3, AHEAD, f"--out {disk}")})
    try:
        text = nothing_lost(cluster)
        cluster.agents["two"].says("No space left on device")
        equal("exit codes", [agent.end() for agent in cluster.agents.values()], [0, 1])
        return text
    finally:
        cluster.close()


def strangers(folder: Path) -> str:
    """An agent with another secret isn't let in and says why once; another coordinator at the same place is refused in one line."""
    cluster = Cluster(folder, f"-c 4 --phases 'peak=1 for 10s' {THINK}")
    try:
        cluster.peak()
        other = folder / "secret"
        other.write_text("another secret than theirs\n")
        agent = cluster.start(3, "stranger", f"agent --coordinator {COORDINATOR} --cluster-secret-file {other} --name x")
        agent.says("can't join")
        second = cluster.start(1, "second", f"run --agents 2 --listen {COORDINATOR} --url http://10.78.0.4:8080/ -o out")
        if second.end() == 0 or f"--listen {COORDINATOR}" not in second.text():
            raise AssertionError(second.text())
        equal("agent", agent.process.poll(), None)
        equal("output", agent.text().splitlines()[1:], [f"Agent x can't join {COORDINATOR} yet: the coordinator has another secret or other keys."])
        return f"{nothing_lost(cluster)}; refused: {second.text().splitlines()[-1]}"
    finally:
        cluster.close()


def many(folder: Path) -> str:
    """Fifty agents, each a small JVM of its own, with ten operations: what adding up their seconds costs the coordinator."""
    target = Process(folder, 4, "target", "serve --address 10.78.0.4 --port 8080")
    operations = " ".join(f"--get /?{i}" for i in range(10))
    run = None
    try:
        target.says("http://")
        start = time.monotonic()
        run = Process(folder, 4, "run", "run --agents local:50 --agents-timeout 5m --url http://10.78.0.4:8080/ -c 100 --think 100ms"
                                        f" --phases 'peak=1 for 30s' --out out {operations}",
                      jvm="-Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1")  # agents on this machine have the same
        run.says(r"(?s)(?:(?:(?! has joined\.).)* has joined\.){50}", 300)
        joined = time.monotonic() - start
        run.says("PEAK phase: All threads", 120)
        pid = (run.folder / "pid").read_text().strip()
        before = cpu_seconds(pid)
        time.sleep(20)
        used = (cpu_seconds(pid) - before) / 20
        memory = next(line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmRSS"))
        run.end(120)
        result = run.result()
        equal("agents", len(result["agents"]["members"]), 50)
        equal("lost", lost(result), [])
        return f"joined after {joined:.1f} s; the coordinator used {100 * used:.1f} % of a CPU, {memory}; {result['totals']['requests']} requests"
    finally:
        for process in (run, target):
            if process is not None:
                process.process.kill()
                process.process.wait()


def cpu_seconds(pid: str) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def ssh(folder: Path) -> str:
    """Agents that are started by ssh, with an sshd on each of their hosts; the jar is copied once."""
    sshd = shutil.which("sshd", path=os.environ["PATH"] + ":/usr/sbin")
    if sshd is None or os.environ[namespaces.INSIDE] != "root":
        return "skipped: needs sshd, and root"
    sh(f"mkdir -p /run/sshd && cd {folder} && mkdir bin && ssh-keygen -q -t ed25519 -N '' -f key && ssh-keygen -q -t ed25519 -N '' -f host")
    (folder / "config").write_text(f"IdentityFile {folder}/key\nUserKnownHostsFile /dev/null\nStrictHostKeyChecking no\nLogLevel ERROR\n")
    wrapper = folder / "bin" / "ssh"
    wrapper.write_text(f'#!/bin/sh\nexec {shutil.which("ssh")} -F {folder}/config "$@"\n')
    wrapper.chmod(0o755)
    servers = []
    for host in (2, 3):
        home = folder / f"home{host}"
        home.mkdir()
        config = folder / f"sshd{host}"
        config.write_text(f"""
            HostKey {folder}/host
            AuthorizedKeysFile {folder}/key.pub
            PermitRootLogin yes
            StrictModes no
            UsePAM no
            PidFile none
            ForceCommand cd {home} && HOME={home} PATH={Path(shutil.which(JAVA)).resolve().parent}:$PATH exec sh -c "$SSH_ORIGINAL_COMMAND"
            """)
        servers.append(subprocess.Popen(["ip", "netns", "exec", f"h{host}", sshd, "-D", "-f", str(config)]))
    cluster = Cluster.__new__(Cluster)
    cluster.folder, cluster.all = folder, []
    try:
        cluster.target = cluster.start(4, "target", "serve --address 10.78.0.4 --port 8080")
        cluster.target.says("http://")
        copied = []
        for number in (1, 2):
            cluster.run = Process(folder, 1, f"run{number}", f"run --agents ssh:10.77.0.2,root@10.77.0.3 --listen {COORDINATOR}"
                                  " --url http://10.78.0.4:8080/ --get / -c 4 -n 50 --think 40ms --phases peak=1 --out out", path=f"{folder}/bin:")
            cluster.all.append(cluster.run)
            cluster.run.says("PEAK phase: All threads", 120)
            lines = subprocess.run(["ps", "-eo", "args"], capture_output=True, check=True, text=True).stdout
            equal("agents in ps", len(re.findall(r"^java .* agent ", lines, re.MULTILINE)), 2)
            equal("secrets in ps", re.findall(r"phaseload-[\w-]{43}(?![\w.-])", lines), [])
            equal("exit code", (cluster.run.end(120), cluster.run.text()[-800:] if cluster.run.process.returncode else ""), (0, ""))
            copied.append(cluster.run.text().count("Copying the jar to "))
        equal("copied", copied, [2, 0])
        equal("sent and served", 2 * cluster.run.result()["totals"]["requests"], cluster.served())
        nobody = Process(folder, 1, "nobody", f"run --agents ssh:10.77.0.2,10.77.0.9 --agents-timeout 8s --listen {COORDINATOR}"
                         " --url http://10.78.0.4:8080/ --get / --out out", path=f"{folder}/bin:")
        cluster.all.append(nobody)
        equal("exit code without one host", nobody.end(120), 1)
        if not re.search(r"still missing: .*10\.77\.0\.9 ", nobody.text()):
            raise AssertionError(nobody.text())
        left = [str(path.name) for host in (2, 3) for path in (folder / f"home{host}" / ".cache/phaseload").iterdir()]
        return f"400 requests sent and served; left on the hosts: {', '.join(sorted(left))}"
    finally:
        cluster.close()
        for server in servers:
            server.terminate()
            server.wait()


CASES = (clean, exact, killed, receivers, receivers_cut, receivers_apart, frozen, cut, blackhole, tunnel, tunnel_killed, coordinator, finish, full, strangers, ssh, many)


def main() -> int:
    names = ",".join(case.__name__ for case in CASES)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=names, help=names)
    options = parser.parse_args()
    wanted = options.only.split(",")
    if unknown := set(wanted) - set(names.split(",")):
        parser.error(f"--only {','.join(sorted(unknown))}: expected some of {names}")
    if not namespaces.enter([sys.executable, __file__, *sys.argv[1:]]):
        print("skipped: this machine has no namespaces for users, or no ip")
        return 0
    networks()
    wrong = 0
    for case in CASES:
        if case.__name__ in wanted:
            with tempfile.TemporaryDirectory(prefix="phaseload-agents-", ignore_cleanup_errors=True) as folder:
                start = time.monotonic()
                try:
                    said, right = case(Path(folder)), "ok   "
                except (AssertionError, OSError, StopIteration, AttributeError, subprocess.SubprocessError) as e:
                    said, right = f"{type(e).__name__}: {e}", "WRONG"
                    wrong += 1
                print(f"{right} {case.__name__:13} {time.monotonic() - start:5.1f} s  {said}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
