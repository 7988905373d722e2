package io.phaseload.engine.threads;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * Creates users' threads: platform threads, or virtual ones where the JDK has them. The code is compiled for JDK 17,
 * hence the reflection.
 */
public final class UserThreads {

    private static final Method START_VIRTUAL_BUILDER = ofVirtual();

    private UserThreads() {}

    /** {@return true if this JDK has virtual threads: on JDK 21 and later} */
    public static boolean virtualSupported() {
        return START_VIRTUAL_BUILDER != null;
    }

    /**
     * Creates a thread without starting it.
     *
     * @param virtual true if it is a virtual thread, which this JDK must support
     * @param name the thread's
     * @return the thread
     */
    public static Thread newThread(boolean virtual, String name, Runnable task) {
        if (!virtual) {
            return new Thread(task, name);
        }
        try {
            Object builder = START_VIRTUAL_BUILDER.invoke(null);
            Class<?> type = Class.forName("java.lang.Thread$Builder");
            Object named = type.getMethod("name", String.class).invoke(builder, name);
            return (Thread) type.getMethod("unstarted", Runnable.class).invoke(named, task);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("no virtual thread", e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("no virtual thread", e);
        }
    }

    private static Method ofVirtual() {
        // In JDK 19 and 20 the method throws unless preview features are enabled.
        if (Runtime.version().feature() < 21) {
            return null;
        }
        try {
            return Thread.class.getMethod("ofVirtual");
        } catch (NoSuchMethodException e) {
            return null;
        }
    }
}
