import { describe, expect, test } from 'vitest';
import { menu } from '../menu.ts';
import { actionTitles, askedBy, keysOf, pageKeys, payoutPath, singleKeys } from './shortcuts.ts';

const pages = menu.flatMap(({ children }) => children).filter(({ hidden }) => !hidden);

describe('keys', () => {
  test('every letter leads to a page of the menu, and no two to the same', () => {
    const paths = Object.values(pageKeys);
    expect(new Set(paths).size).toBe(paths.length);
    for (const path of [...paths, payoutPath]) expect(pages.map((page) => page.path)).toContain(path);
    for (const letter of Object.keys(pageKeys)) expect(letter).toMatch(/^[a-z]$/);
    expect(Object.keys(singleKeys)).not.toContain('g');
    expect(Object.keys(actionTitles)).toHaveLength(Object.keys(singleKeys).length);
  });

  test('g and a letter lead to a page; the letter alone does not', () => {
    expect(askedBy('g', false)).toBe('prefix');
    expect(askedBy('p', true)).toEqual({ page: '/collection/payments' });
    expect(askedBy('P', true)).toEqual({ page: '/collection/payments' });
    expect(askedBy('p', false)).toBeUndefined();
    expect(askedBy('z', true)).toBeUndefined();
  });

  test('single keys ask for their action, unless they follow g', () => {
    expect(askedBy('?', false)).toEqual({ action: 'help' });
    expect(askedBy('/', false)).toEqual({ action: 'filter' });
    expect(askedBy('n', false)).toEqual({ action: 'payout' });
    expect(askedBy('n', true)).toBeUndefined();
    for (const key of ['toString', 'Escape', 'Tab', 'constructor', '']) {
      expect(askedBy(key, false)).toBeUndefined();
      expect(askedBy(key, true)).toBeUndefined();
    }
  });

  test('a page tells its keys', () => {
    expect(keysOf('/dashboard')).toEqual(['G', 'D']);
    expect(keysOf('/setting/ipAddress')).toEqual([]);
  });
});
