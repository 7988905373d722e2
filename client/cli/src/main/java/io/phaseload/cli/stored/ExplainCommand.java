package io.phaseload.cli.stored;

import io.phaseload.cli.command.CommandBean;
import io.phaseload.cli.command.Console;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.diagnosis.rules.Explanations;
import io.phaseload.options.EditDistance;
import io.phaseload.options.UsageException;
import java.util.ArrayList;
import java.util.List;
import org.kohsuke.args4j.Argument;
import org.kohsuke.args4j.Option;

/** {@code phaseload explain}: how a finding is concluded. */
public final class ExplainCommand implements CommandBean {

    @Argument(metaVar = "ID", usage = "a finding's id, which the report has in parentheses (lists all ids)")
    private List<String> ids = new ArrayList<>();

    @Option(name = "--json")
    private boolean json;

    @Override
    public int execute(Console console) {
        for (String id : ids) {
            if (!Explanations.ids().contains(id)) {
                throw unknown(id);
            }
        }
        console.print(text());
        return ExitCode.PASSED;
    }

    private String text() {
        if (json) {
            return Explanations.json(ids.isEmpty() ? Explanations.ids() : ids);
        }
        StringBuilder text = new StringBuilder();
        if (ids.isEmpty()) {
            Explanations.ids().forEach(id -> text.append(id).append('\n'));
        }
        for (String id : ids) {
            text.append(String.join("\n\n", Explanations.of(id).orElseThrow())).append('\n');
        }
        return text.toString();
    }

    private static UsageException unknown(String id) {
        return new UsageException(
                "explain: no finding '%s'%s",
                id,
                EditDistance.nearest(id, Explanations.ids())
                        .map(near -> "; did you mean '" + near + "'?")
                        .orElse("; 'phaseload explain' lists all ids"));
    }
}
