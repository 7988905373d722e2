package io.phaseload.cli;

import io.phaseload.cli.command.ExitCode;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Ends the JVM when memory is used up, whichever thread notices first: those that go on would wait
 * for the one that can't. Made at the start, since later there is no memory to make anything.
 */
final class OutOfMemory implements Thread.UncaughtExceptionHandler {

    private final PrintStream err;
    private final FileOutputStream standardError = new FileOutputStream(FileDescriptor.err);
    private final byte[] line;

    OutOfMemory(PrintStream err) {
        this.err = err;
        long heap = Runtime.getRuntime().maxMemory() >> 20;
        line =
                ("phaseload: out of memory: a heap of %d MB is too small for this run: start java with"
                                + " a larger -Xmx, or use fewer users (-c)%n")
                        .formatted(heap)
                        .getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void uncaughtException(Thread thread, Throwable failure) {
        if (failure instanceof OutOfMemoryError) {
            end();
        }
        err.print("Exception in thread \"" + thread.getName() + "\" ");
        failure.printStackTrace(err);
    }

    /** Threads run out of memory together; one of them tells. */
    private synchronized void end() {
        try {
            standardError.write(line);
        } catch (IOException nobodyReadsIt) {
            // The exit code tells, too.
        }
        Runtime.getRuntime().halt(ExitCode.INTERNAL_ERROR);
    }
}
