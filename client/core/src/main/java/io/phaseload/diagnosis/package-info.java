/**
 * Explanations of failures and slow responses: a {@link io.phaseload.diagnosis.Diagnosis} is a conclusion about the
 * target, the network between, or the plan, from what the client measured. Whether the client can be trusted is the
 * {@link io.phaseload.verdict}'s matter. Immutable.
 *
 * <p>On the way: {@code diagnosis.evidence} gathers what a run showed second by second, the rules in
 * {@code diagnosis.connections}, {@code diagnosis.responses}, {@code diagnosis.course} and {@code diagnosis.servers}
 * conclude from it, and {@code diagnosis.rules} asks all of them.
 */
@NullMarked
package io.phaseload.diagnosis;

import org.jspecify.annotations.NullMarked;
