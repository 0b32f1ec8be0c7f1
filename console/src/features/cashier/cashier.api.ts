import type { CashierOrder, cashierEndpoints } from '@hengfu/contract/cashier';
import type { ErrorCode } from '@hengfu/contract/errors';
import type { Language } from '@hengfu/contract/languages';
import { isKnownStatus } from './cashier.rules.ts';
import { withinTime } from './time-limit.ts';

// Imports only types from the contract, so that a payer's phone loads no validator. If a path changes there,
// this file no longer compiles.
const orderPath: (typeof cashierEndpoints)['get']['path'] = '/api/cashier/:token';
const payPath: (typeof cashierEndpoints)['pay']['path'] = '/api/cashier/:token/pay';

const readTimeoutMs = 15_000;
const payTimeoutMs = 50_000;

/** Why a call failed: the server's error code, or `offline` if there was no reply. */
export type CallFault = ErrorCode | 'offline';

/** A checkout call that returned no order. */
export class CallError extends Error {
  readonly fault: CallFault;

  constructor(fault: CallFault) {
    super(fault);
    this.name = 'CallError';
    this.fault = fault;
  }
}

/** Reads the order behind a link. Throws {@link CallError}: `not_found`, `offline`, or another error code. */
export async function readOrder(
  token: string,
  language: Language,
  signal: AbortSignal,
): Promise<CashierOrder> {
  return orderOf(await payerRead(orderPath.replace(':token', token), language, signal));
}

/** Starts the payment at a channel; the reply says where to pay. Throws {@link CallError}. */
export async function startPayment(
  token: string,
  channel: string,
  language: Language,
): Promise<CashierOrder> {
  const path = payPath.replace(':token', token);
  const pay = (signal: AbortSignal) => payerCall(path, { language, signal, body: { channel } });
  return orderOf(await withinTime(payTimeoutMs, pay));
}

/** Reads something for a payer's page. The path is that of the contract, with its parameters filled. Throws {@link CallError}. */
export function payerRead(path: string, language: Language, stopped: AbortSignal): Promise<unknown> {
  return withinTime(readTimeoutMs, (signal) => payerCall(path, { language, signal }), stopped);
}

interface PayerCall {
  language: Language;
  signal: AbortSignal;
  /** Sent by POST; without one, the call is a GET. */
  body?: object;
}

async function payerCall(path: string, { language, signal, body }: PayerCall): Promise<unknown> {
  const response = await fetch(path, {
    method: body ? 'POST' : 'GET',
    signal,
    cache: 'no-store',
    // Anyone with the link may call, so the calls need no cookies.
    credentials: 'omit',
    headers: { 'accept-language': language, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => undefined);
  const json: unknown = await response?.json().catch(() => undefined);
  if (!response || json === undefined)
    throw new CallError(response?.ok === false ? 'unavailable' : 'offline');
  if (!response.ok) throw new CallError(codeOf(json));
  return json;
}

function orderOf(json: unknown): CashierOrder {
  if (!isOrder(json)) throw new CallError('internal');
  return json;
}

function codeOf(json: unknown): ErrorCode {
  const code = typeof json === 'object' && json !== null && 'code' in json ? json.code : undefined;
  return typeof code === 'string' ? (code as ErrorCode) : 'internal';
}

/** Whether a reply is an order: it has the fields that the page needs. The server has checked it against the contract. */
export function isOrder(json: unknown): json is CashierOrder {
  if (typeof json !== 'object' || json === null) return false;
  const { status, amount, currency, expiresAt, now, channels } = json as Partial<
    Record<keyof CashierOrder, unknown>
  >;
  const hasScreen = typeof status === 'string' && isKnownStatus(status);
  const areTexts = [amount, currency, expiresAt, now].every((value) => typeof value === 'string');
  return hasScreen && areTexts && Array.isArray(channels);
}
