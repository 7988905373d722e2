/**
 * Results and plans as JSON, between {@link io.phaseload.result} and its {@linkplain
 * io.phaseload.result.store folder}. {@code result.schema.json} and {@code plan.schema.json} beside
 * {@link io.phaseload.result.Result} describe what is written. Stateless.
 */
package io.phaseload.result.json;
