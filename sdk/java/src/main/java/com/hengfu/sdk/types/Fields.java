package com.hengfu.sdk.types;

import com.hengfu.sdk.HengfuException;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;

/** Reads the fields of a JSON object. A reply that lacks one, or has another type, is not one of the service. */
final class Fields {
    private Fields() {}

    static String text(Map<String, Object> json, String name) {
        return present(textOrNull(json, name), name);
    }

    static String textOrNull(Map<String, Object> json, String name) {
        return typed(json, name, String.class);
    }

    static Instant instant(Map<String, Object> json, String name) {
        return present(instantOrNull(json, name), name);
    }

    static Instant instantOrNull(Map<String, Object> json, String name) {
        String text = textOrNull(json, name);
        try {
            return text == null ? null : Instant.parse(text);
        } catch (DateTimeParseException error) {
            throw unreadable(name);
        }
    }

    static Boolean flag(Map<String, Object> json, String name) {
        return present(flagOrNull(json, name), name);
    }

    static Boolean flagOrNull(Map<String, Object> json, String name) {
        return typed(json, name, Boolean.class);
    }

    static Integer integer(Map<String, Object> json, String name) {
        return present(integerOrNull(json, name), name);
    }

    static Integer integerOrNull(Map<String, Object> json, String name) {
        BigDecimal number = typed(json, name, BigDecimal.class);
        try {
            return number == null ? null : number.intValueExact();
        } catch (ArithmeticException error) {
            throw unreadable(name);
        }
    }

    static Object any(Map<String, Object> json, String name) {
        return present(anyOrNull(json, name), name);
    }

    static Object anyOrNull(Map<String, Object> json, String name) {
        return json.get(name);
    }

    private static <T> T typed(Map<String, Object> json, String name, Class<T> type) {
        Object value = json.get(name);
        if (value != null && !type.isInstance(value)) {
            throw unreadable(name);
        }
        return type.cast(value);
    }

    private static <T> T present(T value, String name) {
        if (value == null) {
            throw unreadable(name);
        }
        return value;
    }

    private static HengfuException unreadable(String name) {
        return HengfuException.unreadable(200, "the reply has no readable " + name, null, null);
    }
}
