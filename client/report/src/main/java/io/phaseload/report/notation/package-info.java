/**
 * Lines, numbers and {@link io.phaseload.report.cells.Table}s as plain text and as Markdown, the same in every locale.
 */
package io.phaseload.report.notation;
