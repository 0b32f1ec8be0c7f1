import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { ProgressScene } from '../../workbench/scenes/progress-scene.tsx';
import { show } from '../../workbench/testing/show.tsx';

test('says how much is done, or that nobody knows', async () => {
  await show(<ProgressScene />);
  const bar = (name: string) => page.getByRole('progressbar', { name, exact: true });
  await expect.element(bar('12 of 400 rows')).toHaveAttribute('value', '12');
  await expect.element(bar('12 of 400 rows')).toHaveAttribute('max', '400');
  expect((bar('12 of 400 rows').element() as HTMLProgressElement).position).toBe(0.03);
  expect((bar('Reading the file').element() as HTMLProgressElement).position).toBe(-1);
});
