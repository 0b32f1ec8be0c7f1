import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';

const run = promisify(execFile);

/** Address of the product under test. */
export const productUrl = (): string => process.env.E2E_URL ?? '';

export const demo = { email: 'demo@hengfu.test', password: 'Demo-pass-2026' };
export const demoKey = { id: 'ak_demo_hengfu', secret: 'sk_demo_hengfu_2026' };

/** Opens a path of the console in a language, as somebody who has chosen it before. */
export async function open(page: Page, path: string, language: 'en' | 'zh-cn' | 'vi' = 'en'): Promise<void> {
  await page.context().addCookies([{ name: 'language', value: language, url: productUrl() }]);
  await page.addInitScript((value) => {
    if (!localStorage.getItem('language')) localStorage.setItem('language', value);
  }, language);
  await page.goto(productUrl() + path);
}

/** Signs in through the page, on the way to a path. */
export async function signIn(page: Page, path = '/', who = demo): Promise<void> {
  await open(page, path);
  await page.getByLabel('Email').fill(who.email);
  await page.getByLabel('Password', { exact: true }).fill(who.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/login'));
}

/** Runs an operator command on the running product, as its staff would; answers its JSON. */
export async function operator(...args: string[]): Promise<Record<string, unknown>> {
  const root = join(import.meta.dirname, '..');
  const env = { ...process.env, DATA_DIR: process.env.E2E_DATA_DIR };
  const { stdout } = await run(process.execPath, ['tools/bootstrap.mjs', 'operator', ...args, '--json'], {
    cwd: root,
    env,
  });
  return JSON.parse(stdout);
}
