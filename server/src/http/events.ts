import { eventsPath, eventsQuery, heartbeatEvent, heartbeatMs, type Topic } from '@hengfu/contract/events';
import { quotas } from '@hengfu/contract/quotas';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ChangeFeed } from '#db/change-feed.ts';
import type { Change } from '#db/database.ts';
import type { Person } from '#domain/caller.ts';
import { quotaReached } from '#domain/quota.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Metrics } from '#observability/metrics.ts';
import type { Guards } from './guards.ts';

/** Heartbeat: a screen that misses it knows that its stream is dead. */
const heartbeatMessage = `event: ${heartbeatEvent}\ndata: 1\n\n`;
/** How often a stream rechecks its session, besides whenever one of the user's sessions ends. */
const sessionCheckMs = 60_000;
/** Changes within this time reach a screen as one message. */
const batchMs = 100;
/** Short, since closing a page frees its stream at once. */
const retryAfterSeconds = 10;

/** Counts open streams by person and merchant. The quotas apply per web process. */
class StreamCounts {
  readonly #open = new Map<string, number>();

  /** Counts a stream of a person; returns a function that releases it. Throws `quota_reached`. */
  enter({ userId, home }: Person): () => void {
    const owners = [
      { quota: 'streamsOfUser', key: `user ${userId}` },
      { quota: 'streamsOfMerchant', key: `merchant ${home.merchantId}` },
    ] as const;
    for (const { quota, key } of owners)
      if ((this.#open.get(key) ?? 0) >= quotas[quota]) throw quotaReached(quota, retryAfterSeconds);
    for (const { key } of owners) this.#open.set(key, (this.#open.get(key) ?? 0) + 1);
    return () => {
      for (const { key } of owners) {
        const left = (this.#open.get(key) ?? 0) - 1;
        if (left > 0) this.#open.set(key, left);
        else this.#open.delete(key);
      }
    };
  }
}

/** Adds the stream of changes that open screens follow (server-sent events). */
export function eventRoutes(app: FastifyInstance, guards: Guards, feed: ChangeFeed, metrics: Metrics): void {
  const open = new Set<FastifyReply>();
  const counts = new StreamCounts();
  // Streams never finish by themselves, so they end before the server waits for open requests.
  app.addHook('preClose', async () => {
    for (const reply of open) reply.raw.end();
  });

  app.get(eventsPath, async (request, reply) => {
    const person = await guards.person(request);
    // The client has already disconnected: no close event would ever release this stream.
    if (request.raw.socket.destroyed) return reply.hijack();
    const release = counts.enter(person);
    reply.hijack();
    // A hijacked reply bypasses Fastify, so the headers of every reply are copied here.
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value);
    reply.raw.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    reply.raw.write('retry: 2000\n\n');
    open.add(reply);
    metrics.eventStreams.set(open.size);

    // An ended stream stays until its client closes it, which may take for ever: writing to it would end the process.
    const send = (text: string) => {
      if (!reply.raw.writableEnded) reply.raw.write(text);
    };
    const pendingTopics = new Set<Topic>();
    let timer: NodeJS.Timeout | undefined;
    const flush = () => {
      timer = undefined;
      send(`data: ${JSON.stringify({ topics: [...pendingTopics] })}\n\n`);
      pendingTopics.clear();
    };
    const checkSession = () => {
      guards.person(request, {}, { isPassive: true }).catch((error: unknown) => {
        // A database outage does not end a session.
        if (error instanceof Refusal) reply.raw.end();
      });
    };
    const collect = (changes: readonly Change[]) => {
      if (changes.includes(`sessions:${person.userId}`)) checkSession();
      const topics = changes.filter(isTopic);
      for (const topic of topics) pendingTopics.add(topic);
      if (topics.length > 0) timer ??= setTimeout(flush, batchMs);
    };
    const unsubscribe = feed.subscribe(person.home.merchantId, collect);
    const { since } = eventsQuery.parse(request.query);
    if (since !== undefined) collect(feed.since(person.home.merchantId, since));
    // The session may have ended between the first check and the subscription.
    checkSession();
    const heartbeat = setInterval(() => send(heartbeatMessage), heartbeatMs);
    const sessionCheck = setInterval(checkSession, sessionCheckMs);
    reply.raw.on('close', () => {
      release();
      unsubscribe();
      clearTimeout(timer);
      clearInterval(heartbeat);
      clearInterval(sessionCheck);
      open.delete(reply);
      metrics.eventStreams.set(open.size);
    });
  });
}

const isTopic = (change: Change): change is Topic => !change.startsWith('sessions:');
