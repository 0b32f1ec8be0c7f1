import { channelCatalogue, channelCodes } from '@hengfu/contract/channels';
import type { Currency } from '@hengfu/contract/money';
import { type auditTrailEndpoints, type TrailRow, trailPageRows } from '@hengfu/contract/staff/audit-trail';
import { type RequestFact, requestFact } from '@hengfu/contract/staff/requests';
import * as z from 'zod';
import type { Handlers } from '#http/bind.ts';
import { changesOf, withPeople } from '../audit-log.rules.ts';
import type { AuditTrail, TrailSqlRow } from './trail.service.ts';

/** Handles the calls of our staff about the audit trail. */
export function auditTrailHandlers(service: AuditTrail): Handlers<typeof auditTrailEndpoints> {
  return {
    list: async ({ query }) => {
      const found = await service.list(query);
      const rows = found.slice(0, trailPageRows).map(toRow);
      const next = found.length > trailPageRows ? (rows.at(-1)?.entry_no ?? null) : null;
      return { data: { rows, next } };
    },
  };
}

function toRow(row: TrailSqlRow): TrailRow {
  const { merchantCode: code, merchantName: name } = row;
  return {
    entry_no: String(row.id),
    at: row.at.toISOString(),
    merchant: code === null || name === null ? null : { code, name },
    action: row.action,
    actor: row.actor,
    actorName: row.actorName,
    actorEmail: row.actorEmail,
    roles: row.roles ?? [],
    subject: row.subject,
    subjectName: row.subjectName,
    changes: changesOf(
      withPeople(row.before, row.rulePeople),
      withPeople(recordedAfter(row), row.rulePeople),
      currencyOf(row),
    ),
    facts: factsOf(row),
    address: row.address,
    userAgent: row.userAgent,
    request_id: row.requestId,
  };
}

/** The currency of amounts: that of the merchant, or of the channel that the entry is about. The service alone has USDT. */
function currencyOf({ currency, subject }: TrailSqlRow): Currency {
  const code = subject?.split(' ')[0];
  const channel = channelCodes.find((known) => known === code);
  return currency ?? (channel ? channelCatalogue[channel].currency : 'USDT');
}

/** Returns the facts of the request that an entry is about, or those that a command was permitted by. */
function factsOf({ facts, after }: TrailSqlRow): RequestFact[] {
  if (facts) return facts;
  const permitted = z.object({ change: z.object({ facts: z.array(requestFact) }) }).safeParse(after);
  return permitted.success ? permitted.data.change.facts : [];
}

/** The values after an action. Those of a request that its facts say are left out, the others are fields of their own. */
function recordedAfter(row: TrailSqlRow): TrailSqlRow['after'] {
  const { action, facts, after } = row;
  if (!action.startsWith('staff_request.') || after === null) return after;
  const { change, ...recorded } = after;
  const rest = { ...recorded, ...namesIn(row) };
  if (facts || change === null || typeof change !== 'object') return rest;
  const { facts: _facts, ...parts } = change as Readonly<Record<string, unknown>>;
  return { ...rest, ...parts };
}

/** The names of the person and the merchant whom the values of an entry about a request name by ID. */
function namesIn({ requesterName: name, requesterEmail: email, concernedCode: code }: TrailSqlRow) {
  return {
    ...(name !== null && { requestedBy: `${name} (${email})` }),
    ...(code !== null && { merchant: code }),
  };
}
