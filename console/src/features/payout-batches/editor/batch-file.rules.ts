import { bankNamed } from '@hengfu/contract/banks';
import { type BatchHeading, normalizeHeading } from '@hengfu/contract/batch-headings';
import { type ChannelCode, channelCatalogue, pixKeyTypes } from '@hengfu/contract/channels';
import { withoutMarks } from '@hengfu/contract/csv';
import { type Currency, currencyScale } from '@hengfu/contract/money';
import { type BatchField, type BatchRow, batchFieldsOf } from '@hengfu/contract/payout-batch-rows';

/** Other headings that people use for the columns. */
const otherHeadings: Partial<Record<BatchField, readonly string[]>> = {
  payee: [
    '收款人姓名',
    '收款人名称',
    '收款人户名',
    '收款户名',
    '账户名',
    '户名',
    '姓名',
    'name',
    'account name',
    'beneficiary',
    'chủ tài khoản',
    'người nhận',
    'tên',
    'favorecido',
  ],
  payeeAccount: [
    '账号',
    '卡号',
    '银行卡号',
    '收款卡号',
    '收款人账号',
    '银行账号',
    '收款账户',
    'account',
    'account number',
    'account no',
    'số tài khoản',
    'tài khoản nhận',
    'stk',
    'pix',
    'chave',
    'chave pix',
    'conta',
  ],
  bank: ['银行代码', '开户银行', 'bank code', 'banco'],
  bankName: ['开户行', '开户行名称'],
  branchName: ['开户支行', '支行名称', 'branch name'],
  ifsc: ['ifsc code'],
  accountType: ['key type', 'pix key type', 'tipo'],
  taxId: ['cpf', 'cnpj', 'tax id'],
  amount: ['付款金额', '代付金额', 'payment amount', 'valor'],
  remark: ['附言', '用途', 'note', 'ghi chú', 'descrição'],
  out_trade_no: ['订单号', '编号', 'order number', 'reference'],
};

/**
 * The headings of the first templates, in Chinese, English and Vietnamese. Merchants fill in templates they
 * saved long ago, so these must still name their columns after the phrases change.
 */
const firstHeadings: Record<BatchField, readonly string[]> = {
  payee: ['收款人', 'Payee', 'Người thụ hưởng'],
  payeeAccount: ['收款账号', 'Receiving account', 'Tài khoản thụ hưởng'],
  bank: ['银行', 'Bank', 'Ngân hàng'],
  bankName: ['银行名称', 'Bank name', 'Tên ngân hàng'],
  branchName: ['支行', 'Branch', 'Chi nhánh'],
  ifsc: ['IFSC'],
  accountType: ['账户类型', 'Account type', 'Loại tài khoản'],
  taxId: ['CPF/CNPJ'],
  amount: ['金额', 'Amount', 'Số tiền'],
  remark: ['备注', 'Remark', 'Nội dung'],
  out_trade_no: ['商户订单号', 'Merchant order number', 'Mã đơn của merchant'],
};

/** Returns the template's heading for a field in each language. */
export type HeadingsOf = (field: BatchField) => readonly string[];

/** Returns the field that a heading names, in a template of any language or by its API name. */
export function fieldOf(
  heading: string,
  channel: ChannelCode,
  headingsOf: HeadingsOf,
): BatchField | undefined {
  const wanted = normalizeHeading(heading);
  return batchFieldsOf(channel).find((field) =>
    headingsFor(field, headingsOf).some((name) => normalizeHeading(name) === wanted),
  );
}

function headingsFor(field: BatchField, headingsOf: HeadingsOf): readonly string[] {
  return [field, ...headingsOf(field), ...firstHeadings[field], ...(otherHeadings[field] ?? [])];
}

/** A column of a file under a heading that names no field of the template. */
export interface OwnColumn {
  heading: string;
  /** The field that it was mapped to. */
  field?: BatchField | undefined;
  /** Its cells, row by row. */
  values: readonly string[];
}

/** The content of a file. */
export interface Table {
  rows: BatchRow[];
  /** Fields that a heading names. */
  named: BatchField[];
  columns: OwnColumn[];
}

/** Rows that may hold the headings, because a title may precede them. */
const headerRows = [0, 1, 2, 3, 4];

/**
 * Returns the rows of a file and its columns with other headings; undefined if it has no header row. Maps those
 * of them that the merchant has mapped before. Removes the marks by which exports keep spreadsheets from
 * running cells as formulas.
 */
