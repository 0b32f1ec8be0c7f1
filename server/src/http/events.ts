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
  const open = new Set<() => void>();
  const counts = new StreamCounts();
  let isStopping = false;
  // Streams never finish by themselves, so they end before the server waits for open requests.
  app.addHook('preClose', async () => {
    isStopping = true;
    for (const end of open) end();
  });

  app.get(eventsPath, async (request, reply) => {
    const { since } = eventsQuery.parse(request.query);
    const person = await guards.person(request);
    const { socket } = request.raw;
    // The client has already disconnected: no close event would ever release this stream.
    if (socket.destroyed) return reply.hijack();
    const release = counts.enter(person);
    beginStream(reply);

    const pendingTopics = new Set<Topic>();
    let timer: NodeJS.Timeout | undefined;
    const flush = () => {
      timer = undefined;
      reply.raw.write(`data: ${JSON.stringify({ topics: [...pendingTopics] })}\n\n`);
      pendingTopics.clear();
    };
    const collect = (changes: readonly Change[]) => {
      if (changes.includes(`sessions:${person.userId}`)) checkSession();
      const topics = changes.filter(isTopic);
      for (const topic of topics) pendingTopics.add(topic);
      if (topics.length > 0 && open.has(end)) timer ??= setTimeout(flush, batchMs);
    };
    const checkSession = () => {
      guards.person(request, {}, { isPassive: true }).catch((error: unknown) => {
        // A database outage does not end a session.
        if (error instanceof Refusal) end();
      });
    };
    const unsubscribe = feed.subscribe(person.home.merchantId, collect);
    const heartbeat = setInterval(() => reply.raw.write(heartbeatMessage), heartbeatMs);
    const sessionCheck = setInterval(checkSession, sessionCheckMs);
    // Nothing writes after the end: the client may keep an ended stream open, and a write to it would end the process.
    const end = () => {
      if (!open.delete(end)) return;
      release();
      unsubscribe();
      clearTimeout(timer);
      clearInterval(heartbeat);
      clearInterval(sessionCheck);
      socket.off('close', end);
      metrics.eventStreams.set(open.size);
      reply.raw.end();
    };
    open.add(end);
    metrics.eventStreams.set(open.size);
    // Not the reply: one that waits behind another on its connection (HTTP pipelining) is never closed. The quotas limit how many.
    socket.setMaxListeners(0).once('close', end);
    if (since !== undefined) collect(feed.since(person.home.merchantId, since));
    // The session may have ended between the first check and the subscription.
    checkSession();
    // It asked before the others ended, and its session was only found now: the server would wait for it for ever.
    if (isStopping) end();
  });
}

/** Sends the head of a stream. */
function beginStream(reply: FastifyReply): void {
  reply.hijack();
  // A client that disconnects while something is being written to it is no fault of ours.
  reply.raw.on('error', () => undefined);
  // A hijacked reply bypasses Fastify, so the headers of every reply are copied here.
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value);
  reply.raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  reply.raw.write('retry: 2000\n\n');
}

const isTopic = (change: Change): change is Topic => !change.startsWith('sessions:');
