import { errorReply } from '@hengfu/contract/error-reply';
import { openError } from '@hengfu/contract/open-api';
import * as z from 'zod';
import type { Call } from './call.ts';
import { type Change, wrongChanges } from './changes.ts';
import type { Reply } from './client.ts';
import { firstErrorStatus, type Operation } from './document.ts';
import { isForbiddenTo } from './forbidden.ts';
import type { Json } from './json.ts';

/** One call with its reply and the rows written meanwhile. */
export interface Exchange {
  operation: Operation;
  call: Call;
  reply: Reply;
  changes: readonly Change[];
}

/** Statuses that bad headers can cause at any operation: a header that is too long, a wrong host. */
const headerStatuses = new Set([400, 413]);
/** Merchants' systems get problem details, unless a message cannot be read as a call at all. */
const anyError = z.union([openError.extend({ code: errorReply.shape.code }).strict(), errorReply.strict()]);
const internals = /node_modules|\bat \S+ \(|\bSQLSTATE\b|relation "|syntax error at|violates \w+ constraint/;

/** Lists everything wrong about an exchange, in one sentence each. `marker` and `id` are the bystander's. */
export function complaintsOf(exchange: Exchange, { marker, id }: { marker: string; id: bigint }): string[] {
  const { operation, reply, call, changes } = exchange;
  // Our staff see and serve every merchant.
  const isOfMerchants = operation.door === 'merchants';
  const isRefused = reply.status === 0 || reply.status >= firstErrorStatus;
  const code = codeOf(reply);
  const written = isRefused
    ? wrongChanges(changes).filter((name) => !isNoted(exchange.operation, code, name))
    : [];
  return [
    ...statusComplaints(exchange),
    ...(reply.status >= firstErrorStatus && call.method !== 'HEAD' ? errorReplyComplaints(reply) : []),
    ...(isOfMerchants && reply.text.includes(marker) ? ['discloses data of the bystander'] : []),
    ...(isOfMerchants && changes.some(({ merchant }) => merchant === String(id))
      ? ['writes to the bystander’s rows']
      : []),
    ...written.map((name) => `is refused (${code}) but has written: ${name}`),
  ];
}

/** Refusals of changes of access that the audit log keeps: of one's own access, of the last owner's, of more than one has. */
const notedRefusals = new Set(['409 own_membership', '409 last_owner', '403 roles_exceed']);
/** Refused uses of a known link are noted, whatever the reason. */
const notedPath = '/api/invitations/';

function isNoted({ path }: Operation, code: string, name: string): boolean {
  return name === 'INSERT audit' && (notedRefusals.has(code) || path.startsWith(notedPath));
}

function statusComplaints({ operation, call, reply }: Exchange): string[] {
  const { status } = reply;
  if (status === 0) return ['closes the connection without a reply'];
  if (status >= 500) return [`replies ${codeOf(reply)}`];
  if (call.isWrong && status < firstErrorStatus) return ['accepts a call that must be refused'];
  if (call.isElsewhere) return [];
  if (isForbiddenTo(call.who, operation) && status < firstErrorStatus)
    return ['accepts a call of somebody who lacks the permission'];
  if (headerStatuses.has(status) && !operation.replies.has(status) && hasOddHeaders(call)) return [];
  if (!operation.replies.has(status)) return [`replies ${codeOf(reply)}, which its document does not list`];
  const schema = operation.replies.get(status);
  if (!schema || status >= firstErrorStatus) return [];
  const fault = schema.safeParse(jsonOf(reply)).error?.issues[0];
  return fault ? [`sends a reply that violates its schema: ${fault.path.join('.')} ${fault.message}`] : [];
}

function hasOddHeaders({ headers }: Call): boolean {
  return Object.values(headers).join('').length > 4000 || 'host' in headers;
}

function errorReplyComplaints(reply: Reply): string[] {
  const parsed = anyError.safeParse(jsonOf(reply));
  if (!parsed.success) return [`refuses with ${reply.status} without a standard error reply`];
  const found: string[] = [];
  if (parsed.data.request_id !== reply.headers['x-request-id']) found.push('refuses with a wrong request id');
  if (internals.test(reply.text)) found.push('discloses internals');
  return found;
}

/** Parses a reply's JSON; undefined if it is not JSON. */
export function jsonOf({ text }: Reply): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Formats a reply's status and error code. */
export function codeOf(reply: Reply): string {
  const json = jsonOf(reply);
  const code = typeof json === 'object' && json !== null && 'code' in json ? ` ${json.code}` : '';
  return `${reply.status}${code}`;
}
