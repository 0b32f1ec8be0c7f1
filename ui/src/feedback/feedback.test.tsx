import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { FeedbackScene } from '../../workbench/scenes/feedback-scene.tsx';
import { show } from '../../workbench/testing/show.tsx';
import { toast } from './toast.ts';

const alert = page.getByRole('alertdialog');
const scene = page.getByRole('main');

test('an alert takes the focus, opens only once per kind, and tells its opener that it was closed', async () => {
  await show(<FeedbackScene />);
  const opener = page.getByRole('button', { name: 'Alert' });
  await opener.click();
  await expect.element(alert).toBeVisible();
  const box = alert.element().getBoundingClientRect();
  expect(Math.abs(box.left + box.width / 2 - innerWidth / 2)).toBeLessThanOrEqual(1);
  expect(Math.abs(box.top + box.height / 2 - innerHeight / 2)).toBeLessThanOrEqual(1);
  await expect.element(alert.getByRole('button', { name: 'Got it' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(alert).not.toBeInTheDocument();
  await expect.element(scene).toMatchTextContent(/Alert 1/);
});

test('a toast is announced, shown once per key, and goes by itself', async () => {
  await show(<FeedbackScene />);
  const opener = page.getByRole('button', { name: 'Toast' });
  await opener.click();
  await opener.click();
  const toast = page.getByRole('dialog').filter({ hasText: 'Copied' });
  await expect.element(toast).toBeVisible();
  expect(document.querySelectorAll('[data-kind=toast]')).toHaveLength(1);
  await userEvent.hover(page.getByRole('heading', { level: 1 }));
  await expect.element(toast, { timeout: 8000 }).not.toBeInTheDocument();
});

test('equal toasts without a key are joined, and different ones are a few at most', async () => {
  await show(<FeedbackScene />);
  /** Texts of the toasts on the screen. A screen reader announces them, and does not find them. */
  const texts = () =>
    [...document.querySelectorAll('[data-kind=toast]:not([data-limited])')].map((toast) => toast.textContent);
  const failure = page.getByRole('button', { name: 'Failure' });
  for (let time = 0; time < 4; time++) await failure.click();
  await expect.poll(texts).toEqual([expect.stringContaining('did not allow copying')]);
  for (let number = 0; number < 5; number++) toast('error', `Fault ${number}`);
  await expect.poll(texts).toEqual(['Fault 4', 'Fault 3', 'Fault 2']);
});

test('a stack shows three notices, and the others on request', async () => {
  await show(<FeedbackScene />);
  const notices = page.getByRole('status').filter({ hasText: /^[1-5]$/ });
  await expect.element(notices).toHaveLength(3);
  await page.getByRole('button', { name: 'Show 2 more' }).click();
  await expect.element(notices).toHaveLength(5);
  await page.getByRole('button', { name: 'Show fewer' }).click();
  await expect.element(notices).toHaveLength(3);
});
