import { expect, test } from 'vitest';
import { chooseLanguage } from './language.ts';
import { formatAmount } from './money.ts';
import { call, order, startTestSandbox } from './test-support.ts';

const nowhere = 'http://127.0.0.1:9/';

async function startWithPage(more: Record<string, unknown> = {}, amountMinor = '10000') {
  const sandbox = await startTestSandbox();
  const { json } = await call(sandbox, 'POST', '/v1/collections', order('ref-1', amountMinor, nowhere, more));
  const address = `${sandbox.url}/pay/${json.id}`;
  const get = async (query = '', headers: Record<string, string> = {}) => {
    const response = await fetch(address + query, { headers });
    return { response, text: await response.text() };
  };
  const press = (action: 'confirm' | 'decline', lang = 'en') =>
    fetch(`${address}/${action}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ lang }),
    });
  return { sandbox, address, get, press };
}

test.each([
  [123456789n, 'CNY', 'en-GB', 'CNY 1,234,567.89'],
  [5n, 'USD', 'en-GB', 'USD 0.05'],
  [100000n, 'INR', 'zh-CN', 'INR 1,000.00'],
  [1234n, 'BRL', 'vi-VN', 'BRL 12,34'],
  [1500000n, 'VND', 'vi-VN', 'VND 1.500.000'],
  [1n, 'USDT', 'en-GB', 'USDT 0.000001'],
  [999_999_999_999_999_999n, 'CNY', 'en-GB', 'CNY 9,999,999,999,999,999.99'],
] as const)('formats %s minor units of %s for %s as %s', (amountMinor, currency, locale, expected) => {
  expect(formatAmount(amountMinor, currency, locale)).toBe(expected);
});

test.each([
  ['vi', 'zh-CN', 'vi'],
  ['ZH-CN', undefined, 'zh-cn'],
  ['fr', 'vi-VN,vi;q=0.9', 'vi'],
  [undefined, 'fr;q=1, en;q=0.3, zh-Hans-CN;q=0.7', 'zh-cn'],
  [undefined, 'vi;q=0, *', 'en'],
  [['vi', 'en'], undefined, 'en'],
])('chooses, for the language %j and Accept-Language %j, %s', (requested, accepted, expected) => {
  expect(chooseLanguage(requested, accepted)).toBe(expected);
});

test.each([
  ['en', 'en-GB', 'Sandbox bank · test mode, no real money', 'Confirm payment'],
  ['zh-cn', 'zh-CN', '沙箱银行 · 测试环境，不涉及真实资金', '确认付款'],
  ['vi', 'vi-VN', 'Ngân hàng thử nghiệm · không dùng tiền thật', 'Xác nhận thanh toán'],
])('shows the order in %s', async (language, locale, mark, button) => {
  const { get } = await startWithPage({ description: 'Blue kettle' });
  const { response, text } = await get(`?lang=${language}`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  for (const part of [`<html lang="${locale}">`, mark, button, 'CNY 100', 'Blue kettle', 'ref-1', 'UTC']) {
    expect(text).toContain(part);
  }
});

test('escapes the texts of the order', async () => {
  const { get } = await startWithPage({
    description: `</dd><script>alert("1")</script> & 'x'`,
    returnUrl: `https://shop.example/?a="><script>alert(2)</script>&b='`,
  });
  const before = await get();
  expect(before.text).toContain(
    '&lt;/dd&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;',
  );
  expect(before.text).not.toContain('<script');
});

test('escapes the return URL', async () => {
  const { get, press } = await startWithPage({
    returnUrl: `https://shop.example/?a="><script>x</script>&b='`,
  });
  await press('confirm');
  const { text } = await get();
  expect(text).toContain('href="https://shop.example/?a=%22%3E%3Cscript%3Ex%3C/script%3E&amp;b=%27"');
  expect(text).not.toContain('<script');
});

test('allows the page’s own style and script and the return URL in its policy, and nothing else', async () => {
  const { get, press } = await startWithPage({ returnUrl: 'https://shop.example:8443/back' }, '10002');
  await press('confirm');
  const { response, text } = await get();
  const policy = response.headers.get('content-security-policy') ?? '';
  const nonce = /style-src 'nonce-([^']+)'/.exec(policy)?.[1];
  expect(text).toContain(`<style nonce="${nonce}">`);
  expect(text).toContain(`<script nonce="${nonce}">`);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("form-action 'self' https://shop.example:8443;");
  expect(policy).not.toContain('unsafe');
  expect(text).not.toMatch(/ style=| on\w+=/);
  expect((await get()).response.headers.get('content-security-policy')).not.toBe(policy);
});

test.each([
  ['http://a;script-src/', "form-action 'self' http:;"],
  ['http://[::1]:8080/', "form-action 'self' http:;"],
])('keeps the policy intact with the return URL %s', async (returnUrl, expected) => {
  const { get } = await startWithPage({ returnUrl });
  const policy = (await get()).response.headers.get('content-security-policy');
  expect(policy).toContain(expected);
  expect(policy?.match(/script-src/g)).toHaveLength(1);
});

test('redirects to the return URL after confirming and declining', async () => {
  for (const action of ['confirm', 'decline'] as const) {
    const { press } = await startWithPage({ returnUrl: 'https://shop.example/back?order=1' });
    const response = await press(action);
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe('https://shop.example/back?order=1');
  }
});

test('shows the result in the same language if there is no return URL', async () => {
  const { sandbox, address, press, get } = await startWithPage();
  const response = await press('confirm', 'vi');
  expect(response.status).toBe(303);
  const result = new URL(response.headers.get('location') ?? '', `${address}/confirm`).href;
  expect(result).toBe(`${address}?lang=vi`);
  expect(await (await fetch(result)).text()).toContain('Thanh toán thành công');
  expect((await get()).text).not.toContain('<form');
  expect((await call(sandbox, 'GET', '/v1/collections/ref-1')).json).toMatchObject({ status: 'paid' });
});

test('shows the final state of the order', async () => {
  const declined = await startWithPage();
  await declined.press('decline');
  expect((await declined.get()).text).toContain('You declined this payment.');

  const refused = await startWithPage({}, '10001');
  await refused.press('confirm');
  expect((await refused.get()).text).toContain('Insufficient funds in the account.');

  const cancelled = await startWithPage({ returnUrl: 'https://shop.example/' });
  await call(cancelled.sandbox, 'POST', '/v1/collections/ref-1/cancel');
  expect((await cancelled.press('confirm')).headers.get('location')).toMatch(/^\.\.\/bc_/);
  expect((await cancelled.get()).text).toContain('Order cancelled');
});

test('shows that an order is late and lets it be confirmed, but only for a day', async () => {
  const hoursAgo = (hours: number) => ({ expiresAt: new Date(Date.now() - hours * 3_600_000).toISOString() });
  const late = await startWithPage(hoursAgo(1));
  expect((await late.get()).text).toContain('will arrive late');
  await late.press('confirm');
  expect((await late.get()).text).toContain('Payment successful');

  const over = await startWithPage(hoursAgo(25));
  await over.press('confirm');
  await expect.poll(async () => (await over.get()).text).toContain('Order expired');
});

test('shows a page for an unknown order', async () => {
  const { sandbox } = await startWithPage();
  const response = await fetch(`${sandbox.url}/pay/bc_none?lang=zh-cn`);
  expect(response.status).toBe(404);
  expect(await response.text()).toContain('订单不存在');
});
