import { isTracing, record } from './traces.ts';

/** The fields of a job's payload that name an order. */
const orderFields = ['tradeNo', 'orderNo'] as const;

/** Runs a job and, while tracing, records it in the trace of the order that its payload names. */
export async function tracedJob(task: string, payload: unknown, work: () => Promise<void>): Promise<void> {
  if (!isTracing()) return work();
  const startedAtMs = Date.now();
  let isFailed = true;
  try {
    await work();
    isFailed = false;
  } finally {
    const orderNo = orderOf(payload);
    record({
      name: task,
      kind: 'consumer',
      startedAtMs,
      orderNo,
      attributes: { 'hengfu.task': task },
      isFailed,
    });
  }
}

function orderOf(payload: unknown): string | undefined {
  if (typeof payload !== 'object' || payload === null) return undefined;
  const given = payload as Record<string, unknown>;
  return orderFields.map((name) => given[name]).find((value) => typeof value === 'string');
}
