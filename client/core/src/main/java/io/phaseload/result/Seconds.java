package io.phaseload.result;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.annotation.JsonSerialize;
import tools.jackson.databind.ser.std.StdSerializer;

/** Marks a duration that is written in seconds; all others are written in milliseconds. */
@Retention(RetentionPolicy.RUNTIME)
@JacksonAnnotationsInside
@JsonSerialize(using = Seconds.Serializer.class)
@interface Seconds {

    /** Writes a duration as a number of seconds. */
    final class Serializer extends StdSerializer<java.time.Duration> {

        Serializer() {
            super(java.time.Duration.class);
        }

        @Override
        public void serialize(java.time.Duration value, JsonGenerator out, SerializationContext context) {
            out.writeNumber(value.toNanos() / 1e9);
        }
    }
}
