package io.phaseload.host;

import static io.phaseload.host.DeltaFormula.connections;
import static io.phaseload.host.DeltaFormula.cpu;
import static io.phaseload.host.DeltaFormula.drops;
import static io.phaseload.host.DeltaFormula.gauge;
import static io.phaseload.host.DeltaFormula.link;
import static io.phaseload.host.DeltaFormula.linkSpeed;
import static io.phaseload.host.DeltaFormula.mostOfACpu;
import static io.phaseload.host.DeltaFormula.pool;
import static io.phaseload.host.DeltaFormula.pressure;
import static io.phaseload.host.DeltaFormula.rate;
import static io.phaseload.host.DeltaFormula.runQueue;
import static io.phaseload.host.DeltaFormula.saturatedCpus;
import static io.phaseload.host.DeltaFormula.share;
import static io.phaseload.host.DeltaFormula.sockets;
import static io.phaseload.host.DeltaFormula.tcp;
import static io.phaseload.host.DeltaFormula.ticks;
import static io.phaseload.host.DeltaFormula.traffic;
import static io.phaseload.host.linux.SocketState.CLOSE_WAIT;
import static io.phaseload.host.linux.SocketState.CLOSING;
import static io.phaseload.host.linux.SocketState.ESTABLISHED;
import static io.phaseload.host.linux.SocketState.FIN_WAIT_1;
import static io.phaseload.host.linux.SocketState.FIN_WAIT_2;
import static io.phaseload.host.linux.SocketState.LAST_ACK;
import static io.phaseload.host.linux.SocketState.SYN_SENT;

import io.phaseload.host.linux.CpuStat;
import io.phaseload.host.linux.CpuTicks;
import io.phaseload.host.linux.Memory;
import io.phaseload.host.linux.PortRange;
import io.phaseload.host.linux.Sockets;
import io.phaseload.host.linux.Softnet;
import io.phaseload.host.linux.Traffic;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A number that is made of two samples. Its name ends in its unit: {@code Percent} is 0 to 100, {@code MsPerSecond}
 * milliseconds in a second.
 */
