package com.hengfu.sdk;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signatures of calls. */
public final class Signature {
    private static final String UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

    private Signature() {}

    /**
     * Computes the value of {@code X-Signature}: the lower-case hex HMAC-SHA256 of the canonical text.
     *
     * @param pathWithQuery as it is sent
     * @param timestamp Unix time in seconds
     */
    public static String sign(
            String secret, String method, String pathWithQuery, String timestamp, String nonce, byte[] body) {
        try {
            String bodyHash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
            String canonical = String.join("\n", method, pathWithQuery, timestamp, nonce, bodyHash);
            return HexFormat.of().formatHex(hmac(bytes(secret), bytes(canonical)));
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }

    /** Computes the HMAC-SHA256 of some parts, one after the other. */
    static byte[] hmac(byte[] key, byte[]... parts) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            for (byte[] part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }

    /** Percent-encodes a text for a path or a query: every byte but letters, digits and {@code -._~}. */
    static String encode(String text) {
        StringBuilder out = new StringBuilder();
        for (byte each : bytes(text)) {
            if (each > 0 && UNRESERVED.indexOf(each) >= 0) {
                out.append((char) each);
            } else {
                out.append(String.format("%%%02X", each));
            }
        }
        return out.toString();
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
