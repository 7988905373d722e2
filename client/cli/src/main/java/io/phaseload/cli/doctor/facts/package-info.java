/**
 * The readings and measurements of {@code phaseload doctor} before a run: the machine, its quietness, the way to the
 * target, and how much this client can send. Each fact is an immutable record that reads itself;
 * {@link io.phaseload.cli.doctor.checks} judge it.
 *
 * <p>Comes first: nothing here knows a check or a command. For one thread, except for
 * {@link io.phaseload.cli.doctor.facts.NullServer}, which has threads of its own.
 */
package io.phaseload.cli.doctor.facts;
