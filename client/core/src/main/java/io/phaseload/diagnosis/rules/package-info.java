/**
 * {@link io.phaseload.diagnosis.rules.Diagnoses} asks every rule, and puts what they find in order. Pure.
 *
 * <p>On the way it comes after the rules; {@code result.build} asks it.
 */
@NullMarked
package io.phaseload.diagnosis.rules;

import org.jspecify.annotations.NullMarked;
