package com.hengfu.sdk;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads and writes JSON (RFC 8259), because Java's standard library does not. Objects are maps in the order of their members,
 * arrays lists, numbers {@link BigDecimal}. Strict: anything else than one value is an error, and so are members with the same
 * name, and texts that are nested deeper than {@value #MAX_DEPTH}.
 */
public final class Json {
    private static final int MAX_DEPTH = 64;

    private final String text;
    private int position;

    private Json(String text) {
        this.text = text;
    }

    /** Says where a text is not JSON. */
    public static final class SyntaxException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        SyntaxException(String message) {
            super(message);
        }
    }

    /** Reads one value. */
    public static Object read(String text) {
        Json reader = new Json(text);
        reader.skipSpace();
        Object value = reader.value(0);
        reader.skipSpace();
        if (reader.position < text.length()) {
            throw reader.error("text after the value");
        }
        return value;
    }

    /** Reads an object; null if the text is any other value, or not JSON. */
    @SuppressWarnings("unchecked")
    public static Map<String, Object> readObjectOrNull(String text) {
        try {
            return read(text) instanceof Map<?, ?> object ? (Map<String, Object>) object : null;
        } catch (SyntaxException error) {
            return null;
        }
    }

    /** Writes maps, lists, texts, numbers, booleans and null. */
    public static String write(Object value) {
        StringBuilder out = new StringBuilder();
        writeTo(out, value);
        return out.toString();
    }

    private Object value(int depth) {
        if (depth > MAX_DEPTH) {
            throw error("nested too deeply");
        }
        if (position >= text.length()) {
            throw error("the text ends too early");
        }
        char next = text.charAt(position);
        switch (next) {
            case '{':
                return object(depth);
            case '[':
                return array(depth);
            case '"':
                return string();
            case 't':
                return word("true", Boolean.TRUE);
            case 'f':
                return word("false", Boolean.FALSE);
            case 'n':
                return word("null", null);
            default:
                return number();
        }
    }

    private Map<String, Object> object(int depth) {
        Map<String, Object> members = new LinkedHashMap<>();
        position++;
        skipSpace();
        if (accept('}')) {
            return members;
        }
        do {
            skipSpace();
            if (position >= text.length() || text.charAt(position) != '"') {
                throw error("a member without a name");
            }
            String name = string();
            skipSpace();
            expect(':');
            skipSpace();
            if (members.containsKey(name)) {
                throw error("two members with the same name");
            }
            members.put(name, value(depth + 1));
            skipSpace();
        } while (accept(','));
        expect('}');
        return members;
    }

    private List<Object> array(int depth) {
        List<Object> items = new ArrayList<>();
        position++;
        skipSpace();
        if (accept(']')) {
            return items;
        }
        do {
            skipSpace();
            items.add(value(depth + 1));
            skipSpace();
        } while (accept(','));
        expect(']');
        return items;
    }

    private String string() {
        StringBuilder out = new StringBuilder();
        position++;
        while (position < text.length()) {
            char next = text.charAt(position++);
            if (next == '"') {
                return out.toString();
            }
            if (next < ' ') {
                throw error("a control character in a text");
            }
            out.append(next == '\\' ? escaped() : next);
        }
        throw error("a text without an end");
    }

    private char escaped() {
        if (position >= text.length()) {
            throw error("a text without an end");
        }
        char next = text.charAt(position++);
        switch (next) {
            case '"':
            case '\\':
            case '/':
                return next;
            case 'b':
                return '\b';
            case 'f':
                return '\f';
            case 'n':
                return '\n';
            case 'r':
                return '\r';
            case 't':
                return '\t';
            case 'u':
                return unit();
            default:
                throw error("an unknown escape");
        }
    }

    private char unit() {
        if (position + 4 > text.length()) {
            throw error("a text without an end");
        }
        int code = 0;
        for (int end = position + 4; position < end; position++) {
            int digit = Character.digit(text.charAt(position), 16);
            if (digit < 0 || text.charAt(position) > 'f') {
                throw error("an unknown escape");
            }
            code = code * 16 + digit;
        }
        return (char) code;
    }

    private BigDecimal number() {
        int start = position;
        accept('-');
        if (!accept('0')) {
            digits();
        }
        if (accept('.')) {
            digits();
        }
        if (accept('e') || accept('E')) {
            if (!accept('+')) {
                accept('-');
            }
            digits();
        }
        try {
            return new BigDecimal(text.substring(start, position));
        } catch (NumberFormatException outOfRange) {
            throw error("a number out of range");
        }
    }

    private void digits() {
        int start = position;
        while (position < text.length() && text.charAt(position) >= '0' && text.charAt(position) <= '9') {
            position++;
        }
        if (position == start) {
            throw error("not a value");
        }
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, position)) {
            throw error("not a value");
        }
        position += word.length();
        return value;
    }

    private void skipSpace() {
        while (position < text.length() && " \t\r\n".indexOf(text.charAt(position)) >= 0) {
            position++;
        }
    }

    private boolean accept(char wanted) {
        boolean isThere = position < text.length() && text.charAt(position) == wanted;
        if (isThere) {
            position++;
        }
        return isThere;
    }

    private void expect(char wanted) {
        if (!accept(wanted)) {
            throw error("no " + wanted);
        }
    }

    private SyntaxException error(String message) {
        return new SyntaxException(message + " at " + position);
    }

    private static void writeTo(StringBuilder out, Object value) {
        if (value == null || value instanceof Boolean || value instanceof Integer || value instanceof Long) {
            out.append(value);
        } else if (value instanceof BigDecimal number) {
            out.append(number.toPlainString());
        } else if (value instanceof String string) {
            writeString(out, string);
        } else if (value instanceof List<?> items) {
            String separator = "[";
            for (Object item : items) {
                out.append(separator);
                writeTo(out, item);
                separator = ",";
            }
            out.append(items.isEmpty() ? "[]" : "]");
        } else if (value instanceof Map<?, ?> members) {
            String separator = "{";
            for (Map.Entry<?, ?> member : members.entrySet()) {
                out.append(separator);
                writeString(out, (String) member.getKey());
                out.append(':');
                writeTo(out, member.getValue());
                separator = ",";
            }
            out.append(members.isEmpty() ? "{}" : "}");
        } else {
            throw new IllegalArgumentException("no JSON for " + value.getClass());
        }
    }

    private static void writeString(StringBuilder out, String string) {
        out.append('"');
        for (int index = 0; index < string.length(); index++) {
            char next = string.charAt(index);
            if (next == '"' || next == '\\') {
                out.append('\\').append(next);
            } else if (next < ' ') {
                out.append(String.format("\\u%04x", (int) next));
            } else {
                out.append(next);
            }
        }
        out.append('"');
    }
}