export function readTable(
  cells: readonly (readonly string[])[],
  channel: ChannelCode,
  headingsOf: HeadingsOf,
  remembered: readonly BatchHeading[] = [],
): Table | undefined {
  const known = new Map(remembered.map(({ heading, field }) => [heading, field]));
  const namedAt = (index: number) => (cells[index] ?? []).map((text) => fieldOf(text, channel, headingsOf));
  const countAt = (index: number) =>
    (cells[index] ?? []).filter(
      (text) => fieldOf(text, channel, headingsOf) ?? known.get(normalizeHeading(text)),
    ).length;
  const at =
    headerRows.find((index) => countAt(index) > 1) ??
    headerRows.find((index) => countAt(index) === 1 && filledIn(cells[index]) > 1);
  if (at === undefined) return undefined;
  // Of two columns for one field, the first one counts, and the other is shown as one of the merchant's own, which is not used.
  const fields = namedAt(at).map((field, index, all) => (all.indexOf(field) === index ? field : undefined));
  const lines = cells.slice(at + 1).filter((line) => filledIn(line) > 0);
  const valueAt = (line: readonly string[], index: number) => withoutMarks(line[index] ?? '').trim();
  const named = fields.filter((field) => field !== undefined);
  const columns: OwnColumn[] = [];
  for (const [index, heading] of (cells[at] ?? []).entries()) {
    if (heading.trim() === '' || fields[index]) continue;
    const field = known.get(normalizeHeading(heading));
    const isFree =
      field !== undefined &&
      batchFieldsOf(channel).includes(field) &&
      ![...named, ...columns.map((one) => one.field)].includes(field);
    if (isFree) fields[index] = field;
    const values = lines.map((line) => valueAt(line, index));
    columns.push({ heading: heading.trim(), field: isFree ? field : undefined, values });
  }
  const rows = lines.map((line) => {
    const cellsOf = fields.map((field, index) => [field, valueAt(line, index)] as const);
    return normalizeRow(Object.fromEntries(cellsOf.filter(([field]) => field !== undefined)), channel);
  });
  return { rows, named, columns };
}

function filledIn(line: readonly string[] = []): number {
  return line.filter((text) => text.trim() !== '').length;
}

/** Normalizes a row's amount, type of PIX key, and bank. */
export function normalizeRow(given: BatchRow, channel: ChannelCode): BatchRow {
  const row = { ...given };
  if (row.amount !== undefined) row.amount = plainAmount(row.amount, channelCatalogue[channel].currency);
  if (row.accountType !== undefined) row.accountType = pixKeyType(row.accountType);
  const bank = bankNamed(channel, row.bank ?? '') ?? bankNamed(channel, row.bankName ?? '');
  if (bank) {
    row.bank = bank.code;
    if (channel === 'CN_BANK') row.bankName ||= bank.name;
  }
  return row;
}

/** Converts an amount to the API's format; returns it unchanged if it is ambiguous. */
export function plainAmount(text: string, currency: Currency): string {
  const bare = text
    .normalize('NFKC')
    .replaceAll(/[\s\u00a0']|R\$|[¥₫đ₹元]|[A-Z]{3}/gi, '')
    .trim();
  const scale = currencyScale[currency];
  // 1,234.50 and 1,234
  if (/^\d{1,3}(,\d{3})+(\.\d*)?$/.test(bare)) return bare.replaceAll(',', '').replace(/\.$/, '');
  // 1.234,50; and 1.234.500, which has too many points for decimals
  if (/^\d{1,3}(\.\d{3})+,\d{1,2}$/.test(bare) && scale > 0)
    return bare.replaceAll('.', '').replace(',', '.');
  if (/^\d{1,3}(\.\d{3}){2,}$/.test(bare)) return bare.replaceAll('.', '');
  // No currency here has three decimals; in one without decimals a point separates thousands.
  if (/^\d{1,3}\.\d{3}$/.test(bare) && scale === 0) return bare.replace('.', '');
  // 12,50
  if (/^\d+,\d{1,2}$/.test(bare) && scale > 0) return bare.replace(',', '.');
  return /^\d+(\.\d+)?$/.test(bare) ? bare.replace(/^0+(?=\d)/, '') : text;
}

function pixKeyType(text: string): string {
  const upper = text.toUpperCase();
  if (pixKeyTypes.some((type) => type === upper)) return upper;
  const [found] = Object.entries(pixKeyNames).find(([, pattern]) => pattern.test(text)) ?? [];
  return found ?? text;
}

const pixKeyNames = {
  PHONE: /phone|手机|电话|điện thoại|celular|telefone/i,
  EMAIL: /mail|邮箱|邮件/i,
  EVP: /random|随机|ngẫu nhiên|aleat/i,
};

/** Whether a spreadsheet has turned a number into scientific notation, which keeps fifteen digits at most. */
export function hasLostDigits(account: string): boolean {
  return /^\d(\.\d+)?e\+?\d+$/i.test(account.trim());
}
