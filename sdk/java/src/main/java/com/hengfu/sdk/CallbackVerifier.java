package com.hengfu.sdk;

import com.hengfu.sdk.CallbackVerificationException.Reason;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Tells genuine callbacks from other requests. */
public final class CallbackVerifier {
    private final List<byte[]> keys = new ArrayList<>();
    private final Duration tolerance;
    private final Clock clock;

    /** Creates a verifier for the secret of your access key or endpoint, or for several while you replace one. */
    public CallbackVerifier(String... secrets) {
        this(Duration.ofMinutes(5), Clock.systemUTC(), secrets);
    }

    /** Creates a verifier with another tolerance between a callback's timestamp and the clock. */
    public CallbackVerifier(Duration tolerance, Clock clock, String... secrets) {
        this.tolerance = tolerance;
        this.clock = clock;
        for (String secret : secrets) {
            byte[] key =
                    secret.startsWith("whsec_")
                            ? Base64.getDecoder().decode(secret.substring("whsec_".length()))
                            : Signature.bytes(secret);
            if (key.length == 0) {
                throw new IllegalArgumentException("the secret must not be empty");
            }
            keys.add(key);
        }
    }

    /**
     * Returns the event of a genuine callback.
     *
     * @param headers names in any case
     * @param rawBody as it arrived: JSON that was read and written again has another signature
     * @throws CallbackVerificationException for any other request
     */
    public CallbackEvent verify(Map<String, String> headers, byte[] rawBody) throws CallbackVerificationException {
        Map<String, String> anyCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        anyCase.putAll(headers);
        String id = anyCase.getOrDefault("webhook-id", "");
        String timestamp = anyCase.getOrDefault("webhook-timestamp", "");
        String signatures = anyCase.getOrDefault("webhook-signature", "");
        if (id.isEmpty() || timestamp.isEmpty() || signatures.isEmpty()) {
            throw new CallbackVerificationException(Reason.MISSING_HEADER);
        }
        if (!timestamp.matches("[0-9]{1,12}") || ageSeconds(timestamp) > tolerance.toSeconds()) {
            throw new CallbackVerificationException(Reason.TIMESTAMP_OUT_OF_RANGE);
        }
        if (!isSigned(Signature.bytes(id + "." + timestamp + "."), rawBody, signatures)) {
            throw new CallbackVerificationException(Reason.NO_MATCHING_SIGNATURE);
        }
        return event(id, Json.readObjectOrNull(new String(rawBody, StandardCharsets.UTF_8)));
    }

    private long ageSeconds(String timestamp) {
        return Math.abs(clock.instant().getEpochSecond() - Long.parseLong(timestamp));
    }

    private boolean isSigned(byte[] prefix, byte[] rawBody, String signatures) {
        for (byte[] key : keys) {
            byte[] expected = Signature.hmac(key, prefix, rawBody);
            for (String entry : signatures.split(" ")) {
                if (MessageDigest.isEqual(expected, bytesOf(entry))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static byte[] bytesOf(String entry) {
        try {
            return entry.startsWith("v1,") ? Base64.getDecoder().decode(entry.substring("v1,".length())) : new byte[0];
        } catch (IllegalArgumentException notBase64) {
            return new byte[0];
        }
    }

    @SuppressWarnings("unchecked")
    private static CallbackEvent event(String id, Map<String, Object> json) throws CallbackVerificationException {
        if (json != null && json.get("type") instanceof String type && json.get("data") instanceof Map<?, ?> data) {
            return new CallbackEvent(id, type, String.valueOf(json.get("timestamp")), (Map<String, Object>) data);
        }
        throw new CallbackVerificationException(Reason.MALFORMED_BODY);
    }
}
