import { expect, type Page } from '@playwright/test';
import { loseNextReply } from './lost-reply.ts';
import { signIn, visit } from './people.ts';
import { test } from './story.ts';

/** Makes a link of 7.00. Returns its address. */
async function makeLink(page: Page, title: string, question?: string): Promise<string> {
  await signIn(page, '/collection/links');
  await page.getByRole('link', { name: 'New link' }).click();
  // The list that the form replaces has a filter of the same name as its title.
  await page.getByRole('textbox', { name: 'Unit price' }).fill('7.00');
  await page.getByRole('textbox', { name: 'Title' }).fill(title);
  if (question) await page.getByRole('textbox', { name: 'Field 1 of your own' }).fill(question);
  await page.getByRole('button', { name: 'Create the link' }).click();
  await expect(page.getByText('The link is on.')).toBeVisible();
  return /https?:\S+\/pay\/link\/[\w-]+/.exec(await page.getByRole('main').innerText())?.[0] ?? '';
}

/** Opens the form that changes a link. */
async function openForm(page: Page, title: string): Promise<void> {
  await visit(page, '/collection/links');
  await page.getByRole('row').filter({ hasText: title }).getByRole('link').first().click();
  await page.getByRole('dialog').locator('a[href*="editLink"]').click();
}

test('a payment link is made, paid on a phone, and seen in the list', async ({ page, browser }) => {
  test.setTimeout(120_000);
  await signIn(page, '/collection/links');
  await page.getByRole('link', { name: 'New link' }).click();
  const title = `Course ${Date.now()}`;
  // The list that the form replaces has a filter of the same name.
  await page.getByRole('textbox', { name: 'Unit price' }).fill('12.50');
  await page.getByRole('textbox', { name: 'Title' }).fill(title);
  await page.getByRole('textbox', { name: 'Highest quantity per payment' }).fill('3');
  await page.getByRole('textbox', { name: 'Number of payments' }).fill('1');
  await page.getByRole('checkbox', { name: 'Email address' }).check();
  await page.getByRole('textbox', { name: 'Field 1 of your own' }).fill('Town');
  await page.getByRole('textbox', { name: 'Note after payment' }).fill('See you on Monday.');
  await page.getByRole('button', { name: 'Create the link' }).click();
  await expect(page.getByText('The link is on.')).toBeVisible();
  await expect(page.getByRole('img', { name: `QR code that opens ${title}` })).toBeVisible();
  const address = /https?:\S+\/pay\/link\/[\w-]+/.exec(await page.getByRole('main').innerText())?.[0] ?? '';

  const phone = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    locale: 'en-US',
  });
  const payer = await phone.newPage();
  const reads: string[] = [];
  payer.on(
    'request',
    (request) => void (request.url().includes('/api/pay-links/') && reads.push(request.url())),
  );
  await payer.goto(`${address}?lang=en`);
  await expect(payer.getByRole('heading', { name: title })).toBeVisible();
  // The page comes with the link.
  expect(reads).toEqual([]);
  const next = payer.getByRole('button', { name: 'Continue to payment' });
  await next.click();
  await expect(payer.getByLabel('Email address')).toHaveAttribute('aria-invalid', 'true');
  // Each field says what it misses, and nothing says it again.
  await expect(payer.getByRole('alert')).toHaveCount(2);
  await payer.getByLabel('Email address').fill('ann@payer.test');
  await payer.getByLabel('Town').fill('Hangzhou');
  await payer.getByLabel('Quantity').selectOption('2');
  await expect(payer.getByText('¥25.00')).toBeVisible();
  await next.click();
  await payer.getByRole('button', { name: 'Pay ¥25.00' }).click();
  await payer.getByRole('link', { name: 'Continue to your bank' }).click();
  await payer.getByRole('button', { name: 'Confirm payment' }).click();
  await expect(payer.getByRole('heading', { name: 'Payment successful' })).toBeVisible();
  await payer.getByRole('link', { name: /^Back to/ }).click();
  await expect(payer.getByText('See you on Monday.')).toBeVisible();
  await payer.goto(address);
  await expect(payer.getByRole('heading', { name: 'This link has been used up' })).toBeVisible();
  await phone.close();

  await visit(page, '/collection/links');
  const row = page.getByRole('row').filter({ hasText: title });
  await expect(row).toContainText('Used up');
  await expect(row).toContainText('¥25.00');
  await row.getByRole('link').first().click();
  await page.getByRole('dialog').getByRole('link', { name: 'Payments with this link' }).click();
  await page.getByRole('row').filter({ hasText: 'Success' }).getByRole('link').first().click();
  const drawer = page.getByRole('dialog', { name: /^Order C/ });
  await expect(drawer.getByText('ann@payer.test')).toBeVisible();
  await expect(drawer.getByText('Hangzhou')).toBeVisible();
});