public enum HostFigure {
    /** CPU time of the process, of all that it may use. */
    CPU("cpuPercent", "the JVM", cpu()),
    /** CPU time in which anything of the machine ran, of the CPUs that the process may use. */
    MACHINE_CPU("machineCpuPercent", "/proc/stat", ticks(CpuTicks::busy)),
    /** The same of that CPU which was busiest. */
    BUSIEST_CPU("busiestCpuPercent", "/proc/stat", mostOfACpu(CpuTicks::busy)),
    /** How many of these CPUs were busy for 95 % of the time or more. */
    SATURATED_CPUS("saturatedCpus", "/proc/stat", saturatedCpus()),
    /** Time in which a CPU handled interrupts, such as those for packets: of the worst of them. */
    INTERRUPTS("busiestCpuInterruptsPercent", "/proc/stat", mostOfACpu(CpuTicks::interrupts)),
    /** CPU time that the hypervisor gave to other machines. */
    STOLEN("stolenPercent", "/proc/stat", ticks(CpuTicks::stolen)),
    /** Time that the threads waited for a CPU, all together. */
    RUN_QUEUE(
            "runQueueMsPerSecond",
            "/proc/self/task/*/schedstat",
            runQueue(wait -> wait.total().toNanos() / 1e6, true)),
    /** The mean of one such wait. */
    RUN_QUEUE_MEAN(
            "runQueueMeanMs",
            "/proc/self/task/*/schedstat",
            runQueue(wait -> wait.mean().toNanos() / 1e6, false)),
    /** Time that the control group's limit kept threads from running, of all CPUs together. */
    THROTTLED(
            "throttledMsPerSecond",
            "cpu.stat of a control group with a limit",
            rate(sample -> sample.process().throttledNanos(), 1e6)),
    /** Time in which a task of the machine waited for a CPU. */
    CPU_PRESSURE("cpuPressurePercent", "/proc/pressure/cpu", pressure("cpu")),
    /** Time in which a task of the machine waited for memory. */
    MEMORY_PRESSURE("memoryPressurePercent", "/proc/pressure/memory", pressure("memory")),
    /** Time in which a task of the machine waited for a disk. */
    IO_PRESSURE("ioPressurePercent", "/proc/pressure/io", pressure("io")),
    /** How often CPUs of the machine went from one thread to another. */
    CONTEXT_SWITCHES(
            "contextSwitchesPerSecond",
            "/proc/stat",
            rate(sample -> sample.machine().cpu().flatMap(CpuStat::contextSwitches), 1)),
    /** Time in stop-the-world garbage collections. */
    GC("gcMsPerSecond", "the JVM", rate(sample -> Optional.of(sample.process().gcMillis()), 1)),
    /** Time in which the JVM had stopped all threads, for collections and whatever else. */
    SAFEPOINTS(
            "safepointMsPerSecond",
            "the JVM's performance data",
            rate(sample -> sample.process().safepointNanos(), 1e6)),
    /** The part of the heap that is in use, garbage included. */
    HEAP("heapMiB", "the JVM", gauge(sample -> Optional.of(sample.process().heapBytes()), 1 << 20)),
    /** The memory of the process that is in RAM. */
    RESIDENT(
            "residentMiB", "/proc/self/status", gauge(sample -> sample.process().residentKib(), 1 << 10)),
    /** Memory of the machine that programs can't have any more. */
    MEMORY(
            "memoryUsedPercent",
            "/proc/meminfo",
            share(
                    sample -> sample.machine().memory().map(Memory::usedKib),
                    sample -> sample.machine().memory().map(Memory::totalKib))),
    /** Time in which the process stood still, as far as it was late by 5 ms or more. */
    STALL(
            "stallMsPerSecond",
            "the hiccup meter",
            rate(sample -> sample.measured().map(Measured::stalledNanos), 1e6)),
    /** By how much a thread that only sleeps woke up late, at most. */
    HICCUP(
            "longestHiccupMs",
            "the hiccup meter",
            gauge(sample -> sample.measured().map(Measured::longestNanos), 1e6)),
    /** How late the latest event loop was, as far as it was late by 10 ms or more. */
    LOOP_LAG(
            "loopLagMsPerSecond",
            "event loops",
            rate(sample -> sample.measured().flatMap(Measured::lateLoopNanos), 1e6)),
    /** Connections of the client's pool that a user had. */
    POOL_LEASED("poolLeased", "a client with a pool", pool(PoolUse::leased)),
    /** Open connections of the pool that nobody had. */
    POOL_AVAILABLE("poolAvailable", "a client with a pool", pool(PoolUse::available)),
    /** Users that waited for a connection of the pool. */
    POOL_PENDING("poolPending", "a client with a pool", pool(PoolUse::pending)),
    /** Files and sockets that the process had open. */
    OPEN_FILES("openFiles", "the JVM", gauge(sample -> sample.process().openFiles(), 1)),
    /** The same of all that it may have. */
    OPEN_FILES_SHARE(
            "openFilesPercent", "the JVM", share(sample -> sample.process().openFiles(), sample -> sample.process()
                    .mostOpenFiles())),
    /** Connections of the network namespace. */
    ESTABLISHED_SOCKETS("socketsEstablished", "/proc/net/tcp", sockets(ESTABLISHED)),
    /** Connections that were being made by this end. */
    CONNECTING_SOCKETS("socketsSynSent", "/proc/net/tcp", sockets(SYN_SENT)),
    /** Connections that the peer has closed, and this end hasn't. */
    HALF_CLOSED_SOCKETS("socketsCloseWait", "/proc/net/tcp", sockets(CLOSE_WAIT)),
    /** Connections that this end has closed, and the peer hasn't, or hasn't acknowledged that. */
    CLOSING_SOCKETS("socketsClosing", "/proc/net/tcp", sockets(FIN_WAIT_1, FIN_WAIT_2, CLOSING, LAST_ACK)),
    /** Connections of clients over which 16 KiB or more were on their way, or waited to be sent. */
    SENDING_SOCKETS(
            "socketsSending",
            "/proc/net/tcp",
            gauge(sample -> sample.network().sockets().map(Sockets::sending), 1)),
    /** Connections that have ended, and whose ports are kept for a minute. */
    TIME_WAIT_SOCKETS(
            "socketsTimeWait",
            "/proc/net/sockstat",
            gauge(sample -> sample.network().timeWait(), 1)),
    /** Local ports of the range for outgoing connections that sockets of any kind take up. */
    PORTS(
            "portsUsed",
            "/proc/net/tcp",
            gauge(sample -> sample.network().sockets().map(Sockets::ports), 1)),
    /** The same of the whole range. */
    PORTS_SHARE(
            "portsUsedPercent",
            "/proc/net/tcp",
            share(
                    sample -> sample.network().sockets().map(Sockets::ports),
                    sample -> sample.network().portRange().map(PortRange::size))),
    /** Until a segment was acknowledged: the mean of some connections. */
    CONNECTION_RTT(
            "connectionRttMs",
            "TCP_INFO",
            connections(TcpConnection::rttMicros, LongSummaryStatistics::getAverage, 1e3)),
    /** The same of the slowest of them. */
    CONNECTION_LONGEST_RTT(
            "connectionLongestRttMs",
            "TCP_INFO",
            connections(TcpConnection::rttMicros, LongSummaryStatistics::getMax, 1e3)),
    /** Segments that such a connection has sent again since it was made, on average. */
    CONNECTION_RETRANSMITS(
            "connectionRetransmits",
            "TCP_INFO",
            connections(TcpConnection::retransmits, LongSummaryStatistics::getAverage, 1)),
    /** The least number of segments that congestion control lets one of them have on their way. */
    CONNECTION_WINDOW(
            "connectionSmallestWindow",
            "TCP_INFO",
            connections(TcpConnection::windowSegments, LongSummaryStatistics::getMin, 1)),
    /** Connections that were begun by this end. */
    TCP_CONNECTS("tcpConnectsPerSecond", "/proc/net/snmp", tcp("ActiveOpens")),
    /** Connections that failed while they were being made. */
    TCP_FAILED_CONNECTS("tcpFailedConnectsPerSecond", "/proc/net/snmp", tcp("AttemptFails")),
    /** Connections that a reset ended, from either end. */
    TCP_RESETS("tcpResetsPerSecond", "/proc/net/snmp", tcp("EstabResets")),
    /** Resets that were sent. */
    TCP_RESETS_SENT("tcpResetsSentPerSecond", "/proc/net/snmp", tcp("OutRsts")),
    /** Segments that were sent for the first time. */
    TCP_SEGMENTS("tcpSegmentsSentPerSecond", "/proc/net/snmp", tcp("OutSegs")),
    /** Segments that were sent again. */
    TCP_RETRANSMITS("tcpRetransmitsPerSecond", "/proc/net/snmp", tcp("RetransSegs")),
    /** Those of them that begin a connection. */
    TCP_SYN_RETRANSMITS("tcpSynRetransmitsPerSecond", "/proc/net/netstat", tcp("TCPSynRetrans")),
    /** How often a segment wasn't acknowledged in time. */
    TCP_TIMEOUTS("tcpTimeoutsPerSecond", "/proc/net/netstat", tcp("TCPTimeouts")),
    /** Connections that a full accept queue of this machine refused. */
    TCP_LISTEN_OVERFLOWS("tcpListenOverflowsPerSecond", "/proc/net/netstat", tcp("ListenOverflows")),
    /** Connections that this machine refused for any reason. */
    TCP_LISTEN_DROPS("tcpListenDropsPerSecond", "/proc/net/netstat", tcp("ListenDrops")),
    /** Segments that a socket's full backlog dropped. */
    TCP_BACKLOG_DROPS("tcpBacklogDropsPerSecond", "/proc/net/netstat", tcp("TCPBacklogDrop")),
    /** Received by the interface with the most traffic, without the loopback. */
    RECEIVED("receivedMbitPerSecond", "/proc/net/dev", traffic(Traffic::receivedBytes)),
    /** The requests that it sent. */
    SENT("sentMbitPerSecond", "/proc/net/dev", traffic(Traffic::sentBytes)),
    /** The speed of the fastest interface that reports it. */
    LINK_SPEED("linkSpeedMbitPerSecond", "/sys/class/net/*/speed", linkSpeed()),
    /** The busier direction of the busiest interface, of its speed. */
    LINK("linkPercent", "/sys/class/net/*/speed", link()),
    /** Packets that interfaces dropped, or that were broken. */
    NETWORK_DROPS("networkDropsPerSecond", "/proc/net/dev", drops()),
    /** Packets that a CPU's queue had no room for. */
    SOFTIRQ_DROPS(
            "softirqDropsPerSecond",
            "/proc/net/softnet_stat",
            rate(sample -> sample.network().softnet().map(Softnet::dropped), 1)),
    /** How often a CPU's turn to handle packets ended before it had handled them all. */
    SOFTIRQ_SQUEEZES(
            "softirqSqueezesPerSecond",
            "/proc/net/softnet_stat",
            rate(sample -> sample.network().softnet().map(Softnet::squeezed), 1));

