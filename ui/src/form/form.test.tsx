import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { FormScene } from '../../workbench/scenes/form-scene.tsx';
import { show } from '../../workbench/testing/show.tsx';

const name = page.getByRole('textbox', { name: 'View name' });
const amount = page.getByRole('textbox', { name: 'Amount' });
const submit = page.getByRole('button', { name: 'Apply' });

test('an invalid form says what is wrong, field by field, and focuses the first one', async () => {
  await show(<FormScene />);
  await submit.click();
  await expect.element(name).toHaveFocus();
  await expect.element(name).toHaveAttribute('aria-invalid', 'true');
  await expect.element(name).toHaveAccessibleDescription(/name/);
  await expect.element(amount).toHaveAttribute('aria-invalid', 'true');
  await expect.element(page.getByRole('alert')).toBeVisible();
  await userEvent.keyboard('Refunds');
  await expect.element(name).toHaveAttribute('aria-invalid', 'false');
  await expect.element(amount).toHaveAttribute('aria-invalid', 'true');
});

test('a refusal of the service stands at its field, and a valid form is sent', async () => {
  await show(<FormScene />);
  await name.fill('taken');
  await amount.fill('12.50');
  await submit.click();
  await expect.element(name).toHaveFocus();
  await expect.element(name).toHaveAttribute('aria-invalid', 'true');
  await name.fill('Refunds');
  await submit.click();
  await expect.element(page.getByRole('status')).toHaveTextContent('Refunds');
});

test('a label belongs to each control', async () => {
  await show(<FormScene />);
  const form = name.element().closest('form');
  const controls = [
    ...(form?.querySelectorAll<HTMLInputElement>('input:not([type=hidden]), select, textarea') ?? []),
  ];
  const unnamed = controls.filter(
    (control) => control.type !== 'file' && !control.labels?.length && !control.ariaLabel,
  );
  expect(controls.length).toBeGreaterThan(3);
  expect(unnamed).toEqual([]);
});