test('a payer whose link is changed meanwhile is told so, and answers the new question', async ({
  page,
  browser,
}) => {
  const address = await makeLink(page, 'Camp', 'Town');
  const context = await browser.newContext({ locale: 'en-US' });
  const payer = await context.newPage();
  await payer.goto(`${address}?lang=en`);
  await payer.getByLabel('Town').fill('Hangzhou');
  await openForm(page, 'Camp');
  await page.getByRole('textbox', { name: 'Field 1 of your own' }).fill('Name of your child');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('The link is saved').first()).toBeVisible();
  await payer.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(payer.getByText('The merchant has just changed this page.')).toBeVisible();
  await expect(payer.getByLabel('Name of your child')).toHaveValue('');
  await payer.getByLabel('Name of your child').fill('Ann');
  await payer.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(payer.getByRole('button', { name: 'Pay ¥7.00' })).toBeVisible();
  await context.close();
});

test('a link that a colleague has changed meanwhile is not changed by an older form, which keeps what was typed', async ({
  page,
  context,
}) => {
  await makeLink(page, 'Workshop');
  await openForm(page, 'Workshop');
  const note = page.getByRole('textbox', { name: 'Note after payment' });
  await note.fill('See you on Monday.');
  const colleague = await context.newPage();
  await colleague.goto(page.url());
  await colleague.getByRole('textbox', { name: 'Unit price' }).fill('9.00');
  await colleague.getByRole('button', { name: 'Save' }).click();
  await expect(colleague.getByText('The link is saved').first()).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('The data has just changed.')).toBeVisible();
  await expect(note).toHaveValue('See you on Monday.');
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Unit price' })).toHaveValue('9.00');
});

test('a payer whose order of a link was given up pays with another one', async ({ page, browser }) => {
  const address = await makeLink(page, 'Retreat');
  const context = await browser.newContext({ locale: 'en-US' });
  const payer = await context.newPage();
  await payer.goto(`${address}?lang=en`);
  await payer.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(payer.getByRole('button', { name: 'Pay ¥7.00' })).toBeVisible();
  await visit(page, '/collection/links');
  await page.getByRole('row').filter({ hasText: 'Retreat' }).getByRole('link').first().click();
  await page.getByRole('dialog').getByRole('link', { name: 'Payments with this link' }).click();
  await page.getByRole('row').filter({ hasText: 'To be paid' }).getByRole('link').first().click();
  const drawer = page.getByRole('dialog', { name: /^Order C/ });
  await drawer.getByRole('button', { name: 'Cancel the order' }).click();
  await drawer.getByRole('button', { name: 'Cancel the order' }).click();
  await expect(payer.getByRole('heading', { name: 'Order cancelled' })).toBeVisible();
  await payer.getByRole('link', { name: /^Back to/ }).click();
  await expect(payer.getByRole('heading', { name: 'This payment did not go through' })).toBeVisible();
  await payer.getByRole('link', { name: 'Start over' }).click();
  await expect(payer.getByRole('heading', { name: 'Retreat' })).toBeVisible();
  await context.close();
});

test('an order is created by hand by its key, and cancelled', async ({ page }) => {
  await signIn(page, '/collection/payments');
  await expect(page.getByRole('link', { name: 'New collection' })).toBeVisible();
  await page.keyboard.press('c');
  await page.getByRole('textbox', { name: 'Amount' }).fill('7.20');
  await page.getByRole('textbox', { name: 'Description' }).fill('Repair');
  await page.getByRole('button', { name: 'Create the order' }).click();
  await expect(page.getByRole('img', { name: 'QR code that opens Repair' })).toBeVisible();
  await page.getByRole('link', { name: 'View status' }).click();
  const drawer = page.getByRole('dialog', { name: /^Order C/ });
  await drawer.getByRole('button', { name: 'Cancel the order' }).click();
  await drawer.getByRole('button', { name: 'Cancel the order' }).click();
  await expect(drawer.getByText('Cancelled by the merchant')).toBeVisible();
});

test('an order whose reply was lost is not created twice: the next attempt with other values says so', async ({
  page,
}) => {
  await signIn(page, '/collection/new');
  const untilLost = await loseNextReply(page, '**/api/merchant/collections');
  const amount = page.getByRole('textbox', { name: 'Amount' });
  const create = page.getByRole('button', { name: 'Create the order' });
  await amount.fill('8.10');
  await create.click();
  await untilLost();
  await expect(page.getByText('The server cannot be reached').first()).toBeVisible();
  await amount.fill('8.20');
  await create.click();
  await expect(page.getByText(/^An earlier attempt with other details was carried out/)).toBeVisible();
  await create.click();
  await expect(page.getByRole('img', { name: /^QR code that opens/ })).toBeVisible();
});

test('what was typed into the price of a link stays while the other kind is shown, and an invisible label is refused with words', async ({
  page,
}) => {
  await signIn(page, '/collection/links');
  await page.getByRole('link', { name: 'New link' }).click();
  const amount = page.getByRole('textbox', { name: 'Unit price' });
  await amount.fill('120.00');
  await page.getByRole('radio', { name: 'Chosen by the payer' }).check();
  await expect(amount).toBeHidden();
  await page.getByRole('radio', { name: 'Fixed' }).check();
  await expect(amount).toHaveValue('120.00');
  await page.getByRole('textbox', { name: 'Title' }).fill('Course');
  await page.getByRole('textbox', { name: 'Field 1 of your own' }).fill('\u200b');
  await page.getByRole('button', { name: 'Create the link' }).click();
  await expect(page.getByText('The label of a field of your own has no visible characters.')).toBeVisible();
});
