package io.phaseload.settings;

import io.phaseload.files.FileProblem;
import java.util.Optional;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlVersionException;
import tools.jackson.core.JacksonException;

/** Explains to its author why a file can't be parsed. */
public final class SyntaxMistake {

    private static final Pattern JARGON =
            Pattern.compile(" ?\\((?:code \\d+|start marker at|from `|through reference chain)[^()]*"
                    + "(?:\\([^()]*\\)[^()]*)*\\)| ?\\[Source:.*|`");

    private SyntaxMistake() {}

    /**
     * The reason why JSON can't be read, without class names.
     *
     * @param failure of Jackson's parser, or another one
     * @return of a parser with its line, where that is known
     */
    public static String json(Exception failure) {
        return failure instanceof JacksonException parser ? json(parser) : FileProblem.of(failure);
    }

    private static String json(JacksonException failure) {
        String message = String.valueOf(failure.getOriginalMessage());
        String text = JARGON.matcher(message.lines().findFirst().orElse("")).replaceAll("");
        int line = failure.getLocation() == null ? 0 : failure.getLocation().getLineNr();
        return line > 0 ? "line " + line + ": " + text : text;
    }

    /**
     * The message of the YAML or JSON parser, without class names.
     *
     * @param failure of YAML or JSON
     * @return with its line
     */
    static String text(JacksonException failure) {
        if (failure.getCause() instanceof YamlVersionException) {
            return "line 1: expected YAML 1.2";
        }
        if (!(failure.getCause() instanceof MarkedYamlEngineException marked)) {
            String reason = json(failure);
            return reason.contains("property name (Scalar")
                    ? reason.replaceFirst("(line \\d+): .*", "$1: expected a text as a key")
                    : reason;
        }
        String problem = String.valueOf(marked.getProblem());
        boolean atEnd = problem.contains("end of stream") || problem.contains("<stream end>");
        // Where the unclosed part begins; the end of the file helps nobody.
        int line = Optional.of(marked)
                .filter(mistake -> atEnd)
                .flatMap(MarkedYamlEngineException::getContextMark)
                .or(marked::getProblemMark)
                .map(mark -> mark.getLine() + 1)
                .orElse(1);
        return "line " + line + ": " + reason(problem, String.valueOf(marked.getContext()), atEnd);
    }

    private static String reason(String problem, String context, boolean atEnd) {
        if (atEnd) {
            return context.contains("quoted")
                    ? "expected a quote at the end of the text"
                    : "expected a bracket at the end of the list or the keys";
        }
        if (problem.contains("TAB")) {
            return "expected spaces in place of the tab";
        }
        if (problem.contains("cannot start any token")) {
            return problem.replaceFirst("(?s).*found character '(.+?)'.*", "expected quotes around a text with '$1'");
        }
        if (problem.contains("mapping values")) {
            return "expected no colon here, or quotes around the text with it";
        }
        if (problem.contains("<document start>")) {
            return "expected the end of the file";
        }
        return problem.replaceFirst(",? but (got|found) :?", ", found ")
                .replace("scalar", "text")
                .replace("stream", "file")
                .strip();
    }
}
