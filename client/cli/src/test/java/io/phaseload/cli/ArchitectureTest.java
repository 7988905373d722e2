package io.phaseload.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private static final JavaClasses CLI =
            new ClassFileImporter()
                    .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                    .importPackages("io.phaseload.cli");

    @Test
    void onlyMainKnowsTheStandardStreams() {
        noClasses()
                .that()
                .doNotBelongToAnyOf(Main.class)
                .should(ACCESS_STANDARD_STREAMS)
                .check(CLI);
    }

    @Test
    void onlyMainAndTheSecondSignalEndTheJvm() {
        noClasses()
                .that()
                .doNotBelongToAnyOf(Main.class, Interruption.class, OutOfMemory.class)
                .should()
                .callMethod(System.class, "exit", int.class)
                .orShould()
                .callMethod(Runtime.class, "exit", int.class)
                .orShould()
                .callMethod(Runtime.class, "halt", int.class)
                .check(CLI);
    }

    @Test
    void onlyMainIsPublic() {
        classes()
                .that()
                .doNotBelongToAnyOf(Main.class)
                .and()
                .areTopLevelClasses()
                .should()
                .bePackagePrivate()
                .check(CLI);
    }
}
