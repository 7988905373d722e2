package io.phaseload.timing;

import java.util.List;

/**
 * Lists the timings of an engine or a protocol in another module, which {@link java.util.ServiceLoader} finds. A
 * results folder with them is readable only where their provider is present.
 */
public interface TimingProvider {

    /** {@return its timings, whose names in files no other provider uses} */
    List<Timing> timings();
}
