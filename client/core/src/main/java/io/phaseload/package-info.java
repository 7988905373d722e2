/**
 * The front door: {@link io.phaseload.ThreadsLoadClient} takes a plan and returns a result.
 *
 * <p>A run's way through the packages: {@code plan} says what to run, {@code engine} runs it, {@code http} sends each
 * request, {@code measure} records it, {@code health} watches the client itself, {@code result} keeps it all.
 */
@NullMarked
package io.phaseload;

import org.jspecify.annotations.NullMarked;
