package io.phaseload.timing;

import java.util.List;

/**
 * Lists the timings of an engine or a protocol; found by {@link java.util.ServiceLoader}. A results folder with timings
 * of another module is readable only where that is present.
 */
public interface TimingProvider {

    /** {@return its timings, whose names in files no other provider uses} */
    List<Timing> timings();
}
