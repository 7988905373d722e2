/**
 * Proves a run by its server's access log: {@link io.phaseload.prove.AccessLog} reads the lines that were written
 * meanwhile, and {@link io.phaseload.prove.Reconciliation} finds which of them belong to which requests.
 */
package io.phaseload.prove;