    /** Before a word of a name; an abbreviation such as MiB is one. */
    private static final Pattern WORD = Pattern.compile("([a-z])([A-Z])(?=[a-z])");

    private static final double ROUNDING = 1_000;

    private static final Set<HostFigure> MEASURED = EnumSet.of(
            STALL,
            HICCUP,
            LOOP_LAG,
            POOL_LEASED,
            POOL_AVAILABLE,
            POOL_PENDING,
            CONNECTION_RTT,
            CONNECTION_LONGEST_RTT,
            CONNECTION_RETRANSMITS,
            CONNECTION_WINDOW);

    private final String text;
    private final String source;
    private final DeltaFormula between;

    HostFigure(String text, String source, DeltaFormula between) {
        this.text = text;
        this.source = source;
        this.between = between;
    }

    /** As it is called where it is written. */
    @Override
    public String toString() {
        return text;
    }

    /**
     * Where it comes from.
     *
     * @return a file, or who tells
     */
    String source() {
        return source;
    }

    /** Whether the process measures it, rather than its system. */
    boolean isMeasured() {
        return MEASURED.contains(this);
    }

    /** Its value; NaN if there isn't time enough between the samples, empty if it isn't told. */
    Optional<Double> between(HostSample from, HostSample to) {
        return between.of(from, to);
    }

