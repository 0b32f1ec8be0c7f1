import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { phrase } from '../phrase.ts';
import { requiredText } from '../visible-text.ts';
import {
  statementChannel as channel,
  dayDetail,
  difference,
  differenceKinds,
  differencesPerPage,
  statementDay,
  statementFormats,
  statementLimits,
  statementLine,
} from './statement-days.ts';
import { statementMapping } from './statement-mapping.ts';

const day = z.iso.date(phrase('validation.date'));
const note = requiredText('officeReconciliation.noteRequired', 500, 'officeReconciliation.noteLength');

const oneDay = z.object({ channel, day });
const oneDifference = z.object({ id: z.string().regex(/^[1-9]\d{0,17}$/) });
const dayPath = '/api/staff/reconciliation/days/:channel/:day';
const reads = { method: 'GET', access: 'staff', staffPerm: 'reconciliation.read', status: 200 } as const;
const writes = { access: 'staff', staffPerm: 'reconciliation.write' } as const;
const ofDay = { status: 200, reply: z.object({ data: dayDetail }) } as const;
const ofDifference = {
  method: 'POST',
  params: oneDifference,
  status: 200,
  reply: z.object({ data: difference }),
  errors: ['not_found', 'day_closed', 'invalid_transition'],
} as const;

export const reconciliationEndpoints = {
  days: endpoint({
    ...reads,
    path: '/api/staff/reconciliation/days',
    summary: 'Lists the latest days of each channel that have a statement or should have one, newest first.',
    query: z.strictObject({ channel: channel.optional() }),
    reply: z.object({ data: z.array(statementDay) }),
    errors: [],
  }),
  day: endpoint({
    ...reads,
    path: dayPath,
    summary: 'Returns a day of a channel with its figures.',
    params: oneDay,
    reply: z.object({ data: dayDetail }),
    errors: ['not_found'],
  }),
  differences: endpoint({
    ...reads,
    path: `${dayPath}/differences`,
    summary: `Lists the differences of a day, ${differencesPerPage} at a time: those after an id.`,
    params: oneDay,
    query: z.strictObject({
      kind: z.enum(differenceKinds, phrase('validation.choice')).optional(),
      after: z
        .string()
        .regex(/^[1-9]\d{0,17}$/, phrase('validation.cursor'))
        .optional(),
    }),
    reply: z.object({ data: z.array(difference) }),
    errors: ['not_found'],
  }),
  lines: endpoint({
    ...reads,
    path: `${dayPath}/lines`,
    summary: `Lists the lines of a statement, ${differencesPerPage} at a time: those after a line, or those with a reference.`,
    params: oneDay,
    query: z.strictObject({
      reference: z.string().trim().max(140, phrase('validation.choice')).optional(),
      after: z
        .string()
        .regex(/^\d{1,9}$/, phrase('validation.cursor'))
        .optional(),
    }),
    reply: z.object({ data: z.array(statementLine) }),
    errors: ['not_found'],
  }),
  mapping: endpoint({
    ...reads,
    path: '/api/staff/reconciliation/mappings/:channel',
    summary: 'Returns how the statements of a channel are read; null before it was saved.',
    params: z.object({ channel }),
    reply: z.object({ data: statementMapping.nullable() }),
    errors: ['not_found'],
  }),
  saveMapping: endpoint({
    ...writes,
    method: 'PUT',
    path: '/api/staff/reconciliation/mappings/:channel',
    summary: 'Saves how the statements of a channel are read.',
    params: z.object({ channel }),
    body: statementMapping,
    status: 204,
    errors: ['not_found'],
  }),
  upload: endpoint({
    ...writes,
    method: 'POST',
    path: `${dayPath}/statement`,
    summary:
      'Uploads the statement of a day as the body, which may be packed with gzip. Replies once it has arrived; it is then read and matched.',
    params: oneDay,
    query: z.strictObject({
      format: z.enum(statementFormats, phrase('validation.choice')),
      name: z.string().trim().min(1, phrase('validation.choice')).max(200, phrase('validation.choice')),
    }),
    isFileBody: true,
    bodyLimitBytes: statementLimits.uploadBytes,
    status: 201,
    reply: z.object({ data: dayDetail }),
    errors: [
      'not_found',
      'payload_too_large',
      'upload_stalled',
      'statement_exists',
      'statement_repeated',
      'statement_loading',
      'mapping_missing',
      'too_many_requests',
      'unavailable',
    ],
  }),
  discard: endpoint({
    ...writes,
    method: 'DELETE',
    path: `${dayPath}/statement`,
    summary: 'Removes the statement of a day that is not closed, to upload another one.',
    params: oneDay,
    status: 204,
    errors: ['not_found', 'day_closed', 'statement_loading', 'statement_needed', 'statement_adjusted'],
  }),
  match: endpoint({
    ...writes,
    method: 'POST',
    path: `${dayPath}/match`,
    summary: 'Matches a day again; decisions about differences that remain are kept.',
    params: oneDay,
    ...ofDay,
    errors: ['not_found', 'day_closed', 'statement_loading'],
  }),
  close: endpoint({
    ...writes,
    method: 'POST',
    path: `${dayPath}/close`,
    summary:
      'Closes a day that is over, once every difference is explained or adjusted and the clearing accounts agree with the statement.',
    params: oneDay,
    ...ofDay,
    errors: [
      'not_found',
      'day_closed',
      'statement_loading',
      'day_running',
      'differences_open',
      'clearing_moved',
    ],
  }),
  explain: endpoint({
    ...writes,
    ...ofDifference,
    path: '/api/staff/reconciliation/differences/:id/explain',
    summary: 'Explains a difference with a note.',
    body: z.strictObject({ note }),
  }),
  adjust: endpoint({
    ...writes,
    ...ofDifference,
    path: '/api/staff/reconciliation/differences/:id/adjust',
    summary:
      'Asks for a posting that makes the clearing account agree with the statement; a second person has to approve it. Names the merchant where no order is known.',
    body: z.strictObject({
      note: note.max(300, phrase('validation.reasonLength')),
      merchant: z.string().trim().max(64, phrase('officeReconciliation.merchantRequired')).optional(),
    }),
    reply: z.object({ data: z.object({ request: z.string().nullable() }) }),
    errors: [...ofDifference.errors, 'conflict', 'day_running', 'request_waiting'],
  }),
  wait: endpoint({
    ...writes,
    ...ofDifference,
    path: '/api/staff/reconciliation/differences/:id/wait',
    summary: 'Marks a difference that is being looked into, with a note.',
    body: z.strictObject({ note }),
  }),
};
