import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { SelectScene } from '../../workbench/scenes/select-scene.tsx';
import { show } from '../../workbench/testing/show.tsx';

const select = (look: string) => page.getByRole('combobox', { name: `Rows, ${look}` });

test('keys and a press choose, and a form sends the choices', async () => {
  await show(<SelectScene />);
  await userEvent.tab();
  await expect.element(select('control')).toHaveFocus();
  await userEvent.keyboard('1');
  await expect.element(select('control')).toHaveValue('100');
  await select('field').selectOptions('20');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect.element(page.getByRole('status')).toHaveTextContent('control=100 field=20 plain=50');
  await expect.element(select('disabled')).toBeDisabled();
  await expect.element(select('wrong')).toHaveAttribute('aria-invalid', 'true');
});

test.each(['ltr', 'rtl'] as const)('its arrow is at its end and takes no press, %s', async (direction) => {
  await show(<SelectScene />, { direction });
  const field = select('control').element();
  const { left, right } = field.getBoundingClientRect();
  const arrow = field.nextElementSibling?.getBoundingClientRect();
  if (!arrow) throw new Error('there is no arrow');
  if (direction === 'ltr') expect(right - arrow.right).toBe(8);
  else expect(arrow.left - left).toBe(8);
  const center = [arrow.left + arrow.width / 2, arrow.top + arrow.height / 2] as const;
  expect(document.elementFromPoint(...center)).toBe(field);
});
