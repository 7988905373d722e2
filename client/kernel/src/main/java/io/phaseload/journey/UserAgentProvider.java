package io.phaseload.journey;

import io.phaseload.plan.Target;
import io.phaseload.plan.journey.SessionRules;
import java.util.ServiceLoader;
import java.util.function.Supplier;

/** Makes the agents of users; found on the class path. Thread-safe. */
public interface UserAgentProvider {

    /**
     * Makes an agent that remembers nothing.
     *
     * @param credentials {@code NAME:PASSWORD}, if the rules have some; asked for at a challenge
     */
    UserAgent newAgent(Target target, SessionRules rules, Supplier<String> credentials);

    /**
     * Finds it.
     *
     * @throws IllegalArgumentException if there is none
     */
    static UserAgentProvider find() {
        return ServiceLoader.load(UserAgentProvider.class, UserAgentProvider.class.getClassLoader())
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("session: expected phaseload-httpclient on the class path,"
                                + " which has the rules of cookies, redirects and"
                                + " challenges"));
    }
}
