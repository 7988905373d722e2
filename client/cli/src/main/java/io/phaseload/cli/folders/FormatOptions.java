package io.phaseload.cli.folders;

import io.phaseload.cli.terminal.Terminal;
import io.phaseload.options.UsageException;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.kohsuke.args4j.Option;

/** The form of a report on standard output: text, unless another one was asked for. */
public final class FormatOptions {

    @Option(name = "--markdown")
    private boolean markdown;

    @Option(name = "--json")
    private boolean json;

    /**
     * Refuses two forms at once.
     *
     * @throws UsageException if both were asked for
     */
    public void check() {
        UsageException.throwIf(json && markdown, "--json cannot be combined with --markdown");
    }

    /** Whether JSON was asked for. */
    public boolean isJson() {
        return json;
    }

    /** Whether standard output is for another program. */
    public boolean isData() {
        return json || markdown;
    }

    /**
     * A report in the form that was asked for.
     *
     * @param asText text for a number of columns
     * @return one of these three
     */
    public String of(Supplier<String> asJson, Supplier<String> asMarkdown, IntFunction<String> asText) {
        if (json) {
            return asJson.get();
        }
        return markdown ? asMarkdown.get() : asText.apply(Terminal.columns());
    }
}
