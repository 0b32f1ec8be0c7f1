package com.hengfu.sdk;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Sends signed calls, and repeats those that may succeed later: the same text, newly signed. */
final class Transport {
    /** The version of the Open API that this library is written for. */
    private static final String API_VERSION = "2026-11-25";

    private static final String USER_AGENT = "hengfu-java/0.1.0";
    private static final Duration MAX_DELAY = Duration.ofSeconds(30);
    /** The longest wait that the service may ask for; after a longer one the caller decides. */
    private static final int MAX_RETRY_AFTER_SECONDS = 60;

    private final SecureRandom random = new SecureRandom();
    private final Hengfu.Builder options;
    private final String base;
    private final HttpClient http;

    Transport(Hengfu.Builder options) {
        this.options = options;
        base = checkedBase(options.base);
        // HTTP/1.1: one lost connection ends one call only.
        http =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .connectTimeout(options.timeout)
                        .build();
    }

    <T> T get(String path, Map<String, String> query, Function<Map<String, Object>, T> reader) {
        return readAs(reader, send("GET", path + queryText(query), null, null));
    }

    <T> T post(String path, Map<String, Object> body, String idempotencyKey, Function<Map<String, Object>, T> reader) {
        return readAs(reader, send("POST", path, body, idempotencyKey));
    }

    /** Reads a reply into a type. One that lacks a field is not the service's own, so the outcome is unknown. */
    private static <T> T readAs(Function<Map<String, Object>, T> reader, Map<String, Object> reply) {
        try {
            return reader.apply(reply);
        } catch (HengfuException error) {
            throw new ConnectionException(error);
        }
    }

    private Map<String, Object> send(
            String method, String pathWithQuery, Map<String, Object> body, String idempotencyKey) {
        byte[] content = body == null ? new byte[0] : Signature.bytes(Json.write(body));
        boolean isUnknown = false;
        for (int attempt = 0; ; attempt++) {
            Duration wait;
            try {
                return attempt(method, pathWithQuery, content, idempotencyKey);
            } catch (HengfuException | ConnectionException error) {
                isUnknown = isUnknownAfter(error, isUnknown);
                wait = waitBefore(error, options.retryDelay.multipliedBy(1L << Math.min(attempt, 20)));
                if (wait == null || attempt >= options.maxRetries) {
                    throw isUnknown && error instanceof HengfuException ? new ConnectionException(error) : error;
                }
            }
            pause(wait);
        }
    }

