import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { SavedFormScene } from '../../workbench/scenes/saved-form-scene.tsx';
import { show } from '../../workbench/testing/show.tsx';

const field = page.getByRole('textbox');
const save = page.getByRole('button', { name: 'Apply' });
const colleague = page.getByRole('button', { name: 'Colleague saves' });
const readAgain = page.getByRole('button', { name: 'Read again' });
const held = page.getByRole('status').filter({ hasText: /192|198/ });
const news = page.getByText(/^This has changed in the meantime/);

/** Has a colleague save, and reads what is saved. */
async function colleagueSaves(): Promise<void> {
  await colleague.click();
  await readAgain.click();
}

beforeEach(() => show(<SavedFormScene />));

test('a form that nobody edits shows what a colleague saved', async () => {
  await colleagueSaves();
  await expect.element(field).toHaveValue('192.0.2.1 192.0.2.2');
  await expect.element(news).not.toBeInTheDocument();
});

test('what was typed stays when a colleague saves, and gives way at a press', async () => {
  await field.fill('198.51.100.1');
  await colleagueSaves();
  await expect.element(news).toBeVisible();
  await expect.element(field).toHaveValue('198.51.100.1');
  await page.getByRole('button', { name: 'Show the saved values' }).click();
  await expect.element(field).toHaveValue('192.0.2.1 192.0.2.2');
  await expect.element(news).not.toBeInTheDocument();
});

test('an own change is shown as it was saved, and is no news', async () => {
  await field.fill('  198.51.100.1  ');
  await save.click();
  await expect.element(held).toHaveTextContent('198.51.100.1');
  await readAgain.click();
  await expect.element(field).toHaveValue('198.51.100.1');
  await expect.element(news).not.toBeInTheDocument();
});

test('an own change that replaces a colleague’s is shown at once', async () => {
  await field.fill('198.51.100.1');
  await colleagueSaves();
  await expect.element(news).toBeVisible();
  await save.click();
  await expect.element(held).not.toHaveTextContent('192.0.2.2');
  await expect.element(field).toHaveValue('198.51.100.1');
  await expect.element(news).not.toBeInTheDocument();
  await readAgain.click();
  await expect.element(field).toHaveValue('198.51.100.1');
});

test('what is typed while an own change is being saved stays', async () => {
  await field.fill('198.51.100.1');
  await save.click();
  await field.fill('198.51.100.2');
  await expect.element(held).toHaveTextContent('198.51.100.1');
  await readAgain.click();
  await expect.element(field).toHaveValue('198.51.100.2');
  await expect.element(news).not.toBeInTheDocument();
});

test('what is typed between an own change and its reading stays, and a colleague’s later change is news', async () => {
  await field.fill('198.51.100.1');
  await save.click();
  await expect.element(held).toHaveTextContent('198.51.100.1');
  await field.fill('');
  await readAgain.click();
  await expect.element(field).toHaveValue('');
  await expect.element(news).not.toBeInTheDocument();
  await colleagueSaves();
  await expect.element(news).toBeVisible();
  await expect.element(field).toHaveValue('');
});
