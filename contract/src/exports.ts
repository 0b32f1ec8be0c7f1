import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { type ExportList, exportColumns, exportLists } from './export-columns.ts';
import { languages } from './languages.ts';
import { instant, listQuery, listReply, maxFilterLength, oneOrMore } from './lists.ts';
import { amount } from './money.ts';
import type { Perm } from './permissions.ts';
import { phrase } from './phrase.ts';
import { isZone } from './profile.ts';

/** States of an export. A cancelled one is `failed`, with that reason. */
export const exportStatuses = ['waiting', 'exporting', 'successful', 'failed'] as const;
export type ExportStatus = (typeof exportStatuses)[number];

/** The allowed moves; a failed export can be retried. */
export const exportMoves: Record<ExportStatus, readonly ExportStatus[]> = {
  waiting: ['exporting', 'failed'],
  exporting: ['waiting', 'successful', 'failed'],
  successful: [],
  failed: ['waiting'],
};

export const exportFormats = ['csv', 'xlsx'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Maximum exports of one merchant that run at the same time; others wait. */
export const maxConcurrentExports = 3;
/** Days until a finished file is deleted. */
export const exportDays = 7;

/** Reasons why an export failed. */
export const exportReasons = ['cancelled', 'fault', 'lost'] as const;

/** The permission required to export a list, besides the right to export. */
export const permOfList: Readonly<Record<ExportList, Perm>> = {
  collections: 'collections.read',
  refunds: 'collections.read',
  settlements: 'settlements.read',
  settlementLines: 'settlements.read',
  payouts: 'payouts.read',
  topups: 'topups.read',
  withdrawals: 'withdrawals.read',
  fundFlow: 'funds.read',
  dailyReports: 'funds.read',
  approvals: 'approvals.read',
  auditLog: 'audit.read',
};

const columnKeys = new Set(Object.values(exportColumns).flatMap((columns) => columns.map(({ key }) => key)));

/** A request for an export: a list as its URL shows it. */
export const createExport = z
  .strictObject({
    list: z.enum(exportLists, phrase('validation.choice')),
    /** The list's own filters, as its call accepts them; checked by the list's own rules. */
    filters: z.record(z.string().max(64), z.string().max(maxFilterLength)).default({}),
    /** Column keys, in order; empty means all columns. */
    columns: z
      .array(z.string().refine((key) => columnKeys.has(key), phrase('validation.choice')))
      .max(64)
      .default([]),
    format: z.enum(exportFormats, phrase('validation.choice')),
    language: z.enum(languages, phrase('validation.choice')),
    /** IANA name of the time zone for times. */
    zone: z.string().max(64).refine(isZone, phrase('validation.choice')),
  })
  .superRefine(({ list, columns }, context) => {
    const known = new Set(exportColumns[list].map(({ key }) => key));
    if (columns.some((key) => !known.has(key)) || new Set(columns).size !== columns.length)
      context.addIssue({ code: 'custom', path: ['columns'], message: phrase('validation.choice') });
  });
export type CreateExport = z.output<typeof createExport>;

export const exportRow = z.object({
  export_no: z.string(),
  list: z.enum(exportLists),
  format: z.enum(exportFormats),
  status: z.enum(exportStatuses),
  fileName: z.string(),
  filters: z.record(z.string(), z.string()),
  zone: z.string(),
  /** Name of the schedule that requested it; null if a person did. */
  scheduleName: z.string().nullable(),
  /** Rows written so far. */
  rows: z.number().int(),
  /** Set once the file is finished. */
  bytes: z.number().int().nullable(),
  sha256: z.string().nullable(),
  /** Sums of the columns that are amounts, by currency; null until finished. */
  sums: z.array(z.object({ key: z.string(), currency: z.string(), amount })).nullable(),
  reason: z.enum(exportReasons).nullable(),
  createdBy: z.string(),
  createdAt: instant,
  finishedAt: instant.nullable(),
  /** When the file is deleted; null if there is none. */
  expiresAt: instant.nullable(),
});
export type ExportRow = z.output<typeof exportRow>;

export const exportQuery = listQuery({ status: oneOrMore(exportStatuses) });
export type ExportQuery = z.output<typeof exportQuery>;

const byNumber = z.object({ export_no: z.string().max(64) });

export const exportEndpoints = {
  create: endpoint({
    method: 'POST',
    path: '/api/merchant/exports',
    summary: 'Submits an export of a list; the file is available once it is done.',
    access: 'session',
    perm: 'exports.create',
    body: createExport,
    status: 201,
    reply: z.object({ data: exportRow }),
    errors: ['quota_reached'],
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/merchant/exports',
    summary: 'Lists exports, newest first.',
    access: 'session',
    perm: 'exports.read',
    query: exportQuery,
    status: 200,
    reply: listReply(exportRow),
    errors: [],
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/api/merchant/exports/:export_no/cancel',
    summary: 'Cancels a waiting or running export and discards its file.',
    access: 'session',
    perm: 'exports.create',
    params: byNumber,
    status: 200,
    reply: z.object({ data: exportRow }),
    errors: ['not_found', 'invalid_transition'],
  }),
  retry: endpoint({
    method: 'POST',
    path: '/api/merchant/exports/:export_no/retry',
    summary: 'Retries a failed export.',
    access: 'session',
    perm: 'exports.create',
    params: byNumber,
    status: 200,
    reply: z.object({ data: exportRow }),
    errors: ['not_found', 'invalid_transition', 'quota_reached'],
  }),
  file: endpoint({
    method: 'GET',
    path: '/api/merchant/exports/:export_no/file',
    summary: 'Downloads the finished file.',
    access: 'session',
    perm: 'exports.read',
    params: byNumber,
    status: 200,
    isFile: true,
    errors: ['not_found'],
  }),
  manifest: endpoint({
    method: 'GET',
    path: '/api/merchant/exports/:export_no/manifest',
    summary:
      'Returns the manifest of the file as text: rows, totals, filters, time zone, submitter, time and SHA-256.',
    access: 'session',
    perm: 'exports.read',
    params: byNumber,
    status: 200,
    isFile: true,
    errors: ['not_found'],
  }),
};
