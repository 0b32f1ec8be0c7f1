import com.hengfu.sdk.CallbackEvent;
import com.hengfu.sdk.CallbackVerificationException;
import com.hengfu.sdk.CallbackVerifier;
import com.hengfu.sdk.Filters;
import com.hengfu.sdk.Hengfu;
import com.hengfu.sdk.HengfuException;
import com.hengfu.sdk.Json;
import com.hengfu.sdk.types.BalanceEntry;
import com.hengfu.sdk.types.Collection;
import com.hengfu.sdk.types.NewCollection;
import com.hengfu.sdk.types.NewPayout;
import com.hengfu.sdk.types.NewRefund;
import com.hengfu.sdk.types.Payout;
import com.hengfu.sdk.types.Refund;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The shared story (sdk/story/README.md), told by the library for Java. */
public final class Story {
    private static final int PATIENCE_SECONDS = 60;

    private final String name = System.getenv("STORY_NAME");
    private final CallbackVerifier verifier = new CallbackVerifier(System.getenv("HENGFU_SECRET"));
    private final BlockingQueue<CallbackEvent> events = new LinkedBlockingQueue<>();
    private final AtomicInteger refused = new AtomicInteger();
    private final Hengfu hengfu = clientWith(System.getenv("HENGFU_SECRET"));
    private final HttpServer server;
    private final String notifyUrl;

    private Story() throws IOException {
        server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/callback", this::receive);
        server.start();
        notifyUrl = "http://127.0.0.1:" + server.getAddress().getPort() + "/callback";
    }

    public static void main(String[] args) throws Exception {
        Story story = new Story();
        try {
            story.tell();
        } finally {
            story.server.stop(0);
        }
    }

    private static Hengfu clientWith(String secret) {
        return Hengfu.builder(System.getenv("HENGFU_BASE"), System.getenv("HENGFU_KEY"), secret)
                .timeout(Duration.ofSeconds(20))
                .build();
    }

    private void receive(HttpExchange exchange) throws IOException {
        Map<String, String> headers = new LinkedHashMap<>();
        exchange.getRequestHeaders().forEach((header, values) -> headers.put(header, values.get(0)));
        int status = 204;
        try {
            events.add(verifier.verify(headers, exchange.getRequestBody().readAllBytes()));
        } catch (CallbackVerificationException error) {
            refused.incrementAndGet();
            status = 401;
        }
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    private void tell() throws Exception {
        Collection order = collect();
        Refund refund = giveBack(order);
        Payout payout = payOut();

        HengfuException unknown = errorOf(() -> hengfu.collections().find(name + "-unknown"));
        expect("an unknown number", unknown.code(), "not_found");
        expect("its request has an ID", unknown.requestId() != null, true);
        expect("a wrong secret", errorOf(() -> clientWith("wrong").balance()).code(), "signature_invalid");

        if ("1".equals(System.getenv("STORY_LISTS"))) {
            List<String> numbers = new ArrayList<>();
            for (Collection each : hengfu.collections().list(new Filters(null, null, null, 1))) {
                numbers.add(each.tradeNo());
                if (numbers.size() == 3) {
                    break;
                }
            }
            expect("the first of the list", numbers.get(0), order.tradeNo());
            expect("different orders", numbers.stream().distinct().count(), 3L);
            Filters one = new Filters(null, null, null, 1);
            BalanceEntry entry = hengfu.balanceEntries(List.of("payoutDeduction"), one).iterator().next();
            expect("the newest deduction", entry.subjectNo(), payout.tradeNo());
            Filters settled = new Filters(List.of("settled"), null, null, 1);
            expect("the newest settlement", hengfu.settlements(settled).iterator().next().status(), "settled");
        }
        Map<String, Object> done = new LinkedHashMap<>();
        done.put("step", "done");
        done.put("order", order.tradeNo());
        done.put("refund", refund.refundNo());
        done.put("payout", payout.tradeNo());
        done.put("refused", refused.get());
        System.out.println(Json.write(done));
    }

    private Collection collect() throws Exception {
        NewCollection newOrder = NewCollection.of(name + "-order", "100.00", "CNY").notifyUrl(notifyUrl);
        Collection order = hengfu.collections().create(newOrder);
        expect("the repeated order", hengfu.collections().create(newOrder).tradeNo(), order.tradeNo());
        System.out.println(Json.write(Map.of("step", "pay", "cashierUrl", order.cashierUrl(), "notifyUrl", notifyUrl)));

        Collection paid = callback("collection.paid", order.outTradeNo()).collection();
        expect("the paid order", List.of(paid.status(), paid.tradeNo()), List.of("paid", order.tradeNo()));
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        Collection found = hengfu.collections().find(order.outTradeNo());
        while (!found.status().equals("success") && System.nanoTime() < deadline) {
            Thread.sleep(100);
            found = hengfu.collections().find(order.outTradeNo());
        }
        expect("the state of the order", found.status(), "success");
        expect("the order by our number", hengfu.collections().get(order.tradeNo()), found);
        return order;
    }

    private Refund giveBack(Collection order) throws Exception {
        NewRefund newRefund = NewRefund.of(name + "-refund", order.tradeNo()).amount("30.00").reason("退一件");
        Refund refund = hengfu.refunds().create(newRefund);
        expect("the repeated refund", hengfu.refunds().create(newRefund).refundNo(), refund.refundNo());
        expect("the reason", callback("refund.succeeded", name + "-refund").refund().reason(), "退一件");
        expect("the refund", hengfu.refunds().find(name + "-refund").status(), "refunded");
        NewRefund tooMuch = NewRefund.of(name + "-refund-2", order.tradeNo()).amount("100.00");
        HengfuException error = errorOf(() -> hengfu.refunds().create(tooMuch));
        expect("the second refund", List.of(error.code(), error.status(), error.details().get("left")),
                List.of("refund_exceeds", 409, "70.00"));
        return refund;
    }

    private Payout payOut() throws Exception {
        Payout payout =
                hengfu.payouts()
                        .create(
                                NewPayout.of(
                                                name + "-payout",
                                                "CNY",
                                                "CN_BANK",
                                                System.getenv("STORY_PAYOUT"),
                                                "王芳",
                                                "6222021234567890128")
                                        .bank("ICBC")
                                        .bankName("中国工商银行")
                                        .notifyUrl(notifyUrl));
        expect("the payout", callback("payout.processed", name + "-payout").payout().tradeNo(), payout.tradeNo());
        expect("the payout by its number", hengfu.payouts().find(name + "-payout").status(), "processed");
        return payout;
    }

    /** Waits for a callback about a number of ours. */
    private CallbackEvent callback(String type, String number) throws InterruptedException {
        while (true) {
            CallbackEvent event = events.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (event == null) {
                throw new IllegalStateException("no " + type);
            }
            boolean isOurs = number.equals(event.data().get("out_trade_no")) || number.equals(event.data().get("out_refund_no"));
            if (event.type().equals(type) && isOurs) {
                return event;
            }
        }
    }

    private static HengfuException errorOf(Runnable call) {
        try {
            call.run();
        } catch (HengfuException error) {
            return error;
        }
        throw new IllegalStateException("a call succeeded that must not");
    }

    private static void expect(String what, Object found, Object expected) {
        if (!Objects.equals(found, expected)) {
            throw new IllegalStateException(what + ": " + found + " instead of " + expected);
        }
    }
}
