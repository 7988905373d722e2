/**
 * Runs of one plan over time: {@link io.phaseload.history.Histories} collects stored runs by plan, and a
 * {@link io.phaseload.history.History} has each figure with the changes of its level. Runs on different machines are
 * never compared.
 */
package io.phaseload.history;
