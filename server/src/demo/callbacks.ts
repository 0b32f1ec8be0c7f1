import { createHmac, randomUUID } from 'node:crypto';
import type { Sandbox } from '#composition/sandbox-location.ts';
import type { Services } from '#composition/services.ts';
import type { Home } from '#domain/caller.ts';
import { freshSecret } from '../features/callbacks/callback-endpoints.service.ts';
import { insertEndpoint } from '../features/callbacks/callback-endpoints.sql.ts';
import { toOpenCollection } from '../features/collections/collections.view.ts';
import { toOpenPayout } from '../features/payouts/payouts.view.ts';
import {
  backdateEndpoint,
  type DemoAttempt,
  type DemoMessage,
  insertDemoMessages,
  listReported,
  listSpread,
  type Reported,
  shopName,
  shopPath,
} from './callbacks.sql.ts';
import { Random } from './random.ts';

/** Where the demo runs: the address of its pages, and its sandbox bank, which plays the system of a merchant, too. */
export interface DemoPlace {
  appUrl: string;
  sandbox: Sandbox;
}

const seed = 20_260_901;
const minuteMs = 60_000;
const dayMs = 86_400_000;
/** Seconds after the creation of a message at which it is tried. */
const tryOffsets = [0, 5, 305, 2105, 9305, 27_305, 63_305, 113_705, 185_705, 272_105];
const okReply = '{"received":true}';
const busyPage =
  '<html>\n<head><title>503 Service Unavailable</title></head>\n<body>upstream: password=hunter2 timed out</body>\n</html>';
const unknownOrder = '{"error":"unknown_order","message":"No order with this number."}';
const stockUrl = 'https://stock.qinghe.example/hengfu';

/**
 * Gives the demo merchant two endpoints with messages: bookkeeping, which the sandbox bank plays and which works, and a stock system that has
 * failed for three days, and is paused.
 */
export async function seedCallbacks(
  services: Services,
  home: Home,
  { userId, place }: { userId: bigint; place: DemoPlace },
): Promise<void> {
  const { database, secrets, callbackEndpoints } = services;
  const { merchantId } = home;
  const createdBy = `user:${userId}`;
  const now = Date.now();
  const [books, stock] = await database.asMerchant(merchantId, async (tx) => [
    await listReported(tx, { collections: 32, payouts: 10 }),
    await listSpread(tx, { days: 3, count: 14 }),
  ]);
  const writer = new Writer(services, merchantId, place.appUrl);
  const booksUrl = place.sandbox.url + shopPath;
  const told = { books: await writer.facts(books), stock: await writer.facts(stock) };
  await database.asSystemFor(merchantId, async (tx) => {
    const booksFields = { url: booksUrl, description: shopName, events: null };
    const booksId = await insertEndpoint(tx, booksFields, {
      secret: secrets.encrypt(sampleShopSecret(place.sandbox)),
      createdBy,
    });
    await backdateEndpoint(tx, booksId, { createdAt: new Date(now - 40 * dayMs), failingSince: null });
    const stockFields = { url: stockUrl, description: '库存系统', events: ['collection.paid'] };
    const stockId = await insertEndpoint(tx, stockFields, {
      secret: secrets.encrypt(freshSecret()),
      createdBy,
    });
    await backdateEndpoint(tx, stockId, {
      createdAt: new Date(now - 21 * dayMs),
      failingSince: new Date(now - 3 * dayMs - minuteMs),
    });
    const messages = [
      ...messagesOfBooks(told.books, { endpointId: String(booksId), url: booksUrl, now }),
      ...messagesOfStock(told.stock, { endpointId: String(stockId), url: stockUrl, now }),
    ];
    await insertDemoMessages(tx, messages);
    await callbackEndpoints.paused(tx, { url: stockUrl });
  });
}

/** Returns the secret with which the sandbox bank verifies callbacks to its sample system of a merchant. */
function sampleShopSecret({ secret }: Sandbox): string {
  return `whsec_${createHmac('sha256', secret).update('sample shop').digest('base64')}`;
}

/** The facts of an event, which a message reports. */
type Fact = Pick<DemoMessage, 'subjectKind' | 'subjectNo' | 'event' | 'body'> & { at: number };

/** Writes the bodies of messages as the events would. */
class Writer {
  readonly #services: Services;
  readonly #merchantId: bigint;
  readonly #appUrl: string;

  constructor(services: Services, merchantId: bigint, appUrl: string) {
    this.#services = services;
    this.#merchantId = merchantId;
    this.#appUrl = appUrl;
  }

