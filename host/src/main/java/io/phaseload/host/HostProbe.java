package io.phaseload.host;

import io.phaseload.host.linux.AllowedCpus;
import io.phaseload.host.linux.ControlGroups;
import io.phaseload.host.linux.CpuStat;
import io.phaseload.host.linux.Memory;
import io.phaseload.host.linux.Numbers;
import io.phaseload.host.linux.PortRange;
import io.phaseload.host.linux.Pressure;
import io.phaseload.host.linux.Sockets;
import io.phaseload.host.linux.Sockstat;
import io.phaseload.host.linux.Softnet;
import io.phaseload.host.linux.TcpCounters;
import io.phaseload.host.linux.Traffic;
import java.io.Closeable;
import java.io.File;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** Takes samples of this process and its machine. For one thread at a time. */
public final class HostProbe implements Closeable {

    private static final String LOOPBACK = "lo";

    private final Path root;
    private final JvmUse jvm;
    private final RunQueue runQueue;
    private final SafepointTime safepoints;
    private final Map<String, TextFile> files = new HashMap<>();
    private final List<String> throttling;
    private final Costly<Sockets> sockets = new Costly<>(this::sockets, System::nanoTime);
    private final Costly<Long> openFiles;
    private BitSet allowedCpus;
    private Optional<PortRange> portRange = Optional.empty();
    private Map<String, Long> linkMbit;

    /**
     * Of a system whose files may be elsewhere.
     *
     * @param root the folder that {@code proc} and {@code sys} are in
     * @param jvm tells of this process
     * @param safepoints likewise
     * @param threads by their names, those whose waits are wanted
     */
    HostProbe(Path root, JvmUse jvm, SafepointTime safepoints, Predicate<String> threads) {
        this.root = root;
        this.jvm = jvm;
        this.safepoints = safepoints;
        this.runQueue = new RunQueue(root.resolve("proc/self/task"), threads);
        this.openFiles = new Costly<>(jvm::openFiles, System::nanoTime);
        this.throttling = new ControlGroups(root)
                .of("cpu").stream()
                        .map(group -> "/" + root.relativize(group.resolve("cpu.stat")))
                        .toList();
    }

    /**
     * Of this system.
     *
     * @param jvm tells of this process
     * @param threads by their names, those whose waits are wanted
     * @return a probe whose files aren't open yet
     */
    public static HostProbe ofThisSystem(JvmUse jvm, Predicate<String> threads) {
        return new HostProbe(Path.of("/"), jvm, SafepointTime.ofThisJvm(), threads);
    }

    /**
     * Takes a sample.
     *
     * @return the current values, without {@link HostSample#measured}
     */
    public HostSample read() {
        return read(openFiles.read(), sockets.read());
    }

    /**
     * Takes a sample that others are compared with.
     *
     * @return as {@link #read}, but without what takes long and says nothing of a change
     */
    public HostSample baseline() {
        return read(Optional.empty(), Optional.empty());
    }

    private HostSample read(Optional<Long> files, Optional<Sockets> tcp) {
        return new HostSample(
                System.nanoTime(),
                new ProcessSample(
                        jvm.cpuNanos(),
                        Runtime.getRuntime().availableProcessors(),
                        jvm.gcMillis(),
                        safepoints.nanos(),
                        jvm.heapBytes(),
                        read("/proc/self/status", Memory::residentKib),
                        files,
                        jvm.mostOpenFiles(),
                        runQueue.read(),
                        throttling.stream()
                                .map(file -> read(file, ControlGroups::throttledNanos))
                                .flatMap(Optional::stream)
                                .max(Long::compare)),
                new MachineSample(
                        cpu(),
                        read("/proc/uptime", HostProbe::upNanos),
                        pressure(),
                        read("/proc/meminfo", Memory::parse)),
                network(tcp),
                Optional.empty());
    }

