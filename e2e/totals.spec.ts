import { expect } from '@playwright/test';
import { sql } from './database.sql.ts';
import { newUser, operator, signIn } from './people.ts';
import { test } from './story.ts';

const merchant = 'many-orders';
const orders = 12_345;

// Before the stories, and not in the first of them: a story that is tried again begins with a product of its own.
test.beforeAll(async () => {
  await operator(
    ...['merchant', 'create', '--code', merchant, '--name', 'Many orders'],
    ...['--currency', 'CNY', '--zone', 'Asia/Shanghai'],
  );
  await sql(`insert into collection (merchant_id, trade_no, out_trade_no, request_hash, status, currency, amount_minor,
      cashier_token, created_at, expires_at)
    select m.id, 'C-many-' || n, 'M' || n, '', case when n % 2 = 0 then 'closed' else 'cancelled' end, 'CNY', 100,
      'many' || n, now() - n * interval '1 minute', now()
    from merchant m, generate_series(1, ${orders}) n where m.code = '${merchant}'`);
});

test('a long list shows its exact count and sum with its rows, or a moment later', async ({ page }) => {
  const user = await newUser(merchant);
  const counts: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/totals')) counts.push(request.url());
  });
  await signIn(page, '/collection/payments', user);
  await expect(page.getByText('12,345 rows')).toBeVisible();
  await expect(page.getByText('¥12,345.00')).toBeVisible();
  await expect(page.getByText(/^As of /)).toBeVisible();
  const list = page.url();
  await page.goto(`${list}?status=closed`);
  await expect(page.getByText('6,172 rows')).toBeVisible();
  await expect(page.getByText('¥6,172.00')).toBeVisible();
  expect(counts).toEqual([]);
  // The rollup does not know amounts, so these rows are counted.
  await page.goto(`${list}?amountFrom=1.00`);
  await expect(page.getByText('12,345 rows')).toBeVisible();
  await expect(page.getByText('¥12,345.00')).toBeVisible();
  expect(counts).toHaveLength(1);
});

test('a long count shows how far it has come', async ({ page }) => {
  const user = await newUser(merchant);
  await page.addInitScript(() => {
    const original = window.fetch;
    window.fetch = (input, init) => {
      if (!String(input).endsWith('/api/merchant/totals')) return original(input, init);
      const body = new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode('{"counted":1250000}\n')),
      });
      return Promise.resolve(new Response(body, { status: 200 }));
    };
  });
  await signIn(page, '/collection/payments?amountFrom=1.00', user);
  await expect(page.getByText('Counted 1,250,000 so far…')).toBeVisible();
  await expect(page.locator('tbody tr')).toHaveCount(20);
});

test('a list whose totals cannot be counted says so, and keeps its rows', async ({ page }) => {
  const user = await newUser(merchant);
  await page.route('**/api/merchant/totals', (route) =>
    route.fulfill({ status: 429, json: { message: 'busy', code: 'too_many_requests', request_id: 'r' } }),
  );
  await signIn(page, '/collection/payments?amountFrom=1.00', user);
  // A busy machine gives up counting before that, so the list is asked again.
  await expect(async () => {
    await page.reload();
    await expect(page.getByText('10,000+ rows')).toBeVisible({ timeout: 3000 });
  }).toPass({ timeout: 30_000 });
  await expect(page.getByText('Narrow the filters to see the total.')).toBeVisible();
  await expect(page.locator('tbody tr')).toHaveCount(20);
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
});
