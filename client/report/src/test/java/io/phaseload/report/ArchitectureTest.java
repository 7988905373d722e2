package io.phaseload.report;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class ArchitectureTest {

    private static final JavaClasses REPORT = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.phaseload.report");

    /** It comes after the results, and has nothing to do with how they are measured. */
    @Test
    void reportsDependOnResults() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.phaseload", "io.phaseload.http..", "io.phaseload.scrape", "io.phaseload.cli..")
                .check(REPORT);
    }

    @Test
    void noPackagesFormACycle() {
        slices().matching("io.phaseload.(**)").should().beFreeOfCycles().check(REPORT);
    }

    @Test
    void nothingIsWrittenToTheConsole() {
        NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(REPORT);
    }
}
