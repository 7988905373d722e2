/**
 * Which engine runs a plan, and over which protocol: immutable records, validated on construction. A part of
 * {@code plan}, which uses it.
 */
@NullMarked
package io.phaseload.plan.engine;

import org.jspecify.annotations.NullMarked;
