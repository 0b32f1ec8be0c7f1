package com.hengfu.sdk;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;

import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.Test;

public final class SignaturesTest {
    @Test
    public void signsAsTheServiceDoes() throws Exception {
        List<Map<String, Object>> requests = Vectors.list(Vectors.read("requests"), "requests");
        assertFalse(requests.isEmpty());
        for (Map<String, Object> each : requests) {
            String signature =
                    Signature.sign(
                            Vectors.field(each, "secret"),
                            Vectors.field(each, "method"),
                            Vectors.field(each, "pathWithQuery"),
                            Vectors.field(each, "timestamp"),
                            Vectors.field(each, "nonce"),
                            Signature.bytes(Vectors.field(each, "body")));
            assertEquals(each.get("name").toString(), each.get("signature"), signature);
        }
    }

    @Test
    public void encodesEveryByteThatIsNotUnreserved() throws Exception {
        List<Map<String, Object>> encodings = Vectors.list(Vectors.read("requests"), "encodings");
        assertFalse(encodings.isEmpty());
        for (Map<String, Object> each : encodings) {
            assertEquals(each.get("encoded"), Signature.encode(Vectors.field(each, "text")));
        }
    }

    @Test
    public void judgesCallbacks() throws Exception {
        List<Map<String, Object>> callbacks = Vectors.list(Vectors.read("callbacks"), "callbacks");
        assertFalse(callbacks.isEmpty());
        for (Map<String, Object> each : callbacks) {
            assertEquals(each.get("name").toString(), each.get("outcome"), verdict(each));
        }
    }

    @Test
    public void refusesSecretsWithoutAKey() throws Exception {
        List<String> refused = Vectors.field(Vectors.read("callbacks"), "refusedSecrets");
        assertFalse(refused.isEmpty());
        for (String each : refused) {
            assertThrows(each, IllegalArgumentException.class, () -> new CallbackVerifier("sk_test", each));
        }
    }

    private static String verdict(Map<String, Object> each) {
        BigDecimal now = Vectors.field(each, "now");
        Clock clock = Clock.fixed(Instant.ofEpochSecond(now.longValueExact()), ZoneOffset.UTC);
        List<String> secrets = Vectors.field(each, "secrets");
        CallbackVerifier verifier =
                new CallbackVerifier(Duration.ofSeconds(300), clock, secrets.toArray(String[]::new));
        String body = Vectors.field(each, "body");
        try {
            CallbackEvent event = verifier.verify(Vectors.field(each, "headers"), Signature.bytes(body));
            assertEquals(Json.read(body), Map.of("type", event.type(), "timestamp", event.timestamp(), "data", event.data()));
            return "ok";
        } catch (CallbackVerificationException error) {
            return error.reason().name().toLowerCase(Locale.ROOT);
        }
    }
}
