import { eventsPath, heartbeatEvent, heartbeatMs, type Topic } from '@hengfu/contract/events';
import { quotas } from '@hengfu/contract/quotas';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ChangeFeed } from '#db/change-feed.ts';
import type { Change } from '#db/database.ts';
import type { Person } from '#domain/caller.ts';
import { quotaReached } from '#domain/quota.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Metrics } from '#observability/metrics.ts';
import type { Guards } from './guards.ts';

/** Tells screens that the stream lives; one that stays away tells them that it does not. */
const liveBeat = `event: ${heartbeatEvent}\ndata: 1\n\n`;
/** How often a stream asks whether its session still lives, besides when it is told that one of its user's has ended. */
const sessionCheckMs = 60_000;
/** A burst of changes reaches a screen as one message. */
const gatherMs = 100;
/** A closed page gives its place back at once. */
const retryAfterSeconds = 10;

/** Open streams by person and merchant, in this process: a fleet has as many times the quota as it has web processes. */
class StreamCounts {
  readonly #open = new Map<string, number>();

  /** Counts a stream of a person; returns what ends it. Throws `quota_reached`. */
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

/** The stream of changes that open screens follow (server-sent events). */
export function eventRoutes(app: FastifyInstance, guards: Guards, feed: ChangeFeed, metrics: Metrics): void {
  const open = new Set<FastifyReply>();
  const counts = new StreamCounts();
  // Before the server waits for requests to finish: these never would.
  app.addHook('preClose', async () => {
    for (const reply of open) reply.raw.end();
  });

  app.get(eventsPath, async (request, reply) => {
    const person = await guards.person(request);
    // Hung up meanwhile: nothing would ever say that it has ended.
    if (request.raw.socket.destroyed) return reply.hijack();
    const leave = counts.enter(person);
    reply.hijack();
    // A hijacked reply is sent past the server, which would otherwise add what every reply carries.
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

    const gathered = new Set<Topic>();
    let timer: NodeJS.Timeout | undefined;
    const flush = () => {
      timer = undefined;
      reply.raw.write(`data: ${JSON.stringify({ topics: [...gathered] })}\n\n`);
      gathered.clear();
    };
    const checkSession = () => {
      guards.person(request, {}, { isWatching: true }).catch((error: unknown) => {
        // A database that is away ends no session.
        if (error instanceof Refusal) reply.raw.end();
      });
    };
    const unsubscribe = feed.subscribe(person.home.merchantId, (changes) => {
      if (changes.includes(`sessions:${person.userId}`)) checkSession();
      const topics = changes.filter(isTopic);
      for (const topic of topics) gathered.add(topic);
      if (topics.length > 0) timer ??= setTimeout(flush, gatherMs);
    });
    // The session may have ended between the first look and the subscription.
    checkSession();
    const heartbeat = setInterval(() => reply.raw.write(liveBeat), heartbeatMs);
    const sessionCheck = setInterval(checkSession, sessionCheckMs);
    reply.raw.on('close', () => {
      leave();
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
