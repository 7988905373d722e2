package io.phaseload.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class OptionTextsTest {

    private static final class Described {}

    private static final class Undescribed {}

    private final OptionTexts texts = new OptionTexts(Described.class);

    @Test
    void helpIsJoinedAndOptionsBelowAHeadingHaveIt() {
        assertThat(texts.of("--first")).isEqualTo(new OptionText("N", "two lines of help", "", "N"));
        assertThat(texts.of("--flag")).isEqualTo(new OptionText("", "neither a value nor a number", "A section", ""));
    }

    @Test
    void severalOptionsHaveOneText() {
        assertThat(texts.of("--get"))
                .isSameAs(texts.of("--post"))
                .isEqualTo(new OptionText("'METHOD PATH'", "a path", "A section", "a path that begins with /"));
    }

    @Test
    void anOptionWithoutATextIsAMistakeWhereOthersHaveOne() {
        assertThatThrownBy(() -> texts.of("--other"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(Described.class.getName() + ": no text of --other");
        assertThat(new OptionTexts(Undescribed.class).of("--other")).isEqualTo(OptionText.NONE);
    }
}
