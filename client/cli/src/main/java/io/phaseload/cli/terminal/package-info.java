/**
 * Terminal input and output: its width and colours, the live line, the bars of a distribution, and the signals that
 * stop a run.
 *
 * <p>Knows measurements, but no commands or folders. The engine's ticker calls
 * {@link io.phaseload.cli.terminal.ProgressPrinter} and {@link io.phaseload.cli.terminal.LatencyBars}, one thread at a
 * time; signals reach {@link io.phaseload.cli.terminal.Interruption} and
 * {@link io.phaseload.cli.terminal.TerminalWindow} on threads of their own.
 */
package io.phaseload.cli.terminal;
