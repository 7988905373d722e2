package io.phaseload.cli.command;

import io.phaseload.options.Help;
import io.phaseload.options.MoreOptions;
import io.phaseload.options.OptionParser;
import io.phaseload.options.OptionSpec;
import io.phaseload.options.OptionSpec.Takes;
import io.phaseload.options.OptionTexts;
import io.phaseload.options.Typed;
import io.phaseload.options.UsageException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
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

    private final OptionTexts texts = new OptionTexts(GeneralOptions.class);
    private Color color = Color.AUTO;
    private boolean help;
    private boolean all;
    private boolean version;

    @Override
    public List<OptionSpec> more() {
        return List.of(
                option("--color", List.of(), Takes.ONE, this::setColor),
                option("--help", List.of("-h"), Takes.PERHAPS, this::setHelp),
                option("--version", List.of("-V"), Takes.NOTHING, (typed, on) -> version = Boolean.parseBoolean(on)));
    }

    private OptionSpec option(String name, List<String> aliases, Takes takes, BiConsumer<Typed, String> given) {
        return new OptionSpec(name, aliases, () -> texts.of(name), takes, false, given);
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