    private Map<String, Object> attempt(
            String method, String pathWithQuery, byte[] content, String idempotencyKey) {
        byte[] bytes = new byte[16];
        random.nextBytes(bytes);
        String nonce = HexFormat.of().formatHex(bytes);
        String timestamp = String.valueOf(Instant.now().getEpochSecond());
        String signature = Signature.sign(options.secret, method, pathWithQuery, timestamp, nonce, content);
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(base + pathWithQuery))
                        .header("User-Agent", USER_AGENT)
                        .header("Hengfu-Version", API_VERSION)
                        .header("X-Key", options.key)
                        .header("X-Timestamp", timestamp)
                        .header("X-Nonce", nonce)
                        .header("X-Signature", signature)
                        .method(method, content.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(content));
        if (options.language != null) {
            request.header("Accept-Language", options.language);
        }
        if (idempotencyKey != null) {
            request.header("Idempotency-Key", idempotencyKey);
        }
        if (content.length > 0) {
            request.header("Content-Type", "application/json");
        }
        CompletableFuture<HttpResponse<String>> reply =
                http.sendAsync(request.build(), BodyHandlers.ofString(StandardCharsets.UTF_8));
        try {
            // The timeout of an HttpRequest ends with the headers of the reply. This one covers the body, too.
            return read(reply.get(options.timeout.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException error) {
            reply.cancel(true);
            throw new ConnectionException(new HttpTimeoutException("no whole reply within " + options.timeout));
        } catch (ExecutionException error) {
            throw new ConnectionException(error.getCause());
        } catch (InterruptedException error) {
            reply.cancel(true);
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted: the outcome is unknown", error);
        }
    }

    /** Returns the base without a slash at its end. Plain HTTP would show all orders to the network. */
    private static String checkedBase(String base) {
        URI uri = URI.create(base);
        String host = Objects.requireNonNullElse(uri.getHost(), "");
        boolean isHttp = "http".equals(uri.getScheme()) && isLocal(host);
        if (host.isEmpty() || !("https".equals(uri.getScheme()) || isHttp)) {
            throw new IllegalArgumentException("base must begin with https://");
        }
        boolean isBare = uri.getPath().isEmpty() || uri.getPath().equals("/");
        if (!isBare || uri.getQuery() != null || uri.getFragment() != null || uri.getUserInfo() != null) {
            throw new IllegalArgumentException("base must be a scheme and a host only");
        }
        return uri.getScheme() + "://" + uri.getRawAuthority();
    }

    private static boolean isLocal(String host) {
        // Only addresses: a name would be resolved.
        boolean isAddress = host.matches("127(\\.[0-9]{1,3}){3}") || host.equals("[::1]");
        try {
            return host.equals("localhost") || (isAddress && InetAddress.getByName(host).isLoopbackAddress());
        } catch (IOException error) {
            return false;
        }
    }

    private static String queryText(Map<String, String> query) {
        StringBuilder text = new StringBuilder();
        query.forEach(
                (name, value) -> {
                    if (value != null) {
                        text.append(text.length() == 0 ? '?' : '&')
                                .append(Signature.encode(name))
                                .append('=')
                                .append(Signature.encode(value));
                    }
                });
        return text.toString();
    }

    private static Map<String, Object> read(HttpResponse<String> response) {
        Map<String, Object> reply = Json.readObjectOrNull(response.body());
        if (response.statusCode() >= 200 && response.statusCode() < 300 && reply != null) {
            return reply;
        }
        throw errorOf(response, reply == null ? Map.of() : reply);
    }

    @SuppressWarnings("unchecked")
    private static HengfuException errorOf(HttpResponse<String> response, Map<String, Object> reply) {
        int status = response.statusCode();
        Integer retryAfter =
                response.headers()
                        .firstValue("retry-after")
                        .filter(text -> text.matches("[0-9]{1,9}"))
                        .map(Integer::valueOf)
                        .orElse(null);
        String given = response.headers().firstValue("x-request-id").orElse(null);
        if (!(reply.get("code") instanceof String code)) {
            String message = "the reply with status " + status + " is not one of the service";
            return HengfuException.unreadable(status, message, given, retryAfter);
        }
        String skew =
                code.equals("signature_expired")
                        ? skewSentence(response.headers().firstValue("date").orElse(""))
                        : "";
        Map<String, List<String>> errors = new LinkedHashMap<>();
        if (reply.get("errors") instanceof Map<?, ?> byField) {
            byField.forEach((field, messages) -> errors.put((String) field, (List<String>) messages));
        }
        return new HengfuException(
                status,
                code,
                Objects.requireNonNullElse(reply.get("message"), "") + skew,
                reply.get("request_id") instanceof String requestId ? requestId : given,
                reply.get("details") instanceof Map<?, ?> details ? (Map<String, Object>) details : Map.of(),
                errors,
                retryAfter);
    }

    /** Says how far this machine's clock is off, by the service's own. */
    private static String skewSentence(String date) {
        try {
            Instant theirs = ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
            long seconds = Duration.between(theirs, Instant.now()).toSeconds();
            String direction = seconds > 0 ? "ahead of" : "behind";
            return " This machine's clock is " + Math.abs(seconds) + " s " + direction
                    + " the service's: synchronize it (NTP).";
        } catch (DateTimeParseException error) {
            return "";
        }
    }

    /** Tells whether the outcome of a call is unknown after an attempt that failed. {@code wasUnknown}: it was before that attempt. */
    private static boolean isUnknownAfter(RuntimeException error, boolean wasUnknown) {
        if (!(error instanceof HengfuException refusal)) {
            return true;
        }
        return refusal.leavesOutcomeUnknown() || (wasUnknown && !refusal.isAboutOrder());
    }

    /** Returns how long to wait before another attempt; null if there must be none. */
    private Duration waitBefore(RuntimeException error, Duration backoff) {
        Duration capped = backoff.compareTo(MAX_DELAY) > 0 ? MAX_DELAY : backoff;
        // At random between half and all of it, so that many callers do not return at once.
        Duration wait = Duration.ofMillis((long) (capped.toMillis() * (0.5 + random.nextDouble() / 2)));
        if (!(error instanceof HengfuException refusal)) {
            return wait;
        }
        int asked = Objects.requireNonNullElse(refusal.retryAfterSeconds(), 0);
        if (!refusal.isTemporary() || asked > MAX_RETRY_AFTER_SECONDS) {
            return null;
        }
        return wait.toSeconds() >= asked ? wait : Duration.ofSeconds(asked);
    }

    private static void pause(Duration wait) {
        try {
            Thread.sleep(wait.toMillis());
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted: the outcome is unknown", error);
        }
    }
}
