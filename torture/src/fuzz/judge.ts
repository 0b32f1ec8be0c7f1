import { errorReply } from '@hengfu/contract/error-reply';
import type { Call } from './call.ts';
import { type Change, wrongChanges } from './changes.ts';
import type { Reply } from './client.ts';
import { firstErrorStatus, type Operation } from './document.ts';
import type { Json } from './json.ts';

/** What came of one call. */
export interface Happened {
  operation: Operation;
  call: Call;
  reply: Reply;
  changes: readonly Change[];
}

/** Answers that the envelope of a request can bring about anywhere: too long a header, another host's name. */
const ofTheEnvelope = new Set([400, 413]);
const inside = /node_modules|\bat \S+ \(|\bSQLSTATE\b|relation "|syntax error at|violates \w+ constraint/;

/** Everything about it that should not have been, a sentence each. */
export function complaints(happened: Happened, { words, id }: { words: string; id: bigint }): string[] {
  const { reply, call, changes } = happened;
  const isRefused = reply.status === 0 || reply.status >= firstErrorStatus;
  const written = isRefused ? wrongChanges(changes) : [];
  return [
    ...ofStatus(happened),
    ...(reply.status >= firstErrorStatus && call.method !== 'HEAD' ? ofErrorReply(reply) : []),
    ...(reply.text.includes(words) ? ['tells what is only the bystander’s'] : []),
    ...(changes.some(({ merchant }) => merchant === String(id)) ? ['writes to the bystander’s rows'] : []),
    ...written.map((name) => `is refused (${codeOf(reply)}) and has written: ${name}`),
  ];
}

function ofStatus({ operation, call, reply }: Happened): string[] {
  const { status } = reply;
  if (status === 0) return ['closes the connection without an answer'];
  if (status >= 500) return [`answers ${codeOf(reply)}`];
  if (call.isWrong && status < firstErrorStatus) return ['takes what is wrong'];
  if (call.isElsewhere) return [];
  if (ofTheEnvelope.has(status) && !operation.replies.has(status) && hasOddEnvelope(call)) return [];
  if (!operation.replies.has(status)) return [`answers ${codeOf(reply)}, which its document does not have`];
  const schema = operation.replies.get(status);
  if (!schema || status >= firstErrorStatus) return [];
  const fault = schema.safeParse(jsonOf(reply)).error?.issues[0];
  return fault ? [`answers what its document does not have: ${fault.path.join('.')} ${fault.message}`] : [];
}

function hasOddEnvelope({ headers }: Call): boolean {
  return Object.values(headers).join('').length > 4000 || 'host' in headers;
}

function ofErrorReply(reply: Reply): string[] {
  const parsed = errorReply.strict().safeParse(jsonOf(reply));
  if (!parsed.success) return [`refuses with ${reply.status} in a shape that is not the product’s`];
  const faults: string[] = [];
  if (parsed.data.request_id !== reply.headers['x-request-id']) faults.push('refuses without its number');
  if (inside.test(reply.text)) faults.push('tells of its inside');
  return faults;
}

/** The reply's JSON; undefined where it has none. */
export function jsonOf({ text }: Reply): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Status and code, for people. */
function codeOf(reply: Reply): string {
  const json = jsonOf(reply);
  const code = typeof json === 'object' && json !== null && 'code' in json ? ` ${json.code}` : '';
  return `${reply.status}${code}`;
}
