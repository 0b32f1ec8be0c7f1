import { banksOf } from '@hengfu/contract/banks';
import type { ChannelCode, PixKeyType } from '@hengfu/contract/channels';

/** The values found in a text, by the names of the form's fields. */
export interface PastedFields {
  payee?: string;
  payeeAccount?: string;
  amount?: string;
  bank?: string;
  bankName?: string;
  branchName?: string;
  ifsc?: string;
  accountType?: PixKeyType;
  taxId?: string;
  remark?: string;
}

/** Reads a VietQR or PIX code, a UPI link, or lines as people send them. Returns {} if it finds nothing. */
export function readPasted(text: string, channel: ChannelCode): PastedFields {
  const plain = text.normalize('NFKC').trim();
  if (isEmv(plain)) return readEmv(plain.replaceAll(/[\r\n]/g, ''));
  if (/^upi:\/\//i.test(plain)) return readUpi(plain);
  return readLines(plain, channel);
}

/** Whether a text is a VietQR or PIX code with a wrong checksum, such as one that was copied incompletely. */
export function isDamagedCode(text: string): boolean {
  const plain = text.normalize('NFKC').trim();
  return isEmv(plain) && !isChecksumValid(plain.replaceAll(/[\r\n]/g, ''));
}

function isEmv(text: string): boolean {
  return /^0002\d{2}/.test(text);
}

/** Parses an EMV code (EMVCo Merchant-Presented Mode): two-digit tags, two-digit lengths, values. */
function readTags(text: string): Map<string, string> {
  const tags = new Map<string, string>();
  for (let at = 0; at + 4 <= text.length; ) {
    const length = Number(text.slice(at + 2, at + 4));
    if (Number.isNaN(length)) break;
    tags.set(text.slice(at, at + 2), text.slice(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return tags;
}

/** Checks the CRC-16/CCITT-FALSE over everything before the last four characters, which are the checksum. */
function isChecksumValid(text: string): boolean {
  const body = text.slice(0, -4);
  let crc = 0xffff;
  for (const byte of new TextEncoder().encode(body)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++)
      crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return text.slice(-4).toUpperCase() === crc.toString(16).toUpperCase().padStart(4, '0');
}

function readEmv(text: string): PastedFields {
  if (!isChecksumValid(text)) return {};
  const tags = readTags(text);
  const amount = tags.get('54');
  const name = tags.get('59');
  const remark = readTags(tags.get('62') ?? '').get('08');
  const common = { ...(amount && { amount }), ...(name && { payee: name }), ...(remark && { remark }) };
  const vietnamese = readTags(readTags(tags.get('38') ?? '').get('01') ?? '');
  const [bank, account] = [vietnamese.get('00'), vietnamese.get('01')];
  if (bank && account) return { ...common, bank, payeeAccount: account };
  const key = readTags(tags.get('26') ?? '').get('01');
  return key ? { ...common, payeeAccount: key, ...pixTypeOf(key) } : {};
}

function pixTypeOf(key: string): Pick<PastedFields, 'accountType' | 'taxId'> {
  if (key.includes('@')) return { accountType: 'EMAIL' };
  if (/^\+\d+$/.test(key)) return { accountType: 'PHONE' };
  if (/^[0-9a-f]{8}-/i.test(key)) return { accountType: 'EVP' };
  return key.length === 11 ? { accountType: 'CPF', taxId: key } : { accountType: 'CNPJ', taxId: key };
}

/** Reads a UPI link to a bank account: `pa=<account>@<IFSC>.ifsc.npci` (NPCI, UPI linking specification). */
function readUpi(text: string): PastedFields {
  const query = new URLSearchParams(text.split('?')[1] ?? '');
  const [, account, ifsc] =
    /^(\d{9,18})@([A-Z]{4}0[A-Z0-9]{6})\.ifsc\.npci$/i.exec(query.get('pa') ?? '') ?? [];
  const [payee, amount, remark] = [query.get('pn'), query.get('am'), query.get('tn')];
  return {
    ...(account && { payeeAccount: account }),
    ...(ifsc && { ifsc: ifsc.toUpperCase() }),
    ...(payee && { payee }),
    ...(amount && { amount }),
    ...(remark && { remark }),
  };
}

const labels: readonly (readonly [keyof PastedFields, RegExp])[] = [
  [
    'payee',
    /^(收款人|户名|姓名|名字|account name|beneficiary|payee|name|người nhận|chủ tài khoản|tên|favorecido|nome)$/i,
  ],
  [
    'payeeAccount',
    /^(账号|卡号|收款账号|银行账号|account( number| no\.?)?|a\/c( no\.?)?|số tài khoản|stk|conta|chave( pix)?)$/i,
  ],
  ['bankName', /^(银行|开户行|开户银行|bank( name)?|ngân hàng|banco)$/i],
  ['branchName', /^(支行|开户支行|branch( name)?|chi nhánh|agência)$/i],
  ['amount', /^(金额|付款金额|amount|số tiền|valor)$/i],
  ['ifsc', /^(ifsc( code)?)$/i],
  ['taxId', /^(cpf|cnpj|cpf\/cnpj)$/i],
  ['remark', /^(备注|附言|remark|note|nội dung|descrição)$/i],
];

/** Reads lines such as "户名：王芳". A line without a label is recognized by its format. */
function readLines(text: string, channel: ChannelCode): PastedFields {
  const found: PastedFields = {};
  for (const line of text.split(/[\r\n;；]+/)) {
    const [, label, value] = /^\s*([^:：=]{1,24}?)\s*[:：=]\s*(.+?)\s*$/.exec(line) ?? [];
    const field = labels.find(([, pattern]) => pattern.test(label ?? ''))?.[0];
    if (field && value) Object.assign(found, { [field]: value });
    else guess(line.trim(), found);
  }
  if (found.amount) found.amount = plainAmount(found.amount);
  const bank = bankIn(found.bankName ?? text, channel);
  if (bank)
    Object.assign(found, {
      bank: bank.code,
      ...(channel === 'CN_BANK' && !found.bankName && { bankName: bank.name }),
    });
  return found;
}

/** Finds the bank with the longest name that a text contains: the names of some banks contain those of others. */
function bankIn(text: string, channel: ChannelCode) {
  const lower = text.toLowerCase();
  const lengthIn = (name = '') => (lower.includes(name.toLowerCase()) ? name.length : 0);
  const found = banksOf[channel]?.map((bank) => ({
    bank,
    length: Math.max(lengthIn(bank.name), lengthIn(bank.latinName)),
  }));
  const [longest] = found?.toSorted((one, other) => other.length - one.length) ?? [];
  return longest && longest.length > 0 ? longest.bank : undefined;
}

function guess(line: string, found: PastedFields): void {
  if (/^[\d\s-]{9,34}$/.test(line)) found.payeeAccount ??= line;
  else if (/^[A-Z]{4}0[A-Z0-9]{6}$/i.test(line)) found.ifsc ??= line.toUpperCase();
  else if (/^[¥₫₹R$\s]*\d[\d,]*(\.\d+)?\s*(元|CNY|VND|INR|BRL|đ)?$/i.test(line)) found.amount ??= line;
  else if (/^\p{L}[\p{L}\s.·'-]{1,60}$/u.test(line) && !/银行|支行|bank|ngân hàng|banco/i.test(line))
    found.payee ??= line;
}

/** Removes currency signs and grouping commas from an amount; keeps separators that are ambiguous. */
function plainAmount(text: string): string {
  const bare = text.replaceAll(/[^\d.,]/g, '');
  return /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(bare) ? bare.replaceAll(',', '') : bare;
}
