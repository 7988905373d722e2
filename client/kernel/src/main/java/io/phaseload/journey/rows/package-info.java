/** Rows of data files, which {@link io.phaseload.journey.rows.FeederRows} hands out to users. */
package io.phaseload.journey.rows;
