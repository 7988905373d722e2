/**
 * The commands that read folders and run nothing: {@code report}, {@code compare}, {@code merge} and {@code describe};
 * and {@code repro}, which sends one request. For one thread.
 */
package io.phaseload.cli.stored;
