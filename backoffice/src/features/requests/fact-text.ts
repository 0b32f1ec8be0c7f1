import { announcementKinds } from '@hengfu/contract/announcements';
import { channelCodes } from '@hengfu/contract/channels';
import { refundFees, refundFunds } from '@hengfu/contract/fees';
import { currencies } from '@hengfu/contract/money';
import { perms } from '@hengfu/contract/permissions';
import { accountChangeKinds } from '@hengfu/contract/staff/accounts';
import { payoutOutcomes } from '@hengfu/contract/staff/orders';
import type { RequestFact, StaffRequest } from '@hengfu/contract/staff/requests';
import { networkCodes, networks } from '@hengfu/contract/wallets';
import type { en } from '@hengfu/phrases/en';
import { formatDay, formatInstant, formatMoney, nothing } from '@hengfu/ui/language/format.ts';
import { type Translate, useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { useUiSettings } from '@hengfu/ui/language/ui-settings.ts';
import { cycleText } from '../../shared/cycle-text.ts';
import { roleName } from '../../shared/role-name.ts';

type PermWords = keyof typeof en.team.perm;
type Language = ReturnType<typeof useLanguage>;
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

const channelWords: Wording = (value, t) => {
  const code = channelCodes.find((each) => each === value);
  return code ? t(`channels.${code}`) : value;
};
const usdtWords: Wording = (value, _t, language) => formatMoney(value, 'USDT', language);
const timeWords: Wording = (value, _t, language, zone) => formatInstant(value, zone, language, 'full');
const dayWords: Wording = (value, _t, language) => formatDay(value, language);

/** Writes each amount of a text that names its currency, such as "0.6% + 1.50 CNY", as amounts are written elsewhere. */
const moneyWords: Wording = (value, _t, language) =>
  value.replaceAll(/(-?\d+(?:\.\d+)?) ([A-Z]{3,4})\b/g, (text, amount: string, code: string) => {
    const currency = currencies.find((each) => each === code);
    return currency ? formatMoney(amount, currency, language) : text;
  });

const networkWords: Wording = (value) => {
  const code = networkCodes.find((each) => each === value);
  return code ? networks[code].name : value;
};

/** Says what a permission of a merchant's role allows. */
function permText(code: string, t: Translate): string {
  const perm = perms.find((each) => each === code);
  return perm ? t(`team.perm.${perm.replace('.', '_') as PermWords}`) : code;
}

const wordings: Partial<Record<RequestFact['name'], Wording>> = {
  amount: moneyWords,
  moved: moneyWords,
  collectionFee: moneyWords,
  payoutFee: moneyWords,
  feesYesterday: moneyWords,
  usdt: usdtWords,
  arrived: usdtWords,
  withdrawalFee: usdtWords,
  minimum: usdtWords,
  network: networkWords,
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

/** Returns a function that puts one side of a fact into the reader's words. */
export function useFactText(): (name: RequestFact['name'], value: string | null) => string {
  const t = useT();
  const language = useLanguage();
  const { zone } = useUiSettings();
  return (name, value) => (value === null ? nothing : (wordings[name]?.(value, t, language, zone) ?? value));
}

/** Returns a function that names the object of a request, whose merchant is shown beside it. */
export function useSubjectText(): (request: Pick<StaffRequest, 'kind' | 'subject'>) => string {
  const t = useT();
  const language = useLanguage();
  const { zone } = useUiSettings();
  return ({ kind, subject }) => {
    if (kind === 'depositWallet') return networkWords(subject, t, language, zone);
    const [first = '', second = ''] = subject.split(' ');
    if (kind === 'channelTerms') return channelWords(second, t, language, zone);
    if (kind !== 'adjustment') return subject;
    return `${channelWords(first, t, language, zone)} · ${dayWords(second, t, language, zone)}`;
  };
}
