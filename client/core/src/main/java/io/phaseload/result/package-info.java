/**
 * The result of a run. A {@link io.phaseload.result.Result} holds all figures; it and its parts are immutable.
 * {@link io.phaseload.result.store} writes it to a folder as {@code result.json}. None of these contains a secret of
 * the plan. phaseload-report renders them as text and pages.
 */
@NullMarked
package io.phaseload.result;

import org.jspecify.annotations.NullMarked;
