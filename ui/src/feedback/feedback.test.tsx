import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { FeedbackScene } from '../../workbench/scenes/feedback-scene.tsx';
import { show } from '../../workbench/testing/show.tsx';

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
