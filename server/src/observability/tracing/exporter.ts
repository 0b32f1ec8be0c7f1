import { createHash } from 'node:crypto';
import {
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  type IdGenerator,
  RandomIdGenerator,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import { recordWith, type Work } from './traces.ts';

/** An unresponsive collector delays a shutdown for no longer than this. */
const exportTimeoutMs = 5000;

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER } as const;

/**
 * Sends recorded work to an OpenTelemetry collector (OTLP over HTTP, `<url>/v1/traces`). Returns the function
 * that sends the rest and stops. Nothing waits for the collector; what it does not accept is dropped.
 */
export function startTraces(url: string, log: Pick<Logger, 'warn'>): () => Promise<void> {
  const warn = (text: string) => log.warn({ text }, 'the collector did not accept traces');
  const silent = () => {};
  diag.setLogger(
    { error: warn, warn, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const ids = new OrderIds();
  const exporter = new OTLPTraceExporter({
    url: `${url.replace(/\/+$/, '')}/v1/traces`,
    timeoutMillis: exportTimeoutMs,
  });
  const provider = new TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({ 'service.name': process.env.OTEL_SERVICE_NAME || 'hengfu' }),
    ),
    sampler: new AlwaysOnSampler(),
    idGenerator: ids,
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: exportTimeoutMs })],
  });
  const tracer = provider.getTracer('hengfu');
  recordWith((work) => writeSpan(tracer, ids, work));
  return async () => {
    recordWith(undefined);
    await provider.shutdown().catch((error: unknown) => warn(String(error)));
    diag.disable();
  };
}

function writeSpan(tracer: Tracer, ids: OrderIds, work: Work): void {
  const { name, kind, startedAtMs, orderNo, attributes, isOrigin, isFailed } = work;
  const origin = orderNo === undefined ? undefined : originOf(orderNo);
  ids.next = isOrigin ? origin : undefined;
  const parent =
    origin && !isOrigin
      ? trace.setSpanContext(ROOT_CONTEXT, { ...origin, traceFlags: TraceFlags.SAMPLED, isRemote: true })
      : ROOT_CONTEXT;
  const span = tracer.startSpan(
    name,
    {
      kind: kinds[kind],
      startTime: startedAtMs,
      attributes: { ...attributes, ...(orderNo !== undefined && { 'hengfu.order': orderNo }) },
    },
    parent,
  );
  if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(Date.now());
}

/**
 * Derives the IDs of an order's trace and its first span from its number. Any process can thus add to the
 * trace, years later and after any number of retries, and nothing has to be stored or passed on for that.
 */
function originOf(orderNo: string): { traceId: string; spanId: string } {
  const digest = createHash('sha256').update(`hengfu order ${orderNo}`).digest('hex');
  return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48) };
}

/** Generates random IDs, except for the first span of an order. */
class OrderIds implements IdGenerator {
  readonly #random = new RandomIdGenerator();
  next: { traceId: string; spanId: string } | undefined;

  generateTraceId(): string {
    return this.next?.traceId ?? this.#random.generateTraceId();
  }

  generateSpanId(): string {
    return this.next?.spanId ?? this.#random.generateSpanId();
  }
}
