/**
 * Writes and reads results as JSON, between {@link io.phaseload.result} and its {@linkplain io.phaseload.result.store
 * folder}. {@code result.schema.json} and {@code plan.schema.json} beside {@link io.phaseload.result.Result} describe
 * the formats. Stateless.
 */
package io.phaseload.result.json;
