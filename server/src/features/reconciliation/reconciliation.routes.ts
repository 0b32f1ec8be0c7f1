import { Readable } from 'node:stream';
import { type Currency, formatAmount } from '@hengfu/contract/money';
import type { reconciliationEndpoints } from '@hengfu/contract/staff/reconciliation';
import {
  type DayDetail,
  type Difference,
  differenceKinds,
  type StatementDay,
  type StatementLine,
} from '@hengfu/contract/staff/statement-days';
import type { Handlers } from '#http/bind.ts';
import type { Adjustments } from './adjustments.ts';
import type { StatementUploads } from './loading/statement-uploads.ts';
import type {
  Day,
  DayKey,
  ListedDay,
  ListedDifference,
  ListedLine,
  ReconciliationService,
} from './reconciliation.service.ts';

/** Handles the calls of the reconciliation. */
export function reconciliationHandlers(
  service: ReconciliationService,
  uploads: StatementUploads,
  adjustments: Adjustments,
): Handlers<typeof reconciliationEndpoints> {
  const detail = async (key: DayKey) => ({ data: toDetail(await service.day(key)) });
  const decide =
    (state: 'explained' | 'waiting') =>
    async ({ caller: member, request, params, body }: DecisionCall) => {
      const { statement, difference } = await service.decide(
        BigInt(params.id),
        { state, note: body.note },
        { member, request },
      );
      return { data: toDifference(difference, statement.currency) };
    };
  return {
    days: async ({ query }) => ({ data: (await service.days(query.channel)).map(toDay) }),
    day: ({ params }) => detail(params),
    differences: async ({ params, query: { kind, after } }) => {
      const { statement, list } = await service.differences(params, { kind, after: BigInt(after ?? 0) });
      return { data: list.map((each) => toDifference(each, statement.currency)) };
    },
    lines: async ({ params, query: { reference, after } }) => {
      const part = { reference: reference || undefined, after: Number(after ?? 0) };
      const { statement, list } = await service.lines(params, part);
      return { data: list.map((line) => toLine(line, statement.currency)) };
    },
    mapping: async ({ params }) => ({ data: (await service.mapping(params.channel)) ?? null }),
    saveMapping: async ({ caller: member, request, params, body }) => {
      await service.saveMapping(params.channel, body, { member, request });
      return undefined;
    },
    upload: async ({ caller: member, request, params, query, http }) => {
      const { body } = http.request;
      const file = { ...query, body: body instanceof Readable ? body : Readable.from([]) };
      await uploads.upload(params, file, { member, request });
      return detail(params);
    },
    discard: async ({ caller: member, request, params }) => {
      await service.discard(params, { member, request });
      return undefined;
    },
    match: async ({ caller: member, request, params }) => {
      await service.match(params, { member, request });
      return detail(params);
    },
    close: async ({ caller: member, request, params }) => {
      await service.close(params, { member, request });
      return detail(params);
    },
    explain: decide('explained'),
    adjust: async ({ caller: member, request, params, body: { note, merchant } }) => {
      const id = await adjustments.ask(BigInt(params.id), { note, merchant }, { member, request });
      return { data: { request: id === undefined ? null : String(id) } };
    },
    wait: decide('waiting'),
  };
}

type DecisionCall = Parameters<
  Extract<Handlers<typeof reconciliationEndpoints>['explain'], (call: never) => unknown>
>[0];

const optional = (minor: bigint | null, currency: Currency) =>
  minor === null ? null : formatAmount(minor, currency);

function toDay({
  lineCount,
  statementMinor,
  clearingMinor,
  unresolved,
  uploadedAt,
  closedAt,
  ...day
}: ListedDay): StatementDay {
  const difference =
    statementMinor === null || clearingMinor === null ? null : statementMinor - clearingMinor;
  return {
    ...day,
    lines: lineCount,
    statement: optional(statementMinor, day.currency),
    clearing: optional(clearingMinor, day.currency),
    difference: optional(difference, day.currency),
    unresolved: Number(unresolved),
    uploadedAt: uploadedAt?.toISOString() ?? null,
    closedAt: closedAt?.toISOString() ?? null,
  };
}

function toDetail({ statement, people, kinds, unmatchedLines, foundMinor, unresolved }: Day): DayDetail {
  const { currency, creditMinor, debitMinor, startsAt, endsAt } = statement;
  const day = toDay({
    channel: statement.channel,
    day: statement.day,
    currency,
    state: statement.state,
    format: statement.format,
    fileName: statement.fileName,
    fault: statement.fault,
    faultLine: statement.faultLine,
    lineCount: statement.lineCount,
    statementMinor: creditMinor - debitMinor,
    clearingMinor: statement.clearingMinor,
    unresolved: BigInt(unresolved),
    uploadedAt: statement.uploadedAt,
    closedAt: statement.closedAt,
  });
  return {
    ...day,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    in: formatAmount(creditMinor, currency),
    out: formatAmount(debitMinor, currency),
    opening: optional(statement.openingMinor, currency),
    closing: optional(statement.closingMinor, currency),
    matched: statement.state === 'loading' ? 0 : statement.lineCount - unmatchedLines,
    kinds: Object.fromEntries(
      differenceKinds.map((kind) => [kind, kinds.get(kind) ?? 0]),
    ) as DayDetail['kinds'],
    found: formatAmount(foundMinor, currency),
    ...people,
  };
}

function toDifference(
  { id, lineNo, theirsMinor, oursMinor, orderNo, decidedAt, ...rest }: ListedDifference,
  currency: Currency,
): Difference {
  const { kind, state, reference, otherDay, merchant, bankReference, text, note, decidedBy } = rest;
  return {
    id: String(id),
    kind,
    state,
    reference,
    line: lineNo,
    theirs: optional(theirsMinor, currency),
    ours: optional(oursMinor, currency),
    otherDay,
    number: orderNo,
    merchant,
    bankReference,
    text,
    note,
    decidedBy,
    decidedAt: decidedAt?.toISOString() ?? null,
  };
}

function toLine({ lineNo, amountMinor, ...line }: ListedLine, currency: Currency): StatementLine {
  return { ...line, line: lineNo, amount: formatAmount(amountMinor, currency) };
}
