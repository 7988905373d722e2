/**
 * Reads options from a command line, or from system properties of the same names.
 *
 * <p>Shared by everything that is started from a shell: the target's own main class and the client's command line. A
 * command declares its options as an args4j bean; {@link io.phaseload.options.OptionParser} fills it in;
 * {@link io.phaseload.options.Quantities} says what {@code 10k} or {@code 250ms} mean. A parser and its bean are for
 * one thread; everything else is stateless.
 */
package io.phaseload.options;