    /**
     * Figures that this system doesn't report, each with the reason.
     *
     * @return by figure, in their order
     */
    public static Map<HostFigure, String> missing() {
        try (HostProbe probe = ofThisSystem(new JvmUse(), thread -> true)) {
            return probe.missingNow();
        }
    }

    /** To be asked before any sample was taken: what takes long is in the first one. */
    Map<HostFigure, String> missingNow() {
        HostSample sample = read();
        Map<HostFigure, String> missing = new LinkedHashMap<>();
        for (HostFigure figure : HostFigure.values()) {
            if (!figure.isMeasured() && figure.between(sample, sample).isEmpty()) {
                TextFile file = files.get(figure.source());
                missing.put(
                        figure,
                        Optional.ofNullable(file).flatMap(TextFile::problem).orElse("not in " + figure.source()));
            }
        }
        return missing;
    }

    private Optional<CpuStat> cpu() {
        if (allowedCpus == null) {
            allowedCpus = text("/proc/self/status").map(AllowedCpus::parse).orElseGet(BitSet::new);
        }
        return text("/proc/stat")
                .map(CpuStat::parse)
                .map(stat -> stat.only(allowedCpus))
                .filter(stat -> !stat.cpus().isEmpty());
    }

    private static Optional<Long> upNanos(String uptime) {
        // Seconds with two decimals.
        String[] words = Numbers.words(uptime.replace(".", ""));
        return Numbers.counter(words, 0).map(hundredths -> hundredths * 10_000_000);
    }

    private Map<String, Long> pressure() {
        Map<String, Long> micros = new HashMap<>();
        for (String resource : List.of("cpu", "memory", "io")) {
            read("/proc/pressure/" + resource, Pressure::someMicros).ifPresent(some -> micros.put(resource, some));
        }
        return micros;
    }

    private NetworkSample network(Optional<Sockets> tcp) {
        Map<String, Traffic> traffic =
                text("/proc/net/dev").map(Traffic::parse).map(HashMap::new).orElseGet(HashMap::new);
        traffic.remove(LOOPBACK);
        if (linkMbit == null) {
            linkMbit = linkMbit();
        }
        return new NetworkSample(
                TcpCounters.parse(
                        text("/proc/net/snmp").orElse(""),
                        text("/proc/net/netstat").orElse("")),
                read("/proc/net/sockstat", Sockstat::timeWait),
                tcp,
                portRange,
                traffic,
                linkMbit,
                read("/proc/net/softnet_stat", Softnet::parse));
    }

    private Optional<Sockets> sockets() {
        if (portRange.isEmpty()) {
            portRange = read("/proc/sys/net/ipv4/ip_local_port_range", PortRange::parse);
        }
        Optional<String> version4 = text("/proc/net/tcp");
        // Where IPv6 is off there is no such file.
        String version6 = version4.isEmpty() ? "" : text("/proc/net/tcp6").orElse("");
        return portRange.flatMap(range -> version4.map(texts -> Sockets.parse(range, texts, version6)));
    }

    /** Drivers of virtual interfaces fail or say -1. */
    private Map<String, Long> linkMbit() {
        Map<String, Long> speeds = new HashMap<>();
        File[] interfaces = root.resolve("sys/class/net").toFile().listFiles();
        for (File each : Objects.requireNonNullElse(interfaces, new File[0])) {
            try (TextFile file = new TextFile(each.toPath().resolve("speed"))) {
                file.read()
                        .flatMap(text -> Numbers.counter(text.strip()))
                        .filter(speed -> speed > 0)
                        .ifPresent(speed -> speeds.put(each.getName(), speed));
            }
        }
        return speeds;
    }

    private Optional<String> text(String file) {
        return files.computeIfAbsent(file, path -> new TextFile(root.resolve(path.substring(1))))
                .read();
    }

    private <T> Optional<T> read(String file, Function<String, Optional<T>> parser) {
        return text(file).flatMap(parser);
    }

    /** Closes all files; the next sample opens them again. */
    @Override
    public void close() {
        files.values().forEach(TextFile::close);
        safepoints.close();
    }
}
