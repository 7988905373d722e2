/**
 * Who runs it: an {@link io.phaseload.engine.Engine}. The one that is always there has a thread a
 * virtual user, held together at each phase's start and end by barriers; others are found by {@link
 * java.util.ServiceLoader}. An engine reads the plan, sends through {@code http}, records into
 * {@code measure}, and tells a {@link io.phaseload.engine.RunListener} how it goes.
 *
 * <p>Reading order: {@link io.phaseload.engine.RunCourse} and {@link
 * io.phaseload.engine.PhaseCourse} are what all engines do alike in a run and in a phase; {@link
 * io.phaseload.engine.PhaseRun} is one phase's threads, {@link io.phaseload.engine.User} one user
 * of it.
 */
package io.phaseload.engine;
