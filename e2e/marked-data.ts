import { createHash, createHmac, randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { sql } from './database.sql.ts';
import { newMerchant, newUser, operator, operatorAlone, productUrl } from './people.ts';

/** Marks the window if one of the texts below is ever run as a script. */
const hurt = 'window.hurt=1';

/**
 * Injection payloads for every field that takes text; each has an effect if it is treated as more than text.
 */
export const marked = {
  merchant: `Shop"><img src=x onerror="${hurt}">`,
  user: `Ann</title><svg onload="${hurt}"> {{name}} $t(app.title)`,
  payee: `An'"><img src=x onerror="${hurt}">${'W'.repeat(50)}`,
  remark: `javascript:${hurt}//</script><script>${hurt}</script>\u202Egpj.exe\u200B\u2066'-${hurt}-'`,
  subject: `Tea--><img src=x onerror="${hurt}">${'水'.repeat(60)}\u202E%s \${7*7}`,
  outTradeNo: `"><script>${hurt}</script>`,
  view: `<iframe/src=javascript:${hurt}></iframe>`,
  file: `"><img src=x onerror="${hurt}">.csv`,
  branch: `<a href="javascript:${hurt}">branch</a>`,
  address: `http://127.0.0.1:9/"><img/src=x/onerror="${hurt}">?a=%22%3E%3Cscript%3E`,
  reason: `<b onmouseover="${hurt}">no</b>${'x'.repeat(100)}`,
  title: `<style>*{display:none}</style>Slow`,
  note: `<meta http-equiv=refresh content="0;url=javascript:${hurt}">`,
  userAgent: `Mozilla/5.0 "><img src=x onerror="${hurt}"> Chrome/150.0`,
} as const;

/** The user of the new merchant, and the numbers that open pages with its data. */
export interface MarkedData {
  user: { email: string; password: string };
  tradeNo: string;
  cashierUrl: string;
  payoutNo: string;
  topupNo: string;
}

/** Creates a merchant whose texts are all payloads, with one of everything that lists show. */
export async function makeMarked(): Promise<MarkedData> {
  const code = await newMerchant('marked', { name: marked.merchant });
  const ofMerchant = ['--merchant', code];
  await operatorAlone('terms', 'set', ...ofMerchant, '--channel', 'CN_BANK');
  await operatorAlone('ip-address', 'set', ...ofMerchant, '--allow', '127.0.0.1/32');
  const funds = ['--from', 'demo', '--to', code, '--amount', '500.00', '--key', code, '--note', marked.note];
  await operatorAlone('transfer', ...funds);
  const user = await newUser(code, { email: `${code}@hengfu.test`, name: marked.user });
  const key = (await operatorAlone('access-key', 'add', ...ofMerchant)) as { id: string; secret: string };
  const order = await signed(key, '/openapi/v1/collections', {
    out_trade_no: marked.outTradeNo,
    amount: '12.00',
    currency: 'CNY',
    subject: marked.subject,
    notifyUrl: marked.address,
    returnUrl: marked.address,
  });
  const payout = await signed(key, '/openapi/v1/payouts', {
    // The bank rejects amounts that end in 01, which creates a notice.
    out_trade_no: marked.outTradeNo,
    amount: '3.01',
    currency: 'CNY',
    channel: 'CN_BANK',
    payee: marked.payee,
    payeeAccount: '987654320001',
    bank: 'ICBC',
    bankName: marked.branch,
    branchName: marked.branch,
    remark: marked.remark,
    notifyUrl: marked.address,
  });
  const topupNo = await rejectedTopup(code);
  const withdrawalTerms = ['--fee', '0', '--free', '1', '--minimum', '1'];
  await operatorAlone('withdrawal', 'terms', ...ofMerchant, ...withdrawalTerms);
  await operatorAlone('contact', 'set', 'website', 'https://contact.example/', '--note', marked.note);
  return {
    user,
    topupNo,
    tradeNo: String(order.trade_no),
    cashierUrl: String(order.cashierUrl),
    payoutNo: String(payout.trade_no),
  };
}

/** Inserts a rejected top-up whose reason is a payload, as a review would leave it. It moves no money. */
async function rejectedTopup(code: string): Promise<string> {
  const topupNo = `T${Date.now()}`;
  const merchant = `(select id from merchant where code = '${code}')`;
  const reason = `'${marked.reason.replaceAll("'", "''")}'`;
  await sql(
    `insert into topup (merchant_id, trade_no, status, usdt_minor, currency, amount_minor, usdt_rate, network, address,
       transaction_id, reject_reason, created_by, reviewed_at)
     select ${merchant}, '${topupNo}', 'rejected', 1, 'CNY', 1, 7, 'TRC20', 'T', '${topupNo}', ${reason}, 'user:1', now()`,
  );
  return topupNo;
}

/** Makes a signed Open API call, and returns its reply. */
async function signed(
  key: { id: string; secret: string },
  path: string,
  fields: object,
): Promise<Record<string, unknown>> {
  const body = JSON.stringify(fields);
  const [timestamp, nonce] = [String(Math.floor(Date.now() / 1000)), randomUUID()];
  const digest = createHash('sha256').update(body).digest('hex');
  const text = ['POST', path, timestamp, nonce, digest].join('\n');
  const headers = {
    'content-type': 'application/json',
    'x-key': key.id,
    'x-timestamp': timestamp,
    'x-nonce': nonce,
    'x-signature': createHmac('sha256', key.secret).update(text).digest('hex'),
  };
  const response = await fetch(productUrl() + path, { method: 'POST', body, headers });
  const reply = await response.text();
  expect(response.ok, `${path}: ${response.status} ${reply}`).toBe(true);
  return JSON.parse(reply);
}

/** The results of {@link makeUserData}. */
export interface UserData {
  slipUrl: string;
  /** Rejected with a payload as its reason. */
  withdrawalNo: string;
}

/** Creates what a signed-in user creates: a saved view, an export, a batch, a withdrawal, a receipt. */
export async function makeUserData(page: Page, password: string): Promise<UserData> {
  const post = async (path: string, data: object, method: 'POST' | 'PUT' = 'POST') => {
    const cookies = await page.context().cookies();
    const token = decodeURIComponent(cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? '');
    const headers = { 'x-xsrf-token': token };
    const response = await page.request.fetch(productUrl() + path, { method, data, headers });
    expect(response.ok(), `${path}: ${response.status()} ${await response.text()}`).toBe(true);
    return JSON.parse((await response.text()) || 'null');
  };
  const filters = { payee: marked.payee };
  const view = { list: 'payouts', name: marked.view, filters, columns: [] };
  await post('/api/merchant/saved-views', view);
  const exported = { list: 'payouts', format: 'csv', language: 'en', zone: 'UTC', filters };
  await post('/api/merchant/exports', exported);
  await post('/api/user/confirm-password', { password });
  const payment = { payment_password: '888888', payment_password_confirmation: '888888' };
  await post('/api/merchant/payment-password', payment, 'PUT');
  const rows = [{ payee: marked.payee, payeeAccount: '987654320002', bank: 'ICBC', bankName: marked.branch }];
  const batch = { channel: 'CN_BANK', rows: rows.map((row) => ({ ...row, amount: '2.00' })) };
  const { data } = await post('/api/merchant/payout-batches/check', batch);
  const application = { ...batch, name: marked.file, total: data.total, payment_password: '888888' };
  await post('/api/merchant/payout-batches', { ...application, confirmed: [] });
  const wallet = {
    network: 'TRC20',
    address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    payment_password: '888888',
  };
  const withdrawal = await post('/api/merchant/withdrawals', { ...wallet, amount: '2', unit: 'usdt' });
  const withdrawalNo = String(withdrawal.data.trade_no);
  await operator('withdrawal', 'reject', withdrawalNo, '--reason', marked.reason);
  const paid = async () => {
    const response = await page.request.get(`${productUrl()}/api/merchant/payouts?status=processed`);
    return (await response.json()).data[0]?.trade_no as string | undefined;
  };
  await expect.poll(paid, { timeout: 30_000 }).toBeDefined();
  const slip = await post(`/api/merchant/payouts/${await paid()}/slip`, {});
  return { slipUrl: slip.data.url, withdrawalNo };
}
