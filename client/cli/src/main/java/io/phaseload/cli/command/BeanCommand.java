package io.phaseload.cli.command;

import io.phaseload.options.Help;
import io.phaseload.options.MoreOptions;
import io.phaseload.options.OptionParser;
import java.io.PrintStream;
import java.util.List;

/** Fills in the options of a command before it runs, or prints its help or the version. */
public record BeanCommand(String name, CommandBean bean, PrintStream out) implements CliCommand {

    @Override
    public int run(String... arguments) {
        GeneralOptions general = bean.general();
        OptionParser parser = parser(general);
        parser.parse(arguments);
        return general.answer(out, parser, () -> help(parser)) ? ExitCode.PASSED : bean.execute();
    }

    @Override
    public Help help() {
        return help(parser(bean.general()));
    }

    private Help help(OptionParser parser) {
        return bean.about(name).with(parser.options(), any -> true);
    }

    private OptionParser parser(GeneralOptions general) {
        MoreOptions all = () -> List.of(bean, general);
        return new OptionParser(all);
    }
}
