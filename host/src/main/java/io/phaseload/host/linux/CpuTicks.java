package io.phaseload.host.linux;

/**
 * The time of a CPU by use, in ticks of the kernel's.
 *
 * @param all whatever it was for
 * @param idle of which nothing ran
 * @param stolen of which other machines ran
 * @param interrupts of which the kernel handled interrupts, such as those for packets
 */
public record CpuTicks(long all, long idle, long stolen, long interrupts) {

    /** No time at all. */
    static final CpuTicks NONE = new CpuTicks(0, 0, 0, 0);

    /**
     * That of two CPUs.
     *
     * @param other another one's
     * @return the sums
     */
    CpuTicks plus(CpuTicks other) {
        return new CpuTicks(all + other.all, idle + other.idle, stolen + other.stolen, interrupts + other.interrupts);
    }

    /**
     * Time in which something of this machine ran.
     *
     * @return in ticks
     */
    public long busy() {
        return all - idle - stolen;
    }
}
