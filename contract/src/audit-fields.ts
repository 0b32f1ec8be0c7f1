import type { PhraseKey } from '@hengfu/phrases/phrases';

/** The kind of a field's values in the audit trail, which decides how readers see them. */
export type AuditValueKind =
  | 'text'
  /** An amount; the server adds the currency. */
  | 'amount'
  | 'usdt'
  | 'number'
  /** An instant. */
  | 'time'
  /** Yes or no. */
  | 'answer'
  /** A status of the object that the action is about. */
  | 'status'
  | 'state'
  | 'kind'
  | 'approval'
  | 'roles'
  /** An actor, such as `operator:<name>`, or a person's name. */
  | 'actor'
  | 'permissions'
  | 'scopes'
  | 'payerFields'
  | 'channel'
  | 'network'
  | 'marks'
  | 'rules'
  | 'list'
  | 'period'
  | 'factor'
  | 'outcome'
  | 'cycle'
  | 'stage'
  | 'impact'
  | 'component'
  | 'parts'
  /** Codes of merchants; none means all. */
  | 'merchants'
  | 'statementFormat';

interface AuditField {
  name: PhraseKey;
  kind: AuditValueKind;
}

const field = (name: PhraseKey, kind: AuditValueKind = 'text'): AuditField => ({ name, kind });

/** The fields that merchants read, in their own audit log. */
const fieldsOfMerchants = {
  title: field('auditLog.fields.title'),
  least: field('auditLog.fields.least', 'amount'),
  most: field('auditLog.fields.most', 'amount'),
  maxQuantity: field('auditLog.fields.maxQuantity'),
  maxUses: field('auditLog.fields.maxUses'),
  expiresAt: field('auditLog.fields.expiresAt', 'time'),
  picture: field('auditLog.fields.picture'),
  asked: field('auditLog.fields.asked', 'payerFields'),
  ownFields: field('auditLog.fields.ownFields'),
  returnUrl: field('auditLog.fields.returnUrl'),
  outTradeNo: field('auditLog.fields.outTradeNo'),
  name: field('auditLog.fields.name'),
  email: field('auditLog.fields.email'),
  zone: field('auditLog.fields.zone'),
  language: field('auditLog.fields.language'),
  session: field('auditLog.fields.session'),
  list: field('auditLog.fields.list', 'list'),
  filters: field('auditLog.fields.filters'),
  every: field('auditLog.fields.every', 'period'),
  status: field('auditLog.fields.status', 'status'),
  displayName: field('auditLog.fields.displayName'),
  color: field('auditLog.fields.color'),
  logo: field('auditLog.fields.logo'),
  blocks: field('auditLog.fields.blocks'),
  revokedTimes: field('auditLog.fields.revokedTimes'),
  rows: field('auditLog.fields.rows'),
  total: field('auditLog.fields.total', 'amount'),
  reason: field('auditLog.fields.reason'),
  rejectReason: field('auditLog.fields.rejectReason'),
  field: field('auditLog.fields.field'),
  usdt: field('auditLog.fields.usdt', 'usdt'),
  arrived: field('auditLog.fields.arrived', 'usdt'),
  network: field('auditLog.fields.network', 'network'),
  transactionId: field('auditLog.fields.transactionId'),
  amount: field('auditLog.fields.amount', 'amount'),
  fee: field('auditLog.fields.fee', 'amount'),
  currency: field('auditLog.fields.currency'),
  channel: field('auditLog.fields.channel', 'channel'),
  payee: field('auditLog.fields.payee'),
  payeeAccount: field('auditLog.fields.payeeAccount'),
  address: field('auditLog.fields.address'),
  keyId: field('auditLog.fields.keyId'),
  overlapHours: field('auditLog.fields.overlapHours'),
  note: field('auditLog.fields.note'),
  callbackUrl: field('auditLog.fields.callbackUrl'),
  url: field('auditLog.fields.url'),
  events: field('auditLog.fields.events'),
  skipped: field('auditLog.fields.skipped'),
  scopes: field('auditLog.fields.scopes', 'scopes'),
  addresses: field('auditLog.fields.addresses'),
  endsAt: field('auditLog.fields.endsAt', 'time'),
  isEnabled: field('auditLog.fields.isEnabled', 'answer'),
  refundNo: field('auditLog.fields.refundNo'),
  isSuspended: field('auditLog.fields.isSuspended', 'answer'),
  isRequired: field('auditLog.fields.isRequired', 'answer'),
  attempt: field('auditLog.fields.attempt'),
  state: field('auditLog.fields.state', 'state'),
  roles: field('auditLog.fields.roles', 'roles'),
  description: field('auditLog.fields.description'),
  permissions: field('auditLog.fields.permissions', 'permissions'),
  secondFactor: field('auditLog.fields.secondFactor', 'factor'),
  app: field('auditLog.fields.app'),
  passkeys: field('auditLog.fields.passkeys'),
  id: field('auditLog.fields.id'),
  collectionRatePpm: field('auditLog.fields.collectionRatePpm'),
  payoutRatePpm: field('auditLog.fields.payoutRatePpm'),
  collectionFixed: field('auditLog.fields.collectionFixed', 'amount'),
  payoutFixed: field('auditLog.fields.payoutFixed', 'amount'),
  refundFeeKept: field('auditLog.fields.refundFeeKept', 'answer'),
  refundFromAvailable: field('auditLog.fields.refundFromAvailable', 'answer'),
  freePerDay: field('auditLog.fields.freePerDay'),
  minimum: field('auditLog.fields.minimum', 'usdt'),
  validFrom: field('auditLog.fields.validFrom', 'time'),
  code: field('auditLog.fields.code'),
  isSet: field('auditLog.fields.isSet', 'answer'),
  cutOff: field('auditLog.fields.cutOff'),
  payoutLimit: field('auditLog.fields.payoutLimit', 'amount'),
  payoutDayLimit: field('auditLog.fields.payoutDayLimit', 'amount'),
  withdrawalDayLimit: field('auditLog.fields.withdrawalDayLimit', 'amount'),
  collectionLimit: field('auditLog.fields.collectionLimit', 'amount'),
  settlementCycle: field('auditLog.fields.settlementCycle', 'cycle'),
  until: field('auditLog.fields.until', 'time'),
  approvalState: field('auditLog.fields.approvalState', 'approval'),
  rules: field('auditLog.fields.rules', 'rules'),
  days: field('auditLog.fields.days'),
  event: field('auditLog.fields.event'),
  requestNo: field('auditLog.fields.requestNo'),
  marks: field('auditLog.fields.marks', 'marks'),
  isDone: field('auditLog.fields.isDone', 'answer'),
  excluded: field('auditLog.fields.excluded'),
  call: field('auditLog.fields.call'),
} as const;

