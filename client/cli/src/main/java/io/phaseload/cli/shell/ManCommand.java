package io.phaseload.cli.shell;

import io.phaseload.cli.command.CommandBean;
import io.phaseload.cli.command.Console;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.files.AtomicFile;
import io.phaseload.files.FileProblem;
import io.phaseload.options.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.kohsuke.args4j.Argument;

/** {@code phaseload man}: writes manual pages. */
public final class ManCommand implements CommandBean {

    @Argument(metaVar = "DIR", usage = "the folder to write; it is made if it is missing")
    private List<String> folders = new ArrayList<>();

    private final Supplier<List<CommandPage>> pages;

    /**
     * A command that hasn't run.
     *
     * @param pages of all commands
     */
    public ManCommand(Supplier<List<CommandPage>> pages) {
        this.pages = pages;
    }

    @Override
    public int execute(Console console) {
        UsageException.throwIf(folders.size() != 1, "man: expected a folder to write");
        String folder = folders.get(0);
        List<CommandPage> all = pages.get();
        try {
            Path to = Files.createDirectories(Path.of(folder));
            AtomicFile.write(to.resolve("phaseload.1"), ManPage.overview(all));
            for (CommandPage page : all) {
                AtomicFile.write(to.resolve("phaseload-" + page.name() + ".1"), ManPage.of(page));
            }
        } catch (IOException | InvalidPathException e) {
            throw new UsageException(
                    "man %s: expected a folder that can be written to: %s",
                    folder, e instanceof IOException io ? FileProblem.of(io) : e.getMessage());
        }
        return ExitCode.PASSED;
    }
}