  async facts(orders: readonly Reported[]): Promise<Fact[]> {
    const facts: Fact[] = [];
    for (const { kind, tradeNo } of orders)
      facts.push(kind === 'collection' ? await this.#paid(tradeNo) : await this.#ended(tradeNo));
    return facts;
  }

  async #paid(tradeNo: string): Promise<Fact> {
    const order = await this.#services.collections.find(this.#merchantId, { tradeNo });
    const paid = {
      ...order,
      status: 'paid' as const,
      refundedAt: null,
      refundedMinor: 0n,
      refundingMinor: 0n,
    };
    const at = (order.paidAt ?? order.createdAt).getTime();
    const data = toOpenCollection(paid, this.#appUrl);
    return factOf('collection', tradeNo, 'collection.paid', at, data);
  }

  async #ended(tradeNo: string): Promise<Fact> {
    const order = await this.#services.payoutReading.find(this.#merchantId, { tradeNo });
    const at = (order.paidAt ?? order.rejectedAt ?? order.createdAt).getTime();
    const event = order.paidAt ? 'payout.processed' : 'payout.rejected';
    return factOf('payout', tradeNo, event, at, toOpenPayout(order));
  }
}

function factOf(
  subjectKind: Fact['subjectKind'],
  subjectNo: string,
  event: string,
  at: number,
  data: object,
): Fact {
  const body = JSON.stringify({ type: event, timestamp: new Date(at).toISOString(), data });
  return { subjectKind, subjectNo, event, body, at };
}

interface Receiver {
  endpointId: string;
  url: string;
  now: number;
}

function messageOf({ at, ...fact }: Fact, { endpointId, url }: Receiver): Omit<DemoMessage, 'state'> {
  return {
    ...fact,
    id: randomUUID(),
    endpointId,
    url,
    createdAt: at,
    endedAt: null,
    resentAt: null,
    attempts: [],
  };
}

/** Outcomes of single attempts. */
type Outcome = Pick<DemoAttempt, 'httpStatus' | 'failure' | 'durationMs' | 'reply'>;
const answered = (httpStatus: number, durationMs: number, reply: string): Outcome => ({
  httpStatus,
  failure: null,
  durationMs,
  reply,
});
const unanswered = (failure: 'timeout' | 'unreachable', durationMs: number): Outcome => ({
  httpStatus: null,
  failure,
  durationMs,
  reply: null,
});

/** Returns attempts at the times at which retries are made, so far as they are past. */
function attemptsOf(at: number, outcomes: readonly Outcome[], until: number): DemoAttempt[] {
  return outcomes
    .map((outcome, index) => ({
      ...outcome,
      attempt: index + 1,
      at: at + (tryOffsets[index] ?? 0) * 1000 + outcome.durationMs,
      isResend: false,
    }))
    .filter((attempt) => attempt.at <= until);
}

/** Messages to a system that works: most are delivered at once, some later, one was sent again, and one is given up. */
function messagesOfBooks(facts: readonly Fact[], receiver: Receiver): DemoMessage[] {
  const random = new Random(seed);
  return facts.map((fact, index) => {
    const message = messageOf(fact, receiver);
    const ok = answered(200, random.between(38, 210), okReply);
    const isOld = receiver.now - fact.at > 3.5 * dayMs;
    if (isOld) {
      const refusals = tryOffsets.map(() => answered(422, random.between(30, 90), unknownOrder));
      const attempts = attemptsOf(fact.at, refusals, receiver.now);
      return { ...message, attempts, state: 'givenUp', endedAt: attempts.at(-1)?.at ?? fact.at };
    }
    const isLate = receiver.now - fact.at > 10 * minuteMs;
    const outcomes =
      isLate && index % 11 === 3
        ? [answered(503, 1204, busyPage), ok]
        : isLate && index % 17 === 6
          ? [unanswered('timeout', 3000), unanswered('unreachable', 12), ok]
          : [ok];
    const attempts = attemptsOf(fact.at, outcomes, receiver.now + minuteMs);
    const end = attempts.at(-1)?.at ?? fact.at;
    if (!isLate || index % 13 !== 5) return { ...message, attempts, state: 'delivered', endedAt: end };
    const resentAt = end + 3 * minuteMs;
    const again = { ...ok, attempt: attempts.length + 1, at: resentAt + 200, isResend: true };
    return {
      ...message,
      attempts: [...attempts, again],
      state: 'delivered',
      endedAt: again.at,
      resentAt,
    };
  });
}

/** Messages to a system that has failed for three days: all wait, but one that a person skipped. */
function messagesOfStock(facts: readonly Fact[], receiver: Receiver): DemoMessage[] {
  const random = new Random(seed + 1);
  return facts.map((fact, index) => {
    const outcomes = tryOffsets.map((_, nth) =>
      nth < 2
        ? answered(500, random.between(300, 900), 'Internal Server Error')
        : unanswered('unreachable', 9),
    );
    const message = { ...messageOf(fact, receiver), attempts: attemptsOf(fact.at, outcomes, receiver.now) };
    return index === 2
      ? { ...message, state: 'skipped', endedAt: receiver.now - minuteMs }
      : { ...message, state: 'held' };
  });
}
