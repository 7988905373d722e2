/**
 * What a terminal shows and what it sends: its width and colours, the live line, the bars of a
 * distribution, and the signals that stop a run.
 *
 * <p>Knows what is measured, but no command and no folder. The engine's ticker calls {@link
 * io.phaseload.cli.terminal.ProgressPrinter} and {@link io.phaseload.cli.terminal.LatencyBars}, one
 * thread at a time; signals reach {@link io.phaseload.cli.terminal.Interruption} and {@link
 * io.phaseload.cli.terminal.TerminalWidth} on threads of their own.
 */
package io.phaseload.cli.terminal;
