import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from '@playwright/test';
import { Webhook } from 'standardwebhooks';
import { newMerchant, newUser, operatorAlone, signIn, visit } from './people.ts';
import { bind, codeOf } from './second-factor.ts';
import { test } from './story.ts';

/** A developer's own server: it verifies nothing until it knows the secret. */
class Hook {
  secret: string | undefined;
  readonly types: string[] = [];
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  }

  static async start(): Promise<Hook> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString('utf8');
        try {
          if (hook.secret) new Webhook(hook.secret).verify(body, request.headers as Record<string, string>);
          hook.types.push(JSON.parse(body).type);
          response.writeHead(200).end('thank you');
        } catch {
          response.writeHead(401).end();
        }
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const hook = new Hook(server);
    return hook;
  }

  close(): void {
    this.#server.close();
  }
}

test('a developer adds an endpoint, makes its check succeed, and sends a callback again', async ({
  page,
  browser,
}) => {
  test.setTimeout(240_000);
  const hook = await Hook.start();
  const merchant = await newMerchant('hooks');
  await operatorAlone('terms', 'set', '--merchant', merchant, '--channel', 'CN_BANK');
  await signIn(page, '/setting/accountSecurity', await newUser(merchant));
  const { secret: factor } = await bind(page);

  await visit(page, '/developers/endpoints');
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add an endpoint' });
  await dialog.getByLabel('Address').fill(hook.url);
  await dialog.getByLabel('Description').fill('Accounting');
  await dialog.getByLabel('Verification code').fill(codeOf(factor));
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  const card = page.getByRole('region', { name: 'Accounting' });
  await expect(card.getByText('On', { exact: true })).toBeVisible();

  await card.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(
    card.getByText('Your server accepts a wrong signature', { exact: false }).first(),
  ).toBeVisible();
  await card.getByRole('button', { name: 'Reveal secret' }).click();
  const asking = page.getByRole('dialog', { name: 'Enter verification code' });
  await asking.getByLabel('Verification code').fill(codeOf(factor, 1));
  await asking.getByRole('button', { name: 'Reveal secret' }).click();
  hook.secret = (await card.getByText(/^whsec_/).textContent()) ?? '';
  await card.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(card.getByText('Everything works', { exact: false })).toBeVisible();

  await card.getByRole('button', { name: 'Pause' }).click();
  await expect(card.getByText('Paused', { exact: true })).toBeVisible();
  await visit(page, '/collection/new');
  await page.getByRole('textbox', { name: 'Amount' }).fill('7.20');
  await page.getByRole('textbox', { name: 'Description' }).fill('Repair');
  await page.getByRole('button', { name: 'Create the order' }).click();
  await expect(page.getByRole('img', { name: 'QR code that opens Repair' })).toBeVisible();
  const address = /https?:\S+\/pay\/[\w-]+/.exec(await page.getByRole('main').innerText())?.[0] ?? '';
  const payer = await (await browser.newContext({ locale: 'en-US' })).newPage();
  await payer.goto(`${address}?lang=en`);
  await payer.getByRole('button', { name: /^Pay / }).click();
  await payer.getByRole('link', { name: 'Continue to your bank' }).click();
  await payer.getByRole('button', { name: 'Confirm payment' }).click();
  await expect(payer.getByRole('heading', { name: 'Payment successful' })).toBeVisible();
  await payer.context().close();

  await visit(page, '/developers/callbacks');
  const row = page.getByRole('row').filter({ hasText: 'collection.paid' });
  await expect(row).toContainText('Waiting');
  await visit(page, '/developers/endpoints');
  await card.getByRole('button', { name: 'Resume' }).click();
  await visit(page, '/developers/callbacks');
  await expect(row).toContainText('Delivered');
  await row.getByRole('link').first().click();
  const drawer = page.getByRole('dialog', { name: /^Callback / });
  // The message as it was sent, without signatures.
  await expect(drawer.getByText('"type": "collection.paid"')).toBeVisible();
  await drawer.getByText('Headers', { exact: true }).click();
  await expect(drawer.getByText('webhook-signature')).toBeVisible();
  await expect(drawer.getByText('Differs for each attempt')).toHaveCount(2);
  await drawer.getByText('Reply', { exact: true }).click();
  await expect(drawer.getByText('thank you')).toBeVisible();
  await drawer.getByRole('button', { name: 'Send again' }).click();
  await expect(drawer.getByText('Attempt 2')).toBeVisible();
  await expect(drawer.getByText('Sent again', { exact: true })).toBeVisible();
  await expect(drawer.getByText('hengfu-resend')).toBeVisible();
  expect(hook.types.filter((type) => type === 'collection.paid')).toHaveLength(2);
  hook.close();
});

