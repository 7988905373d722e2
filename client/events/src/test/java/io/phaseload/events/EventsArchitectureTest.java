package io.phaseload.events;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Event loops know the way of a request up to the engine, and nothing of what comes after. */
class EventsArchitectureTest {

    private static final JavaClasses EVENTS =
            new ClassFileImporter()
                    .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                    .importPackages("io.phaseload");

    @Test
    void loopsUseNettyAndTheLibraryUpToTheEngine() {
        classes()
                .that()
                .resideInAPackage("io.phaseload.events..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.phaseload.events..",
                        "io.phaseload.engine",
                        "io.phaseload.health",
                        "io.phaseload.http",
                        "io.phaseload.measure",
                        "io.phaseload.plan",
                        "io.netty..",
                        "java..",
                        "javax.net.ssl")
                .check(EVENTS);
    }

    @Test
    void nobodyInTheLibraryKnowsThem() {
        slices().matching("io.phaseload.(*)..").should().beFreeOfCycles().check(EVENTS);
        classes()
                .that()
                .resideInAPackage("io.phaseload.events..")
                .should()
                .onlyHaveDependentClassesThat()
                .resideInAPackage("io.phaseload.events..")
                .check(EVENTS);
    }

    @Test
    void onlyTheEngineIsPublic() {
        classes()
                .that()
                .resideInAPackage("io.phaseload.events..")
                .and()
                .areTopLevelClasses()
                .and()
                .doNotBelongToAnyOf(EventEngine.class)
                .should()
                .bePackagePrivate()
                .check(EVENTS);
    }

    @Test
    void nothingIsWrittenToTheConsole() {
        NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(EVENTS);
    }
}
