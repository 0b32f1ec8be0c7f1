import { createHash } from 'node:crypto';
import { expect } from '@playwright/test';
import { open, operator, operatorAlone, signIn } from './people.ts';
import { test } from './story.ts';

/** The smallest image possible: one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const picture = { name: 'receipt.png', mimeType: 'image/png', buffer: pixel };
const transaction = (seed: string) => createHash('sha256').update(`${seed} ${Date.now()}`).digest('hex');

test('a top-up is submitted, reviewed and credited', async ({ page }) => {
  await signIn(page, '/recharge/topup');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('Please check if the form information is filled in completely.')).toBeVisible();
  await expect(page.getByText('Please select a currency.')).toBeVisible();
  await expect(page.getByText('Please select the network type.')).toBeVisible();
  await page.getByLabel('Currency').selectOption('USDT');
  await expect(page.getByText('Please enter the recharge amount.')).toBeVisible();
  await expect(
    page.getByText('Please upload a screenshot of the recharge: max 2M, PNG or JPG only.'),
  ).toBeVisible();
  await page.getByLabel('Network type').selectOption('Tron (TRC20)');
  await expect(page.getByText('Send USDT on Tron (TRC20) only')).toBeVisible();
  await expect(
    page.getByRole('img', { name: 'QR code of the wallet address on Tron (TRC20)' }),
  ).toBeVisible();
  await expect(page.getByText('T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb')).toBeVisible();
  await page.getByLabel('Recharge amount').fill('100.5');
  const sums = page.getByRole('region', { name: 'Summary' });
  await expect(sums.getByText('¥715.56')).toBeVisible();
  await expect(sums.getByText('$100.47')).toBeVisible();
  await page.getByLabel('Transaction hash').fill(`0x${transaction('wrong')}`);
  const file = page.locator('input[type=file]');
  await file.setInputFiles({ name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
  await expect(
    page.getByText('Please upload a screenshot of the recharge: max 2M, PNG or JPG only.'),
  ).toBeVisible();
  await file.setInputFiles(picture);
  await expect(page.getByRole('img', { name: 'Selected image' })).toBeVisible();
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('This is not a valid transaction hash on this network.')).toBeVisible();
  const id = transaction('right');
  await page.getByLabel('Transaction hash').fill(id);
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('Submitted successfully')).toBeVisible();
  await expect(page.getByText(/is awaiting review/)).toBeVisible();
  await page.getByRole('link', { name: 'View status' }).click();
  const drawer = page.getByRole('dialog', { name: /^Top-up T/ });
  await expect(drawer.getByText('Pending review').first()).toBeVisible();
  await expect(drawer.getByRole('img', { name: 'Screenshot' })).toBeVisible();
  const no = /T\d+/.exec(await drawer.innerText())?.[0] ?? '';
  await operator('topup', 'approve', no, '--arrived', '100');
  // Without a reload.
  await expect(drawer.getByText('Approved').first()).toBeVisible();
  await operatorAlone('topup', 'credit', no);
  await expect(drawer.getByText('Paid', { exact: true }).first()).toBeVisible();
  await expect(drawer.getByText('¥712.00').first()).toBeVisible();
  await expect(drawer.getByRole('link', { name: id })).toHaveAttribute(
    'href',
    `https://tronscan.org/#/transaction/${id}`,
  );
  // A repeated transfer is refused.
  await page.goto(new URL('/recharge/topup', page.url()).href);
  await page.getByLabel('Currency').selectOption('USDT');
  await page.getByLabel('Network type').selectOption('Tron (TRC20)');
  await page.getByLabel('Recharge amount').fill('100.5');
  await page.getByLabel('Transaction hash').fill(id.toUpperCase());
  await page.locator('input[type=file]').setInputFiles(picture);
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('This transaction has already been submitted.')).toBeVisible();
});

test('an image can be pasted and dropped', async ({ page }) => {
  await signIn(page, '/recharge/topup');
  const preview = page.getByRole('img', { name: 'Selected image' });
  const give = (kind: 'paste' | 'drop') =>
    page.evaluate(
      ([base64, how]) => {
        const bytes = Uint8Array.from(atob(base64 ?? ''), (letter) => letter.charCodeAt(0));
        const data = new DataTransfer();
        data.items.add(new File([bytes], 'given.png', { type: 'image/png' }));
        const target = document.querySelector('fieldset') ?? document;
        target.dispatchEvent(
          how === 'paste'
            ? new ClipboardEvent('paste', { clipboardData: data, bubbles: true })
            : new DragEvent('drop', { dataTransfer: data, bubbles: true }),
        );
      },
      [pixel.toString('base64'), kind],
    );
  await expect(page.getByText('or drop or paste it here')).toBeVisible();
  for (const kind of ['paste', 'drop'] as const) {
    await give(kind);
    await expect(preview).toBeVisible();
    await page.getByRole('button', { name: 'Remove image' }).click();
    await expect(preview).toBeHidden();
  }
});

test('a rejected top-up shows the reviewer’s reason', async ({ page }) => {
  await signIn(page, '/recharge/record');
  await page.getByRole('row').filter({ hasText: 'Rejected' }).first().getByRole('link').first().click();
  await expect(page.getByText('该交易未到账，请核对网络与哈希。')).toBeVisible();
});

for (const [language, button, message] of [
  ['zh-cn', '提交', '请输入充值金额。'],
  ['vi', 'Gửi', 'Vui lòng nhập số tiền nạp.'],
] as const) {
  test(`the top-up form is shown in ${language}`, async ({ page }) => {
    await signIn(page, '/recharge/topup');
    await page.evaluate((value) => localStorage.setItem('language', value), language);
    await open(page, '/recharge/topup', language);
    await page.getByRole('button', { name: button, exact: true }).click();
    await expect(page.getByText(message)).toBeVisible();
  });
}
