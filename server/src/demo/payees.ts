import type { PayoutFields } from '@hengfu/contract/payout-fields';
import type { Random } from './random.ts';

/** The payee of a demo payout: its fields except amount and channel. */
export type DemoPayee = Pick<PayoutFields, 'payee' | 'payeeAccount' | 'bank' | 'bankName' | 'branchName'>;

/** A bank, with the first digits of its cards. */
type BankOfCards = readonly [code: string, name: string, start: string];
const chineseBanks: readonly [BankOfCards, ...BankOfCards[]] = [
  ['ICBC', '中国工商银行', '622202'],
  ['CCB', '中国建设银行', '621700'],
  ['ABC', '中国农业银行', '622848'],
  ['BOC', '中国银行', '621661'],
  ['CMB', '招商银行', '621483'],
  ['PSBC', '中国邮政储蓄银行', '621098'],
];
const branches = [
  '北京朝阳支行',
  '上海浦东支行',
  '广州天河支行',
  '杭州西湖支行',
  '成都高新支行',
  '武汉光谷支行',
] as const;
const families = '王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗';
const given = [
  '芳',
  '伟',
  '秀英',
  '娜',
  '敏',
  '静',
  '磊',
  '洋',
  '艳',
  '勇',
  '军',
  '杰',
  '娟',
  '涛',
  '明',
  '超',
  '霞',
  '平',
] as const;
const suppliers = [
  '云岭茶业有限公司',
  '五常稻米合作社',
  '滇南农产品有限公司',
  '长三角冷链物流有限公司',
  '优品包装制品厂',
] as const;

const vietnameseBanks = ['970436', '970422', '970407', '970418', '970416'] as const;
const vietnameseNames = [
  'NGUYEN VAN AN',
  'TRAN THI BICH',
  'LE HOANG NAM',
  'PHAM MINH CHAU',
  'VO THI HONG',
  'DANG QUOC HUY',
  'CONG TY TNHH GOM VIET',
  'HOP TAC XA TRA SEN',
] as const;

/** Generates the people and companies that a demo merchant pays regularly. */
export function payeesOf(code: string, random: Random): DemoPayee[] {
  if (code === 'other') return vietnameseNames.map((payee) => vietnamese(payee, random));
  const people = Array.from(
    { length: 34 },
    () => families[random.between(0, families.length)] + random.pick(given),
  );
  return [...new Set([...people, ...suppliers])].map((payee) => chinese(payee, random));
}

function vietnamese(payee: string, random: Random): DemoPayee {
  return { payee, bank: random.pick(vietnameseBanks), payeeAccount: digits(random, 12) };
}

function chinese(payee: string, random: Random): DemoPayee {
  const [bank, bankName, start] = random.pick(chineseBanks);
  const body = start + digits(random, 12);
  return { payee, bank, bankName, branchName: random.pick(branches), payeeAccount: body + checkDigit(body) };
}

function digits(random: Random, count: number): string {
  return Array.from({ length: count }, () => random.between(0, 10)).join('');
}

/** Computes the check digit of a card number (Luhn algorithm, ISO/IEC 7812-1). */
function checkDigit(body: string): string {
  const sum = [...body].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return String((10 - (sum % 10)) % 10);
}
