package com.hengfu.sdk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Reads the vectors that all libraries share. Tests run in the folder of this library. */
final class Vectors {
    private Vectors() {}

    @SuppressWarnings("unchecked")
    static Map<String, Object> read(String name) throws IOException {
        return (Map<String, Object>) Json.read(Files.readString(Path.of("../vectors", name + ".json")));
    }

    @SuppressWarnings("unchecked")
    static List<Map<String, Object>> list(Map<String, Object> json, String name) {
        return (List<Map<String, Object>>) json.get(name);
    }

    @SuppressWarnings("unchecked")
    static <T> T field(Map<String, Object> json, String name) {
        return (T) json.get(name);
    }
}
