package io.phaseload.cli.command;

import io.phaseload.options.Help;
import io.phaseload.options.MoreOptions;
import io.phaseload.options.OptionParser;
import java.util.List;

/** A command of the command line: fills in its options before it runs, or prints its help or the version. */
public record CliCommand(String name, CommandBean bean) {

    /** Runs it with its part of the command line, and returns its exit code. */
    public int run(Console console, String... arguments) {
        GeneralOptions general = new GeneralOptions();
        OptionParser parser = parser(general);
        bean.parse(parser, arguments);
        return general.answer(console.out(), parser, () -> help(parser))
                ? ExitCode.PASSED
                : bean.execute(console.with(general.color()));
    }

    /** Its help, which is made of its options. */
    public Help help() {
        return help(parser(new GeneralOptions()));
    }

    private Help help(OptionParser parser) {
        return bean.about(name).with(parser.options(), bean::lists);
    }

    private OptionParser parser(GeneralOptions general) {
        MoreOptions all = () -> List.of(bean, general);
        return new OptionParser(all);
    }
}
