/**
 * How journeys are run, as far as that needs neither a clock nor I/O of an engine: templates that write requests, rows
 * of data, values that are taken from responses, and the program that a journey's steps are.
 *
 * <p>A {@link io.phaseload.journey.JourneyData} is made once a run and shared by all users; it is thread-safe. A
 * {@link io.phaseload.journey.Session} belongs to one user in one phase, and to its thread, as does its
 * {@link io.phaseload.journey.UserAgent}, which another module makes. The others are immutable and shared.
 *
 * <p>On the way it comes after {@code plan} and before {@code http} and {@code user}.
 */
package io.phaseload.journey;
