package io.phaseload.httpclient;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The client knows the way of a request, and nothing of engines and results. */
@Tag("slow")
class HttpClientArchitectureTest {

    private static final JavaClasses OWN = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.phaseload.httpclient");

    @Test
    void itKnowsOnlyHowRequestsAreSent() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.phaseload.httpclient",
                        "io.phaseload.host",
                        "io.phaseload.http..",
                        "io.phaseload.journey",
                        "io.phaseload.measure..",
                        "io.phaseload.timing",
                        "io.phaseload.plan..",
                        "io.phaseload.run",
                        "org.apache.hc..",
                        "java..",
                        "javax.net.ssl")
                .check(OWN);
    }

    @Test
    void nothingIsWrittenToTheConsole() {
        NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(OWN);
    }
}
