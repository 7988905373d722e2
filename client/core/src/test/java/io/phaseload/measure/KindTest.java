package io.phaseload.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KindTest {

    @ParameterizedTest
    @EnumSource
    void isFoundByItsNameInFiles(Kind kind) {
        assertThat(kind.key()).matches("[a-z-]+");
        assertThat(Kind.of(kind.key())).isSameAs(kind);
    }

    @Test
    void rejectsOtherNames() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Kind.of("respons"))
                .withMessage("histogram of respons");
    }
}
