import type { RuleKind } from '@hengfu/contract/approval-rules';
import type { ApprovalState } from '@hengfu/contract/approval-states';
import type { ApprovalMark } from '@hengfu/contract/approvals';
import { type AuditValueKind, auditField } from '@hengfu/contract/audit-fields';
import type { EndpointState } from '@hengfu/contract/callback-endpoints';
import { collectionStatuses } from '@hengfu/contract/collections';
import type { ExportList } from '@hengfu/contract/export-columns';
import type { ExportPeriod } from '@hengfu/contract/export-schedules';
import type { ExportStatus } from '@hengfu/contract/exports';
import type { KeyScope } from '@hengfu/contract/key-scopes';
import type { Language } from '@hengfu/contract/languages';
import type { PayerField } from '@hengfu/contract/payer-fields';
import { payoutStatuses } from '@hengfu/contract/payouts';
import { topupStatuses } from '@hengfu/contract/topups';
import { networkCodes, networks } from '@hengfu/contract/wallets';
import { withdrawalStatuses } from '@hengfu/contract/withdrawals';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import { formatAmountsIn, formatDecimal, formatInstant, nothing } from '../language/format.ts';
import type { Translate } from '../language/i18n.ts';
import { channelText } from '../orders/channel-name.tsx';

/**
 * Returns the codes that a table names. Tables instead of the contract's own lists, which would bring the schemas of seldom opened pages
 * into the chunk that the dashboard loads; one that misses a code does not compile.
 */
const codesOf = <Code extends string>(table: Readonly<Record<Code, true>>) => Object.keys(table) as Code[];

const approvalStates = codesOf<ApprovalState>({
  waiting: true,
  approved: true,
  refused: true,
  withdrawn: true,
  expired: true,
});
const approvalMarks = codesOf<ApprovalMark>({
  newAccount: true,
  changedAccount: true,
  changedFee: true,
  changedRate: true,
  equalPayment: true,
  fundsTooLow: true,
});
const ruleKinds = codesOf<RuleKind>({
  payout: true,
  withdrawal: true,
  batch: true,
  refund: true,
  payee: true,
  access: true,
  team: true,
});
const endpointStates = codesOf<EndpointState>({ on: true, paused: true, autoPaused: true, off: true });
const exportPeriods = codesOf<ExportPeriod>({ daily: true, weekly: true, monthly: true });
const exportStatuses = codesOf<ExportStatus>({
  waiting: true,
  exporting: true,
  successful: true,
  failed: true,
});
const keyScopes = codesOf<KeyScope>({
  collections: true,
  refunds: true,
  payouts: true,
  balance: true,
  read: true,
});
const payerFields = codesOf<PayerField>({ name: true, email: true, reference: true });
const exportLists = codesOf<ExportList>({
  collections: true,
  refunds: true,
  settlements: true,
  settlementLines: true,
  payouts: true,
  topups: true,
  withdrawals: true,
  fundFlow: true,
  dailyReports: true,
  approvals: true,
  auditLog: true,
});

/** The reader of an audit log: language, time zone, and how the app names roles and permissions. */
export interface AuditReader {
  t: Translate;
  language: Language;
  zone: string;
  roleText: (code: string) => string;
  permText: (code: string) => string;
}

/** Puts a value into words. `action`: as recorded, or as merchants' calls name it. */
export type Wording = (value: string, reader: AuditReader, action: string) => string;
export type Wordings = Readonly<Partial<Record<AuditValueKind, Wording>>>;

/** Words the values that a list knows by a phrase each; others stay as they are. */
export function among<Value extends string>(
  values: readonly Value[],
  phraseOf: (value: Value) => PhraseKey,
): Wording {
  return (text, { t }) => {
    const known = values.find((value) => value === text);
    return known === undefined ? text : t(phraseOf(known));
  };
}

/** Words each of several values, separated by commas. */
export function eachOf(wording: Wording, separator = ', '): Wording {
  return (text, reader, action) =>
    text
      .split(', ')
      .map((value) => wording(value, reader, action))
      .join(separator);
}

