package io.phaseload.host.linux;

import java.util.BitSet;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * {@code /proc/stat}, see proc_stat(5).
 *
 * @param cpus the time of each CPU that is online, by its number
 * @param contextSwitches of the whole machine since its start
 */
public record CpuStat(Map<Integer, CpuTicks> cpus, Optional<Long> contextSwitches) {

    private static final String CPU = "cpu";
    private static final String CONTEXT_SWITCHES = "ctxt ";

    /** Keeps the times from being changed. */
    public CpuStat {
        cpus = Map.copyOf(cpus);
    }

    /**
     * Reads the file.
     *
     * @param text all of it
     * @return the values; invalid lines are left out
     */
    public static CpuStat parse(String text) {
        Map<Integer, CpuTicks> cpus = new TreeMap<>();
        Optional<Long> switches = Optional.empty();
        for (String line : (Iterable<String>) text.lines()::iterator) {
            if (line.startsWith(CPU) && !line.startsWith(CPU + " ")) {
                String[] words = Numbers.words(line.substring(CPU.length()));
                Optional<Long> number = Numbers.counter(words, 0);
                Optional<CpuTicks> ticks = ticks(words);
                if (number.isPresent() && ticks.isPresent()) {
                    cpus.put(number.get().intValue(), ticks.get());
                }
            } else if (line.startsWith(CONTEXT_SWITCHES)) {
                switches = Numbers.counter(
                        line.substring(CONTEXT_SWITCHES.length()).strip());
            }
        }
        return new CpuStat(cpus, switches);
    }

    /**
     * Behind the number: user nice system idle iowait irq softirq steal guest guest_nice. Guests are in user; before
     * Linux 2.6.11 there is nothing from steal on.
     */
    private static Optional<CpuTicks> ticks(String[] words) {
        if (words.length < 5) {
            return Optional.empty();
        }
        long all = 0;
        for (int i = 1; i < words.length && i <= 8; i++) {
            Optional<Long> ticks = Numbers.counter(words[i]);
            if (ticks.isEmpty()) {
                return Optional.empty();
            }
            all += ticks.get();
        }
        long idle =
                Numbers.counter(words, 4).orElse(0L) + Numbers.counter(words, 5).orElse(0L);
        long interrupts =
                Numbers.counter(words, 6).orElse(0L) + Numbers.counter(words, 7).orElse(0L);
        return Optional.of(new CpuTicks(all, idle, Numbers.counter(words, 8).orElse(0L), interrupts));
    }

    /**
     * That of some CPUs.
     *
     * @param wanted their numbers; if there are none, all CPUs are meant
     * @return a copy
     */
    public CpuStat only(BitSet wanted) {
        if (wanted.isEmpty()) {
            return this;
        }
        Map<Integer, CpuTicks> left = new TreeMap<>(cpus);
        left.keySet().removeIf(cpu -> !wanted.get(cpu));
        return new CpuStat(left, contextSwitches);
    }

    /**
     * The time of all CPUs together.
     *
     * @return their sum
     */
    public CpuTicks total() {
        return cpus.values().stream().reduce(CpuTicks.NONE, CpuTicks::plus);
    }
}
