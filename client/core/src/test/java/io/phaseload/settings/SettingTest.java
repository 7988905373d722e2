package io.phaseload.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.input.Limit;
import io.phaseload.plan.Plan;
import io.phaseload.plan.engine.HttpClientSettings;
import io.phaseload.planfile.PlanFile;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The schema declares what the library's records have, too. */
class SettingTest {

    private static final URI URI_OF_TARGET = URI.create("http://localhost/");

    static Stream<Map.Entry<String, Setting>> all() {
        return Setting.all().entrySet().stream();
    }

    @ParameterizedTest
    @EnumSource
    void itsLimitsAreThoseOfThePlan(Limit limit) {
        all().filter(any -> any.getValue().key().endsWith("/" + limit.key())).forEach(any -> {
            Kind kind = any.getValue().kind();
            if (kind.type() == Kind.Type.COUNT) {
                assertThat(kind.least()).isEqualTo(limit.least());
                assertThat(kind.most()).isEqualTo(limit.most());
            }
        });
    }

    @Test
    void aPlanOfNoSettingsIsTheLibrarysDefault() {
        Settings bare = Settings.NONE.with(Setting.URL, given(Setting.URL, URI_OF_TARGET.toString()));
        assertThat(PlanFile.of(bare, Optional.empty()))
                .isEqualTo(Plan.builder(URI_OF_TARGET).build());
        Settings pooled = bare.with(Setting.CLIENT, given(Setting.CLIENT, "httpclient"));
        assertThat(PlanFile.of(pooled, Optional.empty()).engine().client()).contains(HttpClientSettings.DEFAULT);
    }

    private static Given given(String setting, String text) {
        return Given.text(setting, text, new Origin.Option(Setting.of(setting).option()));
    }

    @ParameterizedTest
    @MethodSource("all")
    void itNamesOnlySettings(Map.Entry<String, Setting> any) {
        Setting setting = any.getValue();
        assertThat(Setting.all().keySet())
                .containsAll(setting.needs().keySet())
                .containsAll(setting.excludes())
                .containsAll(setting.replaced());
    }

    @ParameterizedTest
    @MethodSource("all")
    void itsDefaultIsWithinItsLimits(Map.Entry<String, Setting> any) {
        Kind kind = any.getValue().kind();
        any.getValue().standard().ifPresent(text -> {
            switch (kind.type()) {
                case COUNT -> assertThat(Settings.NONE.count(any.getKey())).isBetween(kind.least(), kind.most());
                case TIME -> assertThat(Settings.NONE.time(any.getKey())).isPositive();
                default -> assertThat(kind.parseText(text)).isEqualTo(text);
            }
        });
    }
}
