package io.phaseload.options;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The first option of a section of the help. The following ones of the same bean belong to it, too. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD})
public @interface Heading {

    /** {@return the line above the section; empty for none} */
    String value();
}
