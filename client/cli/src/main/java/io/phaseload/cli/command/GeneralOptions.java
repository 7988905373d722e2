package io.phaseload.cli.command;

import io.phaseload.options.Help;
import io.phaseload.options.MoreOptions;
import io.phaseload.options.OptionParser;
import io.phaseload.options.OptionSpec;
import io.phaseload.options.OptionSpec.Takes;
import io.phaseload.options.Typed;
import io.phaseload.options.UsageException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** The options that every command has. */
public final class GeneralOptions implements MoreOptions {

    /** The use of escape sequences: colours, and the live line. */
    public enum Color {
        /** On a terminal. */
        AUTO,
        /** Colours anywhere. */
        ALWAYS,
        /** None. */
        NEVER
    }

    private static final String HEADING = "All commands";

    private Color color = Color.AUTO;
    private boolean help;
    private boolean all;
    private boolean version;

    @Override
    public List<OptionSpec> more() {
        return List.of(
                new OptionSpec(
                        "--color",
                        List.of(),
                        "auto|always|never",
                        "colours and the live line: auto on a terminal, unless NO_COLOR is set or TERM is dumb;"
                                + " FORCE_COLOR=1 is always (auto)",
                        HEADING,
                        "auto, always or never",
                        Takes.ONE,
                        false,
                        this::setColor),
                new OptionSpec(
                        "--help",
                        List.of("-h"),
                        "all",
                        "the options; where there are many, the most common ones, or all",
                        HEADING,
                        "",
                        Takes.PERHAPS,
                        false,
                        this::setHelp),
                new OptionSpec(
                        "--version",
                        List.of("-V"),
                        "",
                        "the version, commit, JVM and operating system; with --json as JSON",
                        HEADING,
                        "",
                        Takes.NOTHING,
                        false,
                        (typed, on) -> version = Boolean.parseBoolean(on)));
    }

    private void setColor(Typed typed, String text) {
        try {
            color = Color.valueOf(text.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new UsageException(typed.with(text) + ": expected auto, always or never");
        }
    }

    private void setHelp(Typed typed, String text) {
        UsageException.throwIf(
                !List.of("", "all", "true", "false").contains(text), "%s: expected all, or no value", typed.with(text));
        help = !text.equals("false");
        all = text.equals("all");
    }

    public Color color() {
        return color;
    }

    /**
     * Prints the help or the version if either was asked for.
     *
     * @param parser of the command's options
     * @return {@code true} if nothing else is to be done
     */
    public boolean answer(PrintStream out, OptionParser parser, Supplier<Help> text) {
        if (help) {
            out.print(all ? text.get().all() : text.get().brief());
        } else if (version) {
            out.print(Version.text(parser.given().contains("--json")));
        }
        return help || version;
    }
}
