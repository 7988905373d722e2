package io.phaseload.cli;

import io.phaseload.cli.command.ExitCode;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Ends the JVM when a thread runs out of memory: the others would wait for it forever. Its message is made at the
 * start, while there is memory.
 */
final class OutOfMemory implements Thread.UncaughtExceptionHandler {

    private final PrintStream err;
    private final FileOutputStream standardError = new FileOutputStream(FileDescriptor.err);
    private final byte[] line;

    OutOfMemory(PrintStream err) {
        this.err = err;
        long heap = Runtime.getRuntime().maxMemory() >> 20;
        // Not formatted: the first use of a format takes a twentieth of the time to the first request.
        String text = "phaseload: out of memory: a heap of " + heap + " MB is too small for this run: start java with"
                + " a larger -Xmx, or use fewer users (-c)" + System.lineSeparator();
        line = text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void uncaughtException(Thread thread, Throwable failure) {
        if (failure instanceof OutOfMemoryError) {
            end();
        }
        err.print("Exception in thread \"" + thread.getName() + "\" ");
        failure.printStackTrace(err);
    }

    /** Several threads run out of memory at once; one of them prints the message. */
    private synchronized void end() {
        try {
            standardError.write(line);
        } catch (IOException nobodyReadsIt) {
            // The exit code still says it.
        }
        Runtime.getRuntime().halt(ExitCode.INTERNAL_ERROR);
    }
}
