import { announcementKinds } from '@hengfu/contract/announcements';
import { contactKinds } from '@hengfu/contract/contact';
import { refundFees, refundFunds } from '@hengfu/contract/fees';
import { keyScopes } from '@hengfu/contract/key-scopes';
import type { Language } from '@hengfu/contract/languages';
import { accountChangeKinds } from '@hengfu/contract/staff/accounts';
import { payoutOutcomes } from '@hengfu/contract/staff/orders';
import type { RequestFact, StaffRequest } from '@hengfu/contract/staff/requests';
import { networkText, ruleTexts } from '@hengfu/ui/audit/audit-words.ts';
import {
  formatAmountsIn,
  formatDay,
  formatDecimal,
  formatInstant,
  formatMoney,
  nothing,
} from '@hengfu/ui/language/format.ts';
import type { Translate } from '@hengfu/ui/language/i18n.ts';
import { channelText } from '@hengfu/ui/orders/channel-name.tsx';
import { cycleText } from './cycle-text.ts';
import { permText } from './perm-text.ts';
import { roleName } from './role-name.ts';

/** Puts the value of a fact into words. */
type Wording = (value: string, t: Translate, language: Language, zone: string) => string;

/** Names a role. One that a merchant has made comes with its permissions: "own_… (collections.read payouts.read)". */
function merchantRole(text: string, t: Translate): string {
  const [, code, codes] = /^(\w+) \((.*)\)$/.exec(text) ?? [];
  if (code === undefined || codes === undefined) return roleName(text, t);
  return `${code} (${codes
    .split(' ')
    .map((each) => permText(each, t))
    .join(' ')})`;
}

const channelWords: Wording = (value, t) => channelText(value, t);
const usdtWords: Wording = (value, _t, language) => formatMoney(value, 'USDT', language);
const timeWords: Wording = (value, _t, language, zone) => formatInstant(value, zone, language, 'full');
const dayWords: Wording = (value, _t, language) => formatDay(value, language);

const moneyWords: Wording = (value, _t, language) => formatAmountsIn(value, language);
const ruleWords: Wording = (value, t, language) =>
  ruleTexts(value, { t, language, roleText: (role) => roleName(role, t) });

const wordings: Partial<Record<RequestFact['name'], Wording>> = {
  amount: moneyWords,
  moved: moneyWords,
  collectionFee: moneyWords,
  payoutFee: moneyWords,
  feesYesterday: moneyWords,
  rate: (value, _t, language) => formatDecimal(value, language),
  usdt: usdtWords,
  arrived: usdtWords,
  withdrawalFee: usdtWords,
  minimum: usdtWords,
  network: networkText,
  channel: channelWords,
  day: dayWords,
  payoutLimit: moneyWords,
  payoutDayLimit: moneyWords,
  withdrawalDayLimit: moneyWords,
  collectionLimit: moneyWords,
  settlementCycle: (value, t) => cycleText(value, t) ?? value,
  isOpen: (value, t) => t(value === 'true' ? 'officeService.taken' : 'officeService.notTaken'),
  outcome: (value, t) => {
    const outcome = payoutOutcomes.find((each) => each === value);
    return outcome ? t(`officeOrders.outcomes.${outcome}`) : value;
  },
  accountChange: (value, t) => {
    const change = accountChangeKinds.find((each) => each === value);
    return change ? t(`officeService.accountChanges.${change}`) : value;
  },
  refundFee: (value, t) => {
    const fee = refundFees.find((each) => each === value);
    return fee ? t(`officeMerchants.refundFees.${fee}`) : value;
  },
  refundFunds: (value, t) => {
    const funds = refundFunds.find((each) => each === value);
    return funds ? t(`officeMerchants.refundFunds.${funds}`) : value;
  },
  announcementKind: (value, t) => {
    const kind = announcementKinds.find((each) => each === value);
    return kind ? t(`officeAnnouncements.kinds.${kind}`) : value;
  },
  startsAt: (value, t, ...how) =>
    value === '' ? t('officeRequests.onceAgreed') : timeWords(value, t, ...how),
  endsAt: timeWords,
  expiresAt: timeWords,
  scopes: (value, t) =>
    value
      .split(', ')
      .map((each) => {
        const scope = keyScopes.find((known) => known === each);
        return scope ? t(`accessKeys.scope.${scope}`) : each;
      })
      .join(', '),
  rules: ruleWords,
  contact: (value, t) => {
    const kind = contactKinds.find((each) => value.startsWith(`${each} `));
    return kind ? `${t(`contact.kind.${kind}`)} ${value.slice(kind.length + 1)}` : value;
  },
  merchants: (value, t) => value || t('officeAnnouncements.all'),
  permissions: (value, t) =>
    value
      .split(' ')
      .map((code) => permText(code, t))
      .join(' '),
  roles: (value, t) =>
    value
      .split(', ')
      .map((role) => merchantRole(role, t))
      .join(', '),
};

/** The reader's language and time zone. */
export interface Reader {
  t: Translate;
  language: Language;
  zone: string;
}

/** Puts one side of a fact into the reader's words. */
export function factText(
  name: RequestFact['name'],
  value: string | null,
  { t, language, zone }: Reader,
): string {
  return value === null ? nothing : (wordings[name]?.(value, t, language, zone) ?? value);
}

/** Ends the subject of a new announcement, so that others that begin alike can wait beside it. */
const announcementMark = / · [\w-]{6}$/;

/** Returns the subject of an announcement as people know it. */
export const withoutMark = (subject: string): string => subject.replace(announcementMark, '');

/** Names the object of a request, whose merchant is shown beside it. */
export function subjectText(
  { kind, subject }: Pick<StaffRequest, 'kind' | 'subject'>,
  { t, language, zone }: Reader,
): string {
  if (kind === 'depositWallet') return networkText(subject);
  if (kind === 'announcement') return withoutMark(subject);
  const [first = '', second = ''] = subject.split(' ');
  if (kind === 'channelTerms') return channelWords(second, t, language, zone);
  if (kind !== 'adjustment') return subject;
  return `${channelWords(first, t, language, zone)} · ${dayWords(second, t, language, zone)}`;
}
