/**
 * The trust that another tool's result deserves: {@link io.phaseload.audit.ForeignFile} reads it,
 * {@link io.phaseload.audit.Audit} judges its figures, and names what the file can't show. Stateless.
 */
package io.phaseload.audit;
