package io.phaseload;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Decisions follow from plans, results and statistics: none sends a request, and none needs another one. */
@Tag("slow")
class DecideArchitectureTest {

    /** The library's packages that each decision may use. */
    private static final Map<String, List<String>> USED = Map.of(
            "ab",
                    List.of(
                            "files",
                            "measure..",
                            "plan..",
                            "timing",
                            "stats..",
                            "result",
                            "result.host",
                            "result.json",
                            "result.store",
                            "verdict"),
            "audit", List.of("files", "stats", "result.json"),
            "capacity",
                    List.of(
                            "options",
                            "diagnosis",
                            "plan..",
                            "measure..",
                            "timing",
                            "stats..",
                            "verdict",
                            "files",
                            "result",
                            "result.host",
                            "result.json"),
            "history",
                    List.of(
                            "plan..",
                            "verdict",
                            "stats..",
                            "result",
                            "result.host",
                            "result.json",
                            "result.store",
                            "compare"),
            "prove", List.of("plan..", "measure..", "run", "files", "result", "result.json"),
            "soak", List.of("plan..", "measure..", "host", "result", "result.build", "result.json", "stats"));

    private static final JavaClasses DECIDE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(
                    USED.keySet().stream().map(DecideArchitectureTest::name).toList());

    private static String name(String end) {
        return "io.phaseload." + end;
    }

    @Test
    void decisionsUseTheLibraryAndNotEachOther() {
        USED.forEach((decision, used) -> {
            assertThat(DECIDE.containPackage(name(decision))).as(decision).isTrue();
            String[] allowed = Stream.concat(Stream.of(decision), used.stream())
                    .map(DecideArchitectureTest::name)
                    .toArray(String[]::new);
            noClasses()
                    .that()
                    .resideInAPackage(name(decision))
                    .should()
                    .dependOnClassesThat(resideInAPackage("io.phaseload..").and(resideOutsideOfPackages(allowed)))
                    .check(DECIDE);
        });
    }

    @Test
    void nothingIsWrittenToTheConsole() {
        NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(DECIDE);
    }
}
