package io.phaseload.host;

import io.phaseload.host.linux.CpuTicks;
import io.phaseload.host.linux.RunQueueWait;
import io.phaseload.host.linux.SocketState;
import io.phaseload.host.linux.Traffic;
import java.util.Comparator;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.DoubleStream;

/** How a number is made of two samples; see {@link HostFigure#between}. */
@FunctionalInterface
interface DeltaFormula {

    /** In percent: from here on a CPU has little left. */
    double SATURATED = 95;

    Optional<Double> of(HostSample from, HostSample to);

    /** How fast a counter grows per second, by a unit of it. */
    static <T extends Number> DeltaFormula rate(Function<HostSample, Optional<T>> counter, double unit) {
        return (from, to) -> {
            Optional<T> before = counter.apply(from);
            return counter.apply(to)
                    .filter(any -> before.isPresent())
                    .map(after ->
                            perSecond(from, to, after.longValue() - before.get().longValue()))
                    .map(value -> value / unit);
        };
    }

    /** NaN if the counter went backwards: it was begun anew. */
    private static double perSecond(HostSample from, HostSample to, long increase) {
        double seconds = (to.nanos() - from.nanos()) / 1e9;
        return increase < 0 || seconds <= 0 ? Double.NaN : increase / seconds;
    }

    /** The value at the end. */
    static <T extends Number> DeltaFormula gauge(Function<HostSample, Optional<T>> value, double unit) {
        return (from, to) -> value.apply(to).map(now -> now.doubleValue() / unit);
    }

    /** In percent, of what there is at the end. */
    static <T extends Number> DeltaFormula share(
            Function<HostSample, Optional<T>> part, Function<HostSample, Optional<T>> whole) {
        return (from, to) -> part.apply(to)
                .flatMap(some -> whole.apply(to).map(all -> percent(some.doubleValue(), all.doubleValue())));
    }

    private static double percent(double part, double whole) {
        return whole <= 0 ? Double.NaN : 100 * part / whole;
    }

    static DeltaFormula cpu() {
        return (from, to) -> Optional.of(
                perSecond(from, to, to.process().cpuNanos() - from.process().cpuNanos())
                        / 1e7
                        / to.process().cores());
    }

    /** The kernel may add up a little later what the time before came to. */
    /** The state of the pool that users shared. */
    static DeltaFormula pool(Function<PoolUse, Integer> count) {
        return gauge(sample -> sample.measured().flatMap(Measured::pool).map(count), 1);
    }

    static DeltaFormula pressure(String resource) {
        DeltaFormula percent = rate(
                sample -> Optional.ofNullable(sample.machine().pressureMicros().get(resource)), 1e4);
        return (from, to) -> percent.of(from, to).map(value -> Math.min(100, value));
    }

    static DeltaFormula tcp(String counter) {
        return rate(sample -> sample.network().tcp().get(counter), 1);
    }

    static DeltaFormula sockets(SocketState... states) {
        return gauge(sample -> sample.network().sockets().map(some -> some.in(states)), 1);
    }

    /** A part of the time of all CPUs. */
    static DeltaFormula ticks(ToLongFunction<CpuTicks> part) {
        return (from, to) -> from.machine()
                .cpu()
                .flatMap(before -> to.machine().cpu().map(after -> ticks(before.total(), after.total(), part)));
    }

    private static double ticks(CpuTicks before, CpuTicks after, ToLongFunction<CpuTicks> part) {
        double spent = (double) part.applyAsLong(after) - part.applyAsLong(before);
        // Idle time may be corrected downwards a little.
        return percent(Math.max(0, spent), after.all() - before.all());
    }

    /** Of a part of the time of that CPU which spent most on it. */
    static DeltaFormula mostOfACpu(ToLongFunction<CpuTicks> part) {
        return eachCpu(part, shares -> shares.max().orElse(Double.NaN));
    }

    /** How many CPUs are busy for most of the time. */
    static DeltaFormula saturatedCpus() {
        return eachCpu(CpuTicks::busy, shares -> {
            double[] known = shares.toArray();
            return known.length == 0
                    ? Double.NaN
                    : DoubleStream.of(known).filter(share -> share >= SATURATED).count();
        });
    }

    private static DeltaFormula eachCpu(ToLongFunction<CpuTicks> part, ToDoubleFunction<DoubleStream> of) {
        return (from, to) -> from.machine().cpu().flatMap(before -> to.machine()
                .cpu()
                .map(after -> of.applyAsDouble(shares(before.cpus(), after.cpus(), part))));
    }

    private static DoubleStream shares(
            Map<Integer, CpuTicks> before, Map<Integer, CpuTicks> after, ToLongFunction<CpuTicks> part) {
        return after.entrySet().stream()
                .filter(cpu -> before.containsKey(cpu.getKey()))
                .mapToDouble(cpu -> ticks(before.get(cpu.getKey()), cpu.getValue(), part))
                .filter(Double::isFinite);
    }

    /** Of the connections that report it. */
    static DeltaFormula connections(
            ToLongFunction<TcpConnection> value, ToDoubleFunction<LongSummaryStatistics> of, double unit) {
        return (from, to) -> to.measured()
                .map(Measured::connections)
                .filter(some -> !some.isEmpty())
                .map(some -> of.applyAsDouble(some.stream().mapToLong(value).summaryStatistics()) / unit);
    }

    static DeltaFormula runQueue(ToDoubleFunction<RunQueueWait> value, boolean perSecond) {
        return (from, to) -> {
            if (to.process().waits().byThread().isEmpty()) {
                return Optional.empty();
            }
            double waited = value.applyAsDouble(
                    to.process().waits().since(from.process().waits()));
            double seconds = (to.nanos() - from.nanos()) / 1e9;
            return Optional.of(perSecond ? waited / seconds : waited);
        };
    }

    /** Of the interface with the most of it in both directions. */
    static DeltaFormula traffic(ToLongFunction<Traffic> bytes) {
        return (from, to) -> traffic(from, to).values().stream()
                .max(Comparator.comparingLong(some -> some.receivedBytes() + some.sentBytes()))
                .map(bytes::applyAsLong)
                .map(some -> perSecond(from, to, some) * 8 / 1e6);
    }

    static DeltaFormula drops() {
        return (from, to) -> traffic(from, to).values().stream()
                .map(Traffic::lost)
                .reduce(Long::sum)
                .map(lost -> perSecond(from, to, lost));
    }

    /** The speed of the fastest interface that reports it. */
    static DeltaFormula linkSpeed() {
        return (from, to) -> to.network().linkMbit().values().stream()
                .max(Comparator.naturalOrder())
                .map(Long::doubleValue);
    }

    static DeltaFormula link() {
        return (from, to) -> {
            DoubleStream shares = traffic(from, to).entrySet().stream()
                    .filter(each -> to.network().linkMbit().containsKey(each.getKey()))
                    .mapToDouble(each -> {
                        long most = Math.max(
                                each.getValue().receivedBytes(), each.getValue().sentBytes());
                        double speed = to.network().linkMbit().get(each.getKey());
                        return perSecond(from, to, most) * 8 / 1e4 / speed;
                    });
            return shares.boxed().max(Comparator.naturalOrder());
        };
    }

    /** Of interfaces that are there at both moments. */
    private static Map<String, Traffic> traffic(HostSample from, HostSample to) {
        Map<String, Traffic> traffic = new TreeMap<>();
        to.network().traffic().forEach((name, after) -> {
            Traffic before = from.network().traffic().get(name);
            if (before != null) {
                traffic.put(name, after.minus(before));
            }
        });
        return traffic;
    }
}
