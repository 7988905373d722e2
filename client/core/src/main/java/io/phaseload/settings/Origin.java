package io.phaseload.settings;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Where a setting was written; messages begin with it. */
public sealed interface Origin {

    /**
     * The beginning of a message.
     *
     * @param value the value as it may be shown; empty if there is none, or it is nested
     * @return the setting's name there, and the value
     */
    default String named(Optional<String> value) {
        return name() + value.map(text -> "=" + text).orElse("");
    }

    /**
     * The setting's name where it was written.
     *
     * @return such as {@code --loops}, {@code -Dloops} or {@code engine.loops}
     */
    String name();

    /**
     * The name that another setting would have in the same place.
     *
     * @param setting any setting
     * @return such as {@code --loops} or {@code engine.loops}
     */
    default String nameOf(String setting) {
        return Setting.of(setting).option();
    }

    /**
     * Where a part of a nested value was written.
     *
     * @param key of the part
     * @return its origin
     */
    default Origin at(String key) {
        return this;
    }

    /**
     * Whether it is a plan's file.
     *
     * @return {@code false} for the command line, system properties and variables
     */
    default boolean isFile() {
        return false;
    }

    /**
     * The folder that paths in it are relative to.
     *
     * @return empty for the working directory
     */
    default Path folder() {
        return Path.of("");
    }

    /**
     * The command line.
     *
     * @param name as it was typed, such as {@code -c}
     */
    record Option(String name) implements Origin {

        @Override
        public String named(Optional<String> value) {
            return name + value.map(text -> " " + text).orElse("");
        }
    }

    /**
     * A system property.
     *
     * @param property such as {@code threads}
     */
    record Property(String property) implements Origin {

        @Override
        public String name() {
            return "-D" + property;
        }
    }

    /**
     * A variable of the environment.
     *
     * @param name such as {@code PHASELOAD_THREADS}
     */
    record Variable(String name) implements Origin {}

    /**
     * Several options that make up one value, such as {@code --post} and its {@code --body}.
     *
     * @param first the origin of the value as a whole
     * @param parts the origins of its parts, by key
     */
    record Options(Origin first, Map<String, Origin> parts) implements Origin {

        @Override
        public String name() {
            return first.name();
        }

        @Override
        public String named(Optional<String> value) {
            return first.named(value);
        }

        @Override
        public String nameOf(String setting) {
            return first.nameOf(setting);
        }

        @Override
        public Origin at(String key) {
            return parts.getOrDefault(key, first);
        }
    }

    /**
     * A plan's file.
     *
     * @param file the file
     * @param pointer the part of the plan, as a JSON pointer
     */
    record Part(PlanSource file, String pointer) implements Origin {

        @Override
        public String name() {
            return dotted(pointer);
        }

        @Override
        public String named(Optional<String> value) {
            return file.place(pointer) + name() + value.map(text -> " " + text).orElse("");
        }

        @Override
        public String nameOf(String setting) {
            return dotted(Setting.of(setting).key());
        }

        @Override
        public Part at(String key) {
            return new Part(file, pointer + "/" + key);
        }

        @Override
        public boolean isFile() {
            return true;
        }

        @Override
        public Path folder() {
            return file.folder();
        }

        static String dotted(String pointer) {
            return pointer.isEmpty() ? "plan" : pointer.substring(1).replace('/', '.');
        }
    }
}
