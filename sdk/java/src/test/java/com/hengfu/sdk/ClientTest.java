package com.hengfu.sdk;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.hengfu.sdk.types.Collection;
import com.hengfu.sdk.types.NewCollection;
import com.hengfu.sdk.types.NewRefund;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.After;
import org.junit.Test;
import org.junit.function.ThrowingRunnable;

public final class ClientTest {
    private static final String KEY = "ak_test";
    private static final String SECRET = "sk_test";

    private record Arrived(String method, String path, Headers headers, String body) {}

    private final List<Arrived> arrived = Collections.synchronizedList(new ArrayList<>());
    private HttpServer server;

    /** Starts a server that gives one reply after the other, and returns a client of it. */
    private Hengfu start(List<?> replies, String order) throws IOException {
        arrived.clear();
        server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    String body = new String(exchange.getRequestBody().readAllBytes(), "UTF-8");
                    String path = exchange.getRequestURI().toString();
                    int count = arrived.size();
                    arrived.add(new Arrived(exchange.getRequestMethod(), path, exchange.getRequestHeaders(), body));
                    Object reply = count < replies.size() ? replies.get(count) : Map.of("status", BigDecimal.valueOf(500), "body", "too many");
                    if (reply instanceof Map<?, ?> given) {
                        byte[] content = Signature.bytes(given.get("body").equals("$order") ? order : (String) given.get("body"));
                        if (given.get("headers") instanceof Map<?, ?> headers) {
                            headers.forEach((name, value) -> exchange.getResponseHeaders().set((String) name, (String) value));
                        }
                        exchange.sendResponseHeaders(((BigDecimal) given.get("status")).intValue(), content.length == 0 ? -1 : content.length);
                        exchange.getResponseBody().write(content);
                    }
                    exchange.close();
                });
        server.start();
        return Hengfu.builder("http://127.0.0.1:" + server.getAddress().getPort(), KEY, SECRET)
                .retries(2, Duration.ofMillis(2))
                .build();
    }

    @After
    public void stop() {
        if (server != null) {
            server.stop(0);
        }
    }

    @Test
    public void retriesWhatMaySucceedLaterAndNothingElse() throws Exception {
        Map<String, Object> vectors = Vectors.read("exchanges");
        Map<String, Object> order = Vectors.field(vectors, "order");
        NewCollection body =
                NewCollection.of(
                        Vectors.field(order, "out_trade_no"), Vectors.field(order, "amount"), Vectors.field(order, "currency"));
        List<Map<String, Object>> exchanges = Vectors.list(vectors, "exchanges");
        assertFalse(exchanges.isEmpty());
        for (Map<String, Object> each : exchanges) {
            String name = Vectors.field(each, "name");
            // The server of the JDK writes the date itself.
            if (name.equals("a clock that differs")) {
                continue;
            }
            Hengfu client = start(Vectors.field(each, "replies"), Json.write(vectors.get("reply")));
            Object result;
            try {
                result = client.collections().create(body, "k-1");
            } catch (HengfuException | ConnectionException error) {
                result = error;
            }
            assertSigned(name, ((BigDecimal) each.get("attempts")).intValue(), Json.write(order));
            assertOutcome(name, result, each.get("outcome"));
            if (each.get("cause") != null) {
                assertOutcome(name, ((ConnectionException) result).getCause(), each.get("cause"));
            }
            server.stop(0);
        }
    }

    private void assertSigned(String name, int attempts, String body) {
        assertEquals(name, attempts, arrived.size());
        Set<String> nonces = new HashSet<>();
        for (Arrived each : arrived) {
            Headers headers = each.headers();
            String nonce = headers.getFirst("x-nonce");
            nonces.add(nonce);
            String signature =
                    Signature.sign(
                            SECRET, each.method(), each.path(), headers.getFirst("x-timestamp"), nonce, Signature.bytes(each.body()));
            assertEquals(name, signature, headers.getFirst("x-signature"));
            assertEquals(name, "k-1", headers.getFirst("idempotency-key"));
            assertEquals(name, List.of("POST", "/openapi/v1/collections", body), List.of(each.method(), each.path(), each.body()));
        }
        assertEquals(name, attempts, nonces.size());
    }

    private static void assertOutcome(String name, Object result, Object outcome) {
        if (outcome.equals("ok")) {
            Collection order = (Collection) result;
            assertEquals("C261120160000618033989", order.tradeNo());
            assertEquals("aStateToCome", order.status());
            assertNull(order.paidAt());
        } else if (outcome.equals("connection")) {
            assertEquals(name, ConnectionException.class, result.getClass());
        } else {
            HengfuException error = (HengfuException) result;
            Map<String, Object> found = new LinkedHashMap<>();
            found.put("status", BigDecimal.valueOf(error.status()));
            found.put("code", error.code());
            found.put("message", error.getMessage());
            found.put("requestId", error.requestId());
            found.put("details", error.details());
            found.put("errors", error.errors());
            found.put("isRateLimit", error.isRateLimit());
            found.put("isTemporary", error.isTemporary());
            found.put("retryAfterSeconds", error.retryAfterSeconds() == null ? null : BigDecimal.valueOf(error.retryAfterSeconds()));
            ((Map<?, ?>) outcome).forEach((field, value) -> assertEquals(name + ": " + field, value, found.get(field)));
        }
    }

    @Test
    public void saysHowFarTheClockIsOff() throws Exception {
        String body = "{\"code\":\"signature_expired\",\"message\":\"Too old.\",\"request_id\":\"r-1\"}";
        Hengfu client = start(List.of(Map.of("status", BigDecimal.valueOf(401), "body", body)), "");
        HengfuException error = assertThrows(HengfuException.class, client::balance);
        assertTrue(error.getMessage(), error.getMessage().matches("signature_expired: Too old\\. This machine's clock is \\d+ s .*"));
        assertEquals(1, arrived.size());
    }

    @Test
    public void readsListsPageByPage() throws Exception {
        Map<String, Object> vectors = Vectors.read("exchanges");
        Map<String, Object> pages = Vectors.field(vectors, "pages");
        List<BigDecimal> counts = Vectors.field(pages, "items");
        List<String> cursors = Vectors.field(pages, "cursors");
        List<Map<String, Object>> replies = new ArrayList<>();
        for (int page = 0; page < counts.size(); page++) {
            Map<String, Object> body = new LinkedHashMap<>();
            body.put("items", Collections.nCopies(counts.get(page).intValue(), vectors.get("reply")));
            body.put("next_cursor", cursors.get(page));
            replies.add(Map.of("status", BigDecimal.valueOf(200), "body", Json.write(body)));
        }
        Hengfu client = start(replies, "");
        int count = 0;
        for (Collection each : client.collections().list(new Filters(List.of("paid", "success"), null, null, 2))) {
            assertEquals("C261120160000618033989", each.tradeNo());
            count++;
            assertTrue(count > 1 || arrived.size() == 1);
        }
        assertEquals(3, count);
        List<String> expected = new ArrayList<>(List.of((String) pages.get("first")));
        expected.addAll(Vectors.field(pages, "others"));
        assertEquals(expected, arrived.stream().map(Arrived::path).toList());
    }

    @Test
    public void sendsNoFilterThatIsEmpty() throws Exception {
        Map<String, Object> vectors = Vectors.read("exchanges");
        Map<String, Object> empty = Vectors.field(Vectors.field(vectors, "pages"), "empty");
        Map<String, Object> page = Map.of("status", BigDecimal.valueOf(200), "body", "{\"items\":[],\"next_cursor\":null}");
        Hengfu client = start(List.of(page, page), "");
        assertFalse(client.collections().list(new Filters(List.of(), null, null, 2)).iterator().hasNext());
        assertFalse(client.balanceEntries(List.of(), Filters.none()).iterator().hasNext());
        assertEquals(
                List.of(empty.get("first"), "/openapi/v1/balance/entries/list"), arrived.stream().map(Arrived::path).toList());
    }

    @Test
    public void endsAnAttemptAfterItsTimeout() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Hengfu client =
                    Hengfu.builder("http://127.0.0.1:" + silent.getLocalPort(), KEY, SECRET)
                            .timeout(Duration.ofMillis(50))
                            .retries(0, Duration.ZERO)
                            .build();
            assertThrows(ConnectionException.class, client::balance);
        }
    }

    @Test(timeout = 10_000)
    public void endsAnAttemptWhoseReplyStopsHalfway() throws Exception {
        CompletableFuture<Integer> rest;
        try (ServerSocket service = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            rest = CompletableFuture.supplyAsync(() -> sendHalf(service, () -> {}));
            Hengfu client =
                    Hengfu.builder("http://127.0.0.1:" + service.getLocalPort(), KEY, SECRET)
                            .timeout(Duration.ofSeconds(1))
                            .retries(0, Duration.ZERO)
                            .build();
            assertThrows(ConnectionException.class, client::balance);
        }
        assertEquals("the connection is closed", -1, (int) rest.get());
    }

    @Test(timeout = 10_000)
    public void endsACallWhoseThreadIsInterrupted() throws Exception {
        try (ServerSocket service = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread caller = Thread.currentThread();
            CompletableFuture<Integer> rest = CompletableFuture.supplyAsync(() -> sendHalf(service, caller::interrupt));
            Hengfu client = Hengfu.builder("http://127.0.0.1:" + service.getLocalPort(), KEY, SECRET).build();
            assertThrows(IllegalStateException.class, client::balance);
            assertTrue("the thread is still interrupted", Thread.interrupted());
            assertEquals("the connection is closed", -1, (int) rest.get());
        }
    }

    /** Sends the headers and half the body of a reply. Returns what the client sends after that; -1 if it closes the connection. */
    private static int sendHalf(ServerSocket service, Runnable then) {
        try (Socket connection = service.accept()) {
            BufferedReader reader = new BufferedReader(new InputStreamReader(connection.getInputStream(), "UTF-8"));
            nextNonce(reader);
            connection.getOutputStream().write(Signature.bytes("HTTP/1.1 200 OK\r\ncontent-length: 40\r\n\r\n{\"available\":"));
            then.run();
            return reader.read();
        } catch (IOException reset) {
            return -1;
        }
    }

    /** Java's own client sends a GET again, with the same nonce, when a reused connection ends before the reply. */
    @Test
    public void aRequestThatJavaSentAgainIsNotRefused() throws Exception {
        List<String> nonces = Collections.synchronizedList(new ArrayList<>());
        try (ServerSocket service = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread thread = new Thread(() -> acceptEachNonceOnce(service, nonces));
            thread.setDaemon(true);
            thread.start();
            Hengfu client =
                    Hengfu.builder("http://127.0.0.1:" + service.getLocalPort(), KEY, SECRET)
                            .retries(1, Duration.ofMillis(2))
                            .build();
            for (int call = 0; call < 2; call++) {
                assertFalse(client.list("/openapi/v1/collections/list", Filters.none(), item -> item).iterator().hasNext());
            }
        }
        assertEquals(4, nonces.size());
        assertEquals(nonces.get(1), nonces.get(2));
    }

    /** Serves one connection after the other. Closes the first one instead of the second reply. */
    private static void acceptEachNonceOnce(ServerSocket service, List<String> nonces) {
        while (true) {
            try (Socket connection = service.accept()) {
                BufferedReader reader = new BufferedReader(new InputStreamReader(connection.getInputStream(), "UTF-8"));
                for (String nonce = nextNonce(reader); nonce != null; nonce = nextNonce(reader)) {
                    boolean isReplayed = nonces.contains(nonce);
                    nonces.add(nonce);
                    if (nonces.size() == 2) {
                        break;
                    }
                    String body =
                            isReplayed
                                    ? "{\"code\":\"nonce_replayed\",\"message\":\"Use a new one.\"}"
                                    : "{\"items\":[],\"next_cursor\":null}";
                    String status = isReplayed ? "401 Unauthorized" : "200 OK";
                    String reply = "HTTP/1.1 " + status + "\r\ncontent-length: " + body.length() + "\r\n\r\n" + body;
                    connection.getOutputStream().write(Signature.bytes(reply));
                }
            } catch (IOException closed) {
                if (service.isClosed()) {
                    return;
                }
            }
        }
    }

    /** Reads a request without a body, and returns its nonce; null at the end of the connection. */
    private static String nextNonce(BufferedReader reader) throws IOException {
        String nonce = null;
        for (String line = reader.readLine(); line != null && !line.isEmpty(); line = reader.readLine()) {
            if (line.toLowerCase(Locale.ROOT).startsWith("x-nonce:")) {
                nonce = line.substring("x-nonce:".length()).trim();
            }
        }
        return nonce;
    }

    @Test
    public void acceptsPlainHttpOnThisMachineOnly() {
        for (String base :
                List.of("http://pay.example", "ftp://127.0.0.1", "https://pay.example/path", "https://127.0.0.1?q", "pay.example")) {
            assertThrows(base, IllegalArgumentException.class, () -> Hengfu.builder(base, KEY, SECRET).build());
        }
        assertThrows(IllegalArgumentException.class, () -> Hengfu.builder("https://pay.example", KEY, ""));
        assertFalse(Hengfu.builder("http://[::1]:8080/", KEY, SECRET).build().toString().contains(SECRET));
    }

    @Test
    public void aHeaderThatCannotBeSentIsNoCall() throws Exception {
        Hengfu client = start(List.of(), "");
        assertThrows(IllegalArgumentException.class, () -> client.collections().refund("C1", "k\r\nX-Other: 1"));
        assertEquals(List.of(), arrived);
    }

    @Test
    public void aReplyOfAnotherShapeLeavesTheOutcomeUnknown() throws Exception {
        Map<String, Object> reply = Map.of("status", BigDecimal.valueOf(200), "body", "{\"total\":1}");
        Hengfu client = start(List.of(reply, reply), "");
        NewRefund refund = NewRefund.of("R1", "C1");
        for (ThrowingRunnable call : List.<ThrowingRunnable>of(client::balance, () -> client.refunds().create(refund))) {
            Throwable cause = assertThrows(ConnectionException.class, call).getCause();
            assertEquals("unreadable_reply", ((HengfuException) cause).code());
        }
    }
}
