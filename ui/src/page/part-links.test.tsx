import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { show } from '../../workbench/testing/show.tsx';
import { PartLinks } from './part-links.tsx';

test('begins with the current part in sight, however narrow the line is', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `Part ${index}`);
  await show(
    <div style={{ width: 200 }}>
      <h1>Service</h1>
      <PartLinks label="Parts">
        {names.map((name) => (
          <a key={name} href="#part" aria-current={name === 'Part 9' ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </PartLinks>
    </div>,
  );
  const box = page.getByRole('navigation', { name: 'Parts' }).element().getBoundingClientRect();
  const current = page.getByRole('link', { name: 'Part 9' }).element().getBoundingClientRect();
  expect([current.left >= box.left, current.right <= box.right]).toEqual([true, true]);
});