/** The fields that only our staff reads. A saved column mapping has a name for each of its parts. */
const fieldsOfService = {
  request: field('officeAudit.fields.request'),
  requestedBy: field('officeAudit.fields.requestedBy', 'actor'),
  change: field('officeAudit.fields.change'),
  kind: field('officeAudit.fields.kind', 'kind'),
  refusal: field('officeAudit.fields.refusal'),
  merchant: field('officeAudit.fields.merchant'),
  hasFactor: field('officeAudit.fields.hasFactor', 'answer'),
  isDisabled: field('officeAudit.fields.isDisabled', 'answer'),
  parts: field('officeAudit.fields.parts', 'parts'),
  from: field('officeAudit.fields.from'),
  to: field('officeAudit.fields.to'),
  key: field('officeRequests.names.idempotencyKey'),
  outcome: field('officeRequests.names.outcome', 'outcome'),
  bankReference: field('officeRequests.names.bankReference'),
  file: field('officeReconciliation.file'),
  type: field('officeAudit.fields.type'),
  sha256: field('officeAudit.fields.sha256'),
  format: field('officeReconciliation.format', 'statementFormat'),
  lines: field('officeReconciliation.lineCount'),
  lineNo: field('officeReconciliation.line'),
  clearing: field('officeReconciliation.clearing', 'amount'),
  theirs: field('officeReconciliation.theirs', 'amount'),
  ours: field('officeReconciliation.ours', 'amount'),
  difference: field('officeReconciliation.difference'),
  reference: field('officeReconciliation.reference'),
  dayEnds: field('officeReconciliation.dayEnds'),
  'csv.delimiter': field('officeReconciliation.delimiter'),
  'csv.encoding': field('officeReconciliation.encoding'),
  'csv.headingRow': field('officeReconciliation.headingRow'),
  'csv.decimalMark': field('officeReconciliation.decimalMark'),
  'csv.dateOrder': field('officeReconciliation.dateOrder'),
  'csv.amountForm': field('officeReconciliation.amountForm'),
  'csv.reference': field('officeReconciliation.column.reference'),
  'csv.amount': field('officeReconciliation.column.amount'),
  'csv.credit': field('officeReconciliation.column.credit'),
  'csv.debit': field('officeReconciliation.column.debit'),
  'csv.direction': field('officeReconciliation.column.direction'),
  'csv.creditWord': field('officeReconciliation.column.creditWord'),
  'csv.date': field('officeReconciliation.column.date'),
  'csv.bankReference': field('officeReconciliation.column.bankReference'),
  'csv.text': field('officeReconciliation.column.text'),
  impact: field('officeService.impact', 'impact'),
  stage: field('officeService.stage', 'stage'),
  component: field('officeAudit.fields.component', 'component'),
  titleZhCn: field('officeAudit.fields.titleZhCn'),
  titleVi: field('officeAudit.fields.titleVi'),
  text: field('officeRequests.names.text'),
  textZhCn: field('officeRequests.names.textZhCn'),
  textVi: field('officeRequests.names.textVi'),
  value: field('officeAudit.fields.value'),
  notes: field('officeRequests.names.note'),
  notesZhCn: field('officeRequests.names.noteZhCn'),
  notesVi: field('officeRequests.names.noteVi'),
  startsAt: field('officeRequests.names.startsAt', 'time'),
  endedAt: field('officeAudit.fields.endedAt', 'time'),
  merchants: field('officeRequests.names.merchants', 'merchants'),
  isOpen: field('officeRequests.names.isOpen', 'answer'),
  rate: field('officeRequests.names.rate', 'number'),
  collection: field('officeAudit.fields.collection', 'answer'),
  payout: field('officeAudit.fields.payout', 'answer'),
  recoveredTo: field('officeAudit.fields.recoveredTo', 'time'),
  'comparison.at': field('officeAudit.fields.comparedAt', 'time'),
  'comparison.from': field('officeAudit.fields.comparedFrom', 'time'),
  'comparison.unknown': field('officeAudit.fields.comparedUnknown'),
  'comparison.byHand': field('officeAudit.fields.comparedByHand'),
  lost: field('officeAudit.fields.lost'),
  lostSha256: field('officeAudit.fields.lostSha256'),
  kept: field('officeAudit.fields.kept'),
  keptSha256: field('officeAudit.fields.keptSha256'),
  at: field('officeAudit.fields.at', 'time'),
  by: field('officeAudit.fields.by', 'actor'),
} as const;

/**
 * Everything that audit rows record, by the names that replies give it, with its name in every language. An amount in minor units is
 * recorded as `amountMinor`, one of USDT as `arrivedUsdtMinor`; readers see `amount` and `arrived`.
 */
export const auditFields = { ...fieldsOfMerchants, ...fieldsOfService };
export type AuditFieldName = keyof typeof auditFields;

/** Finds a field by the name that a reply gives it; undefined for one that only a newer or older server knows. */
export function auditField(name: string): AuditField | undefined {
  return Object.hasOwn(auditFields, name) ? auditFields[name as AuditFieldName] : undefined;
}

type Recorded = AuditFieldName | 'title' | 'csv' | 'comparison';
type RecordedName = Recorded | `${AuditFieldName}Minor` | `${AuditFieldName}UsdtMinor`;
/** The values that an audit row may record before or after. A field without a name does not compile in a literal, and fails the test that records it. */
export type AuditValues = { readonly [Name in RecordedName]?: unknown };
