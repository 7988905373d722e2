/** Tests of significance, and what samples of requests have in common: arithmetic that knows no phase and no rule. */
@NullMarked
package io.phaseload.diagnosis.statistics;

import org.jspecify.annotations.NullMarked;
