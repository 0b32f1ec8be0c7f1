package com.hengfu.sdk;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.Test;

public final class JsonTest {
    @Test
    public void readsEveryKindOfValue() {
        assertEquals(Map.of(), Json.read(" { } "));
        assertEquals(List.of(), Json.read("[\t]"));
        assertEquals(Arrays.asList(true, false, null), Json.read("[true,false,null]"));
        assertEquals("\"\\/\b\f\n\r\té🍚", Json.read("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83c\\uDF5A\""));
        assertEquals(new BigDecimal("-0.10"), Json.read("-0.10"));
        assertEquals(new BigDecimal("12E+3"), Json.read("12e+3"));
        assertEquals(Map.of("a", List.of(Map.of("b", "c"))), Json.read("{\"a\":[{\"b\":\"c\"}]}"));
    }

    @Test
    public void writesEveryKindOfValue() {
        String text = "{\"a\":[1,\"\\\"\\\\\\u0001é\",true,null,{},[]],\"b\":0.10}";
        assertEquals(text, Json.write(Json.read(text)));
        assertThrows(IllegalArgumentException.class, () -> Json.write(1.5));
    }

    @Test
    public void refusesEverythingElse() {
        String[] malformed = {
            "", " ", "nul", "tru", "{", "[", "[1", "[1,", "[1,]", "[1 2]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{1:1}",
            "01", "1.", ".5", "+1", "-", "1e", "1e+", "NaN", "Infinity", "1 2", "\"", "\"\\", "\"\\x\"", "\"\\u12\"",
            "\"\\u12g4\"", "\"\n\"", "'a'", "{\"a\":1,\"a\":2}", "[1]]", "/**/1", "\uFEFF1", "1e99999999999",
        };
        for (String text : malformed) {
            assertThrows(text, Json.SyntaxException.class, () -> Json.read(text));
        }
        String deep = "[".repeat(100_000) + "]".repeat(100_000);
        assertThrows(Json.SyntaxException.class, () -> Json.read(deep));
    }
}
