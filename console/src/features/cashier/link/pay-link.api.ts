import type { ErrorCode } from '@hengfu/contract/errors';
import type { Language } from '@hengfu/contract/languages';
import type { PayLink, PayLinkOrder, PayOutcome, payLinkEndpoints } from '@hengfu/contract/pay-links';
import { withinTime } from '../time-limit.ts';

// Imports only types from the contract, as cashier.api.ts does.
const linkPath: (typeof payLinkEndpoints)['get']['path'] = '/api/pay-links/:token';
const picturePath: (typeof payLinkEndpoints)['picture']['path'] = '/api/pay-links/:token/picture';
const orderPath: (typeof payLinkEndpoints)['order']['path'] = '/api/pay-links/:token/orders';
const afterPath: (typeof payLinkEndpoints)['after']['path'] = '/api/pay-links/:token/orders/:order';

const timeoutMs = 20_000;

/** The outcome of a payer's order. */
export interface AfterPayment {
  merchant: string;
  color: string | null;
  logo: string | null;
  registeredName: string | null;
  isPaid: boolean;
  /** Absent in a reply of a server of the version before. */
  outcome?: PayOutcome;
  note: string | null;
  returnUrl: string | null;
}

/** Messages of the fields at fault, by field name. */
export type FieldFaults = Readonly<Record<string, string>>;

/** A refused call: the server's error code, or `offline` without a reply, and its message in the payer's language. */
export class LinkFault extends Error {
  readonly code: ErrorCode | 'offline';
  readonly fields: FieldFaults;

  constructor(code: ErrorCode | 'offline', message: string, fields: FieldFaults = {}) {
    super(message);
    this.name = 'LinkFault';
    this.code = code;
    this.fields = fields;
  }
}

const filled = (path: string, token: string) => path.replace(':token', encodeURIComponent(token));

/** The address of a link's picture. */
export function pictureOf(token: string): string {
  return filled(picturePath, token);
}

const states: Readonly<Record<PayLink['state'], true>> = {
  open: true,
  closed: true,
  usedUp: true,
  busy: true,
};

/** Whether a reply is a payment link: it has the fields that the page needs. */
export function isPayLink(json: unknown): json is PayLink {
  if (typeof json !== 'object' || json === null) return false;
  const { title, currency, version, state, maxQuantity, asked } = json as Partial<
    Record<keyof PayLink, unknown>
  >;
  const areTexts = [title, currency, version].every((value) => typeof value === 'string');
  const isKnownState = typeof state === 'string' && Object.hasOwn(states, state);
  const { known, own } = (asked ?? {}) as Partial<Record<keyof PayLink['asked'], unknown>>;
  return areTexts && isKnownState && typeof maxQuantity === 'number' && [known, own].every(Array.isArray);
}

/** Reads the link of an address. Throws {@link LinkFault}. */
export function readLink(token: string, language: Language): Promise<PayLink> {
  return call<PayLink>(filled(linkPath, token), language);
}

/**
 * Makes an order, and returns the address of its checkout page. Throws {@link LinkFault}.
 * @param version of the link as the payer sees it
 */
export async function makeOrder(
  token: string,
  order: Partial<PayLinkOrder>,
  { version, language }: { version: string; language: Language },
): Promise<string> {
  const path = `${filled(orderPath, token)}?${new URLSearchParams({ version })}`;
  return (await call<{ cashierUrl: string }>(path, language, order)).cashierUrl;
}

/** Reads what became of an order, and what the merchant has for somebody who has paid it. Throws {@link LinkFault}. */
export function readAfter(token: string, order: string, language: Language): Promise<AfterPayment> {
  return call<AfterPayment>(filled(afterPath, token).replace(':order', encodeURIComponent(order)), language);
}

function call<T>(path: string, language: Language, body?: object): Promise<T> {
  return withinTime(timeoutMs, (signal) => callOnce<T>(path, { language, signal, body }));
}

async function callOnce<T>(
  path: string,
  { language, signal, body }: { language: Language; signal: AbortSignal; body: object | undefined },
): Promise<T> {
  const response = await fetch(path, {
    method: body ? 'POST' : 'GET',
    signal,
    cache: 'no-store',
    credentials: 'omit',
    headers: { 'accept-language': language, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => undefined);
  const json: unknown = await response?.json().catch(() => undefined);
  if (!response || typeof json !== 'object' || json === null) throw new LinkFault('offline', '');
  if (!response.ok) throw faultOf(json);
  return json as T;
}

function faultOf(json: { code?: unknown; message?: unknown; errors?: unknown }): LinkFault {
  const fields = Object.entries((json.errors ?? {}) as Record<string, readonly string[]>);
  return new LinkFault(
    typeof json.code === 'string' ? (json.code as ErrorCode) : 'internal',
    typeof json.message === 'string' ? json.message : '',
    // A payer sees one message of each field; the own ones are numbered.
    Object.fromEntries(fields.map(([name, texts]) => [name, texts[0] ?? ''])),
  );
}