test('a developer who has just replaced a secret reads that another new one would end both', async ({
  page,
}) => {
  test.setTimeout(240_000);
  await signIn(page, '/setting/accountSecurity', await newUser(await newMerchant('rotated')));
  const { secret: factor } = await bind(page);
  await visit(page, '/developers/endpoints');
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  const adding = page.getByRole('dialog', { name: 'Add an endpoint' });
  await adding.getByLabel('Address').fill('https://shop.example/hook');
  await adding.getByLabel('Description').fill('Stock');
  await adding.getByLabel('Verification code').fill(codeOf(factor));
  await adding.getByRole('button', { name: 'Add endpoint' }).click();
  const card = page.getByRole('region', { name: 'Stock' });

  await card.getByRole('button', { name: 'New secret' }).click();
  const dialog = page.getByRole('dialog', { name: 'Make a new secret?' });
  await expect(dialog.getByRole('radio', { name: 'For 24 hours' })).toBeChecked();
  await dialog.getByLabel('Verification code').fill(codeOf(factor, 1));
  await dialog.getByRole('button', { name: 'New secret' }).click();
  await expect(card.getByText(/^whsec_/)).toBeVisible();
  await expect(card.getByText('callbacks are also signed with the previous secret')).toBeVisible();

  await card.getByRole('button', { name: 'New secret' }).click();
  await expect(dialog.getByText('The previous secret stays valid until')).toBeVisible();
  for (const name of ['For 1 hour', 'For 24 hours'])
    await expect(dialog.getByRole('radio', { name })).toBeDisabled();
  await expect(dialog.getByRole('radio', { name: 'No longer' })).not.toBeChecked();
  await dialog.getByRole('button', { name: 'New secret' }).click();
  await expect(dialog.getByText('Please select one of the available options.')).toBeVisible();
  await dialog.getByRole('radio', { name: 'No longer' }).check();
  await expect(dialog.getByText('Please select one of the available options.')).toBeHidden();
});

test('a developer changes the callback URL of the access key with a code, and has the new one checked', async ({
  page,
}) => {
  test.setTimeout(240_000);
  const hook = await Hook.start();
  const merchant = await newMerchant('route');
  await operatorAlone('ip-address', 'set', '--merchant', merchant, '--allow', '127.0.0.1', '--allow', '::1');
  await signIn(page, '/setting/accountSecurity', await newUser(merchant));
  const { secret: factor } = await bind(page);

  await visit(page, '/setting/interfaceKey');
  await page.getByRole('button', { name: 'Create key' }).click();
  const creating = page.getByRole('dialog');
  await creating.getByLabel('Verification code').fill(codeOf(factor));
  await creating.getByRole('button', { name: 'Create key' }).click();
  await expect(page.getByText(/^sk_[0-9a-f]{48}$/)).toBeVisible();
  const secret = (await page.getByText(/^sk_[0-9a-f]{48}$/).textContent()) ?? '';

  // The note alone needs no code; another address does, and a wrong code changes nothing.
  const address = page.getByLabel('Callback URL');
  const codeField = page.getByRole('main').getByLabel('Verification code');
  await expect(codeField).toHaveCount(0);
  await address.fill(hook.url);
  await codeField.fill('000000');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('This code is incorrect or has already been used.')).toBeVisible();
  await visit(page, '/developers/endpoints');
  await expect(page.getByText('No endpoints yet.')).toBeVisible();
  await expect(page.getByText(hook.url)).toHaveCount(0);
  await visit(page, '/setting/interfaceKey');
  await address.fill(hook.url);
  await codeField.fill(codeOf(factor, 1));
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(codeField).toHaveCount(0);
  await expect(address).toHaveValue(hook.url);

  await visit(page, '/developers/endpoints');
  await expect(page.getByRole('heading', { name: 'Callback URLs of access keys' })).toBeVisible();
  const card = page
    .getByRole('region')
    .filter({ has: page.getByText(hook.url) })
    .last();
  hook.secret = Buffer.from(secret).toString('base64');
  await card.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(card.getByText('Everything works', { exact: false })).toBeVisible();
  expect(hook.types).toEqual(['endpoint.test']);
  hook.close();
});
