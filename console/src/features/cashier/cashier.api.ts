import type { CashierOrder, cashierEndpoints } from '@hengfu/contract/cashier';
import type { ErrorCode } from '@hengfu/contract/errors';
import type { Language } from '@hengfu/contract/languages';
import { screenOf } from './cashier.rules.ts';

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
export function readOrder(token: string, language: Language, signal: AbortSignal): Promise<CashierOrder> {
  return call(
    'GET',
    orderPath,
    token,
    language,
    AbortSignal.any([signal, AbortSignal.timeout(readTimeoutMs)]),
  );
}

/** Starts the payment at a channel; the reply says where to pay. Throws {@link CallError}. */
export function startPayment(token: string, channel: string, language: Language): Promise<CashierOrder> {
  return call('POST', payPath, token, language, AbortSignal.timeout(payTimeoutMs), { channel });
}

async function call(
  method: 'GET' | 'POST',
  path: string,
  token: string,
  language: Language,
  signal: AbortSignal,
  body?: object,
): Promise<CashierOrder> {
  const response = await fetch(path.replace(':token', encodeURIComponent(token)), {
    method,
    signal,
    cache: 'no-store',
    // Anyone with the link may pay, so the calls need no cookies.
    credentials: 'omit',
    headers: { 'accept-language': language, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => undefined);
  const json: unknown = await response?.json().catch(() => undefined);
  if (!response || json === undefined)
    throw new CallError(response?.ok === false ? 'unavailable' : 'offline');
  if (!response.ok) throw new CallError(codeOf(json));
  if (!isOrder(json)) throw new CallError('internal');
  return json;
}

function codeOf(json: unknown): ErrorCode {
  const code = typeof json === 'object' && json !== null && 'code' in json ? json.code : undefined;
  return typeof code === 'string' ? (code as ErrorCode) : 'internal';
}

/** Whether a reply has the fields that the page needs. The server has checked it against the contract. */
function isOrder(json: unknown): json is CashierOrder {
  if (typeof json !== 'object' || json === null) return false;
  const { status, amount, currency, expiresAt, now, channels } = json as Partial<
    Record<keyof CashierOrder, unknown>
  >;
  const isKnownStatus = typeof status === 'string' && Object.hasOwn(screenOf, status);
  const areTexts = [amount, currency, expiresAt, now].every((value) => typeof value === 'string');
  return isKnownStatus && areTexts && Array.isArray(channels);
}
