import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { ComboboxScene } from '../../workbench/scenes/combobox-scene.tsx';
import { show } from '../../workbench/testing/show.tsx';

const button = page.getByRole('combobox', { name: 'Time zone' }).first();
const search = page.getByRole('combobox', { name: 'Search: Time zone' });
const option = (name: string) => page.getByRole('option', { name });

test('it is searched without its accents and marks, chosen by Enter, and remembers the choice', async () => {
  await show(<ComboboxScene />);
  await expect.element(button).toHaveTextContent('Asia/Shanghai');
  await userEvent.tab();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(search).toHaveFocus();
  await userEvent.keyboard('sao paulo');
  await expect.element(option('America/Sao_Paulo')).toBeVisible();
  await expect.element(option('Asia/Shanghai')).not.toBeInTheDocument();
  await userEvent.keyboard('{Enter}');
  await expect.element(search).not.toBeInTheDocument();
  await expect.element(button).toHaveTextContent('America/Sao_Paulo');
  await expect.element(button).toHaveFocus();
  await button.click();
  await expect.element(page.getByRole('group', { name: 'Recent' })).toMatchTextContent(/America\/Sao_Paulo/);
});

test('it says if nothing is found, and Escape keeps the choice', async () => {
  await show(<ComboboxScene />);
  await button.click();
  await search.fill('atlantis');
  await expect.element(page.getByText('Nothing found.')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(search).not.toBeInTheDocument();
  await expect.element(button).toHaveTextContent('Asia/Shanghai');
});

test('on a phone it is a sheet along the bottom of the screen', async () => {
  await show(<ComboboxScene />, { width: 390 });
  await button.click();
  const sheet = page.getByRole('dialog', { name: 'Time zone' });
  await expect.element(sheet).toBeVisible();
  await expect.poll(() => sheet.element().getBoundingClientRect().bottom).toBe(innerHeight);
  expect(sheet.element().getBoundingClientRect().width).toBe(390);
});
