/**
 * Who runs it: a thread a virtual user, held together at each phase's start and end by barriers.
 * The engine reads the plan, sends through {@code http}, records into {@code measure}, and tells a
 * {@link io.phaseload.engine.RunListener} how it goes.
 *
 * <p>Reading order: {@link io.phaseload.engine.ThreadEngine} runs the phases, {@link
 * io.phaseload.engine.PhaseRun} one phase, {@link io.phaseload.engine.User} one user of it.
 */
package io.phaseload.engine;