    /**
     * All that two samples tell.
     *
     * @param from the first one
     * @param to the second one
     * @return finite numbers with three decimals by {@link #toString} of their figures, in order; one that isn't known
     *     is missing
     */
    public static Map<String, Double> allBetween(HostSample from, HostSample to) {
        Map<String, Double> values = new LinkedHashMap<>();
        for (HostFigure figure : values()) {
            figure.between(from, to)
                    .filter(Double::isFinite)
                    .map(value -> Math.round(value * ROUNDING) / ROUNDING)
                    .ifPresent(value -> values.put(figure.text, value));
        }
        return values;
    }

    /**
     * The names of all figures.
     *
     * @return in order
     */
    public static List<String> names() {
        return Stream.of(values()).map(HostFigure::toString).toList();
    }

    /**
     * The names of those that a process tells which doesn't measure itself.
     *
     * @return in order
     */
    public static List<String> namesOfSystem() {
        return Stream.of(values())
                .filter(figure -> !figure.isMeasured())
                .map(HostFigure::toString)
                .toList();
    }

    /**
     * A name in small letters, as columns and other programs' metrics have them.
     *
     * @param name of a figure, such as {@code heapMiB}, perhaps with a server's name and a dot before it
     * @param separator between words
     * @return such as {@code heap_mib}
     */
    public static String lowerCase(String name, String separator) {
        return WORD.matcher(name)
                .replaceAll("$1" + separator + "$2")
                .replace(".", separator)
                .toLowerCase(Locale.ROOT);
    }
}
