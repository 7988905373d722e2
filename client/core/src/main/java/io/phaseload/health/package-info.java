/**
 * What the client itself suffered while it measured, so that a result can say when its numbers
 * can't be trusted.
 */
package io.phaseload.health;
