package io.phaseload.cli.shell;

import io.phaseload.cli.command.ExitCode;
import io.phaseload.cli.command.GeneralOptions;
import io.phaseload.files.AtomicFile;
import io.phaseload.options.Help;
import io.phaseload.options.MoreOptions;
import io.phaseload.options.OptionParser;
import io.phaseload.options.UsageException;
import io.phaseload.result.json.FileProblem;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.kohsuke.args4j.Argument;

/** {@code phaseload man}: writes manual pages. */
public final class ManCommand {

    private static final String ABOUT =
            """
            Writes manual pages: phaseload.1, and one for each command, such as phaseload-run.1.

            Usage: phaseload man DIR

              phaseload man ~/.local/share/man/man1 && man phaseload-run
            """;

    private static final class ManOptions implements MoreOptions {

        private final GeneralOptions general = new GeneralOptions();

        @Argument(metaVar = "DIR", usage = "the folder to write; it is made if it is missing")
        private List<String> folders = new ArrayList<>();

        @Override
        public List<?> more() {
            return List.of(general);
        }
    }

    private final PrintStream out;
    private final Supplier<List<CommandPage>> pages;

    /**
     * A command that hasn't run.
     *
     * @param pages of all commands
     */
    public ManCommand(PrintStream out, Supplier<List<CommandPage>> pages) {
        this.out = out;
        this.pages = pages;
    }

    /** The help of {@code man}. */
    public static Help help() {
        return new Help("man", ABOUT, new OptionParser(new ManOptions()).options(), "");
    }

    /** Runs the command and returns its exit code. */
    public int run(String... arguments) {
        ManOptions options = new ManOptions();
        OptionParser parser = new OptionParser(options);
        parser.parse(arguments);
        if (options.general.answer(out, parser, ManCommand::help)) {
            return ExitCode.PASSED;
        }
        if (options.folders.size() != 1) {
            throw new UsageException("man: expected a folder to write");
        }
        String folder = options.folders.get(0);
        List<CommandPage> all = pages.get();
        try {
            Path to = Files.createDirectories(Path.of(folder));
            AtomicFile.write(to.resolve("phaseload.1"), ManPage.overview(all));
            for (CommandPage page : all) {
                AtomicFile.write(to.resolve("phaseload-" + page.name() + ".1"), ManPage.of(page));
            }
        } catch (IOException | InvalidPathException e) {
            throw new UsageException("man %s: expected a folder that can be written to: %s"
                    .formatted(folder, e instanceof IOException io ? FileProblem.of(io) : e.getMessage()));
        }
        return ExitCode.PASSED;
    }
}