/** Words a value by the object of the action, whose name the action begins with. */
export function byObject(wordings: Readonly<Record<string, Wording>>): Wording {
  return (text, reader, action) => {
    const object = Object.keys(wordings).find((name) => action.replaceAll('-', '_').startsWith(name));
    return (object !== undefined && wordings[object]?.(text, reader, action)) || text;
  };
}

/** Names the network of a wallet by its code. */
export function networkText(value: string): string {
  const code = networkCodes.find((each) => each === value);
  return code ? networks[code].name : value;
}

/** Describes approval rules such as "payout 100.00 CNY 1 × ROOT/FINANCE; team 1 × ROOT", each on a line of its own. */
export function ruleTexts(
  value: string,
  { t, language, roleText }: Pick<AuditReader, 't' | 'language' | 'roleText'>,
): string {
  return formatAmountsIn(value, language)
    .split('; ')
    .map((rule) => {
      const [first = '', ...rest] = rule.split(' ');
      const kind = ruleKinds.find((each) => each === first);
      const names = rest.map((word) => word.split('/').map(roleText).join(' / '));
      return [kind ? t(`approvals.ruleKinds.${kind}`) : first, ...names].join(' ');
    })
    .join('\n');
}

const money: Wording = (value, { language }) => formatAmountsIn(value, language);
const endpointState = among(endpointStates, (state) => `endpoints.state.${state}`);

/** The wordings of what both merchants and our staff read. */
export const sharedWordings = {
  amount: money,
  usdt: money,
  number: (value, { language }) => formatDecimal(value, language),
  time: (value, { language, zone }) => formatInstant(value, zone, language, 'full'),
  answer: among(['true', 'false'], (answer) => (answer === 'true' ? 'auditLog.yes' : 'auditLog.no')),
  approval: among(approvalStates, (state) => `approvals.states.${state}`),
  roles: eachOf((code, { roleText }) => roleText(code)),
  permissions: eachOf((code, { permText }) => permText(code), ' '),
  scopes: eachOf(among(keyScopes, (scope) => `accessKeys.scope.${scope}`)),
  payerFields: eachOf(among(payerFields, (field) => `paymentLinks.field.${field}`)),
  channel: (value, { t }) => channelText(value, t),
  network: networkText,
  marks: eachOf(
    among(approvalMarks, (mark) => `approvals.mark.${mark}`),
    ' ',
  ),
  rules: ruleTexts,
  list: among(exportLists, (list) => `exports.lists.${list}`),
  period: among(exportPeriods, (period) => `exports.periods.${period}`),
  factor: among(['app', 'passkey', 'recoveryCode'], (factor) => `auditLog.factors.${factor}`),
  status: byObject({
    collection: among(collectionStatuses, (status) => `collections.status.${status}`),
    payout: among(payoutStatuses, (status) => `payouts.status.${status}`),
    topup: among(topupStatuses, (status) => `topups.status.${status}`),
    withdrawal: among(withdrawalStatuses, (status) => `withdrawals.status.${status}`),
    export: among(exportStatuses, (status) => `exports.status.${status}`),
  }),
  state: byObject({
    callback_endpoint: endpointState,
    user: among(['active', 'suspended', 'blocked'], (state) => `team.states.${state}`),
  }),
} as const satisfies Wordings;

/** Names a field in the reader's language; one that only another version knows keeps its own name. */
export function fieldName(t: Translate, name: string): string {
  const field = auditField(name);
  return field ? t(field.name) : name;
}

/** Puts a recorded value into the reader's words. */
export function auditValue(
  { field, value, action }: { field: string; value: string | null; action: string },
  reader: AuditReader,
  wordings: Wordings = sharedWordings,
): string {
  if (value === null) return nothing;
  const kind = auditField(field)?.kind;
  return (kind && wordings[kind]?.(value, reader, action)) ?? value;
}
