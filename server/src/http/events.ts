import { eventsPath, eventsQuery, heartbeatEvent, heartbeatMs, topics } from '@hengfu/contract/events';
import { quotas } from '@hengfu/contract/quotas';
import { followedTopics, staffEventsPath } from '@hengfu/contract/staff/events';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ChangeFeed } from '#db/change-feed.ts';
import type { Change } from '#db/database.ts';
import { ofService } from '#domain/audit.sql.ts';
import { quotaReached } from '#domain/quota.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Metrics } from '#observability/metrics.ts';
import type { Guards } from './guards.ts';
import type { StaffGuards } from './staff-guards.ts';

/** Heartbeat: a screen that misses it knows that its stream is dead. */
const heartbeatMessage = `event: ${heartbeatEvent}\ndata: 1\n\n`;
/** How often a stream rechecks its session, besides whenever one of the user's sessions ends. */
const sessionCheckMs = 60_000;
/** Changes within this time reach a screen as one message. */
const batchMs = 100;
/** Short, since closing a page frees its stream at once. */
const retryAfterSeconds = 10;

/** How many streams may share one key, per web process. */
type StreamQuota = 'streamsOfUser' | 'streamsOfMerchant';

/** Counts open streams by their owners. The quotas apply per web process. */
class StreamCounts {
  readonly #open = new Map<string, number>();

  /** Counts a stream of these owners; returns a function that releases it. Throws `quota_reached`. */
  enter(owners: readonly { quota: StreamQuota; key: string }[]): () => void {
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

/** The changes that a stream follows, once its caller is admitted. */
interface StreamSource {
  owners: readonly { quota: StreamQuota; key: string }[];
  /** Announces that a session of the caller has ended. */
  sessionChange: Change;
  isShown(change: Change): boolean;
  subscribe(listener: (changes: readonly Change[]) => void): () => void;
  /** Changes since the page was read, if the stream says when that was. */
  since: readonly Change[];
}

/** A stream of changes that open screens follow (server-sent events). */
interface StreamRoute {
  path: string;
  /** Admits the caller; throws a Refusal. `isPassive`: the check is not caused by the user's activity. */
  admit(request: FastifyRequest, isPassive: boolean): Promise<StreamSource>;
}

/** Adds the console's stream of changes. */
export function eventRoutes(app: FastifyInstance, guards: Guards, feed: ChangeFeed, metrics: Metrics): void {
  streamRoute(app, metrics, {
    path: eventsPath,
    async admit(request, isPassive) {
      const { since } = eventsQuery.parse(request.query);
      const { userId, home } = await guards.person(request, {}, { isPassive });
      return {
        owners: [
          { quota: 'streamsOfUser', key: `user ${userId}` },
          { quota: 'streamsOfMerchant', key: `merchant ${home.merchantId}` },
        ],
        sessionChange: `sessions:${userId}`,
        isShown: (change) => shownTopics.has(change),
        subscribe: (listener) => subscribeWithService(feed, home.merchantId, listener),
        since: since === undefined ? [] : [home.merchantId, ofService].flatMap((id) => feed.since(id, since)),
      };
    },
  });
}

/** Adds the stream of the back office, which follows all merchants and never names one. */
export function staffEventRoutes(
  app: FastifyInstance,
  guards: StaffGuards,
  feed: ChangeFeed,
  metrics: Metrics,
): void {
  streamRoute(app, metrics, {
    path: staffEventsPath,
    async admit(request, isPassive) {
      const { staffId } = await guards.member(request, {}, { isPassive });
      return {
        owners: [{ quota: 'streamsOfUser', key: `staff ${staffId}` }],
        sessionChange: `staff:${staffId}`,
        isShown: (change) => staffShownTopics.has(change),
        subscribe: (listener) => feed.subscribeToAll(listener),
        since: [],
      };
    },
  });
}

/** Follows the changes of a merchant, and those of the service that every merchant is shown. */
function subscribeWithService(
  feed: ChangeFeed,
  merchantId: bigint,
  listener: (changes: readonly Change[]) => void,
): () => void {
  const ends = [merchantId, ofService].map((id) => feed.subscribe(id, listener));
  return () => {
    for (const end of ends) end();
  };
}

const shownTopics: ReadonlySet<string> = new Set(topics);
const staffShownTopics: ReadonlySet<string> = new Set(followedTopics);

function streamRoute(app: FastifyInstance, metrics: Metrics, { path, admit }: StreamRoute): void {
  const open = new Set<() => void>();
  const counts = new StreamCounts();
  let isStopping = false;
  // Streams never finish by themselves, so they end before the server waits for open requests.
  app.addHook('preClose', async () => {
    isStopping = true;
    for (const end of open) end();
  });

  app.get(path, async (request, reply) => {
    const source = await admit(request, false);
    const { socket } = request.raw;
    // The client has already disconnected: no close event would ever release this stream.
    if (socket.destroyed) return reply.hijack();
    const release = counts.enter(source.owners);
    beginStream(reply);

    const pendingTopics = new Set<Change>();
    let timer: NodeJS.Timeout | undefined;
    const flush = () => {
      timer = undefined;
      reply.raw.write(`data: ${JSON.stringify({ topics: [...pendingTopics] })}\n\n`);
      pendingTopics.clear();
    };
    const collect = (changes: readonly Change[]) => {
      if (changes.includes(source.sessionChange)) checkSession();
      const shown = changes.filter(source.isShown);
      for (const topic of shown) pendingTopics.add(topic);
      if (shown.length > 0 && open.has(end)) timer ??= setTimeout(flush, batchMs);
    };
    const checkSession = () => {
      admit(request, true).catch((error: unknown) => {
        // A database outage does not end a session.
        if (error instanceof Refusal) end();
      });
    };
    const unsubscribe = source.subscribe(collect);
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
    if (source.since.length > 0) collect(source.since);
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
