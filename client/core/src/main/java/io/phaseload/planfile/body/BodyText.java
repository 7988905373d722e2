package io.phaseload.planfile.body;

import io.phaseload.plan.journey.Template;
import io.phaseload.settings.Given;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.StringNode;

/** Writes what a plan's file has as JSON or as a form as one template, whose values are escaped. */
public final class BodyText {

    private BodyText() {}

    /** {@return a value of a plan's file as JSON, whose texts are templates} */
    public static String json(Given value) {
        if (value.isText()) {
            return '"' + escaped(value.text(), "json", BodyText::inJson) + '"';
        }
        if (value.isObject()) {
            List<String> members = new ArrayList<>();
            for (String key : value.keys()) {
                members.add('"' + inJson(key) + "\":" + json(value.part(key).orElseThrow()));
            }
            return "{" + String.join(",", members) + "}";
        }
        if (value.isList()) {
            return "["
                    + String.join(
                            ",", value.elements().stream().map(BodyText::json).toList())
                    + "]";
        }
        return value.text();
    }

    /** As it stands between quotes; an escape's braces would be a template's. */
    private static String inJson(String text) {
        String quoted = Template.quoted(text);
        String json = StringNode.valueOf(quoted).toString();
        return json.substring(1, json.length() - 1);
    }

    /** {@return names and values of a plan's file as a form, whose values are templates} */
    public static String form(Given form) {
        List<String> pairs = new ArrayList<>();
        for (String name : form.keys()) {
            String value = form.part(name).orElseThrow().text();
            pairs.add(encoded(name) + "=" + escaped(value, "urlencode", BodyText::encoded));
        }
        return String.join("&", pairs);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** A template of which the values are encoded by a function, and all else is, too. */
    private static String escaped(String text, String function, UnaryOperator<String> literal) {
        StringBuilder all = new StringBuilder();
        for (Template.Part part : Template.parse(text).parts()) {
            if (part instanceof Template.Literal same) {
                all.append(literal.apply(same.text()));
            } else {
                all.append('{').append(function).append(':').append(part).append('}');
            }
        }
        return all.toString();
    }
}
