package io.phaseload.cli.shell;

import io.phaseload.cli.command.CommandBean;
import io.phaseload.cli.command.Console;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.options.UsageException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.kohsuke.args4j.Argument;

/** {@code phaseload completion}: prints a script that completes commands, options and their values. */
public final class CompletionCommand implements CommandBean {

    @Argument(metaVar = "SHELL", usage = "bash, zsh or fish")
    private List<String> shells = new ArrayList<>();

    private final Supplier<List<CommandPage>> pages;

    /**
     * A command that hasn't run.
     *
     * @param pages of all commands
     */
    public CompletionCommand(Supplier<List<CommandPage>> pages) {
        this.pages = pages;
    }

    @Override
    public int execute(Console console) {
        String shell = String.join(" ", shells);
        console.out()
                .print(
                        switch (shell) {
                            case "bash" -> BashCompletion.of(pages.get());
                            case "zsh" -> ZshCompletion.of(pages.get());
                            case "fish" -> FishCompletion.of(pages.get());
                            default -> throw new UsageException(
                                    "completion%s: expected bash, zsh or fish", shell.isEmpty() ? "" : " " + shell);
                        });
        console.out().flush();
        return ExitCode.PASSED;
    }
}
