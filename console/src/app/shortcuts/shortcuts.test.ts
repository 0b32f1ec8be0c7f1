import { describe, expect, test } from 'vitest';
import { menu } from '../menu.ts';
import {
  actionTitles,
  creationPathOf,
  creationPaths,
  keysOf,
  pageKeys,
  shortcutFor,
  singleKeys,
} from './shortcuts.ts';

const pages = menu.flatMap(({ children }) => children).filter(({ hidden }) => !hidden);

describe('shortcuts', () => {
  test('map each letter to a different page of the menu', () => {
    const paths = Object.values(pageKeys);
    expect(new Set(paths).size).toBe(paths.length);
    for (const path of paths) expect(pages.map((page) => page.path)).toContain(path);
    const all = menu.flatMap(({ children }) => children.map((page) => page.path));
    for (const path of Object.values(creationPaths)) expect(all).toContain(path);
    for (const letter of Object.keys(pageKeys)) expect(letter).toMatch(/^[a-z]$/);
    expect(Object.keys(singleKeys)).not.toContain('g');
    expect(Object.keys(actionTitles)).toHaveLength(Object.keys(singleKeys).length);
  });

  test('open a page by g and a letter, not by the letter alone', () => {
    expect(shortcutFor('g', false)).toBe('prefix');
    expect(shortcutFor('p', true)).toEqual({ page: '/collection/payments' });
    expect(shortcutFor('P', true)).toEqual({ page: '/collection/payments' });
    expect(shortcutFor('p', false)).toBeUndefined();
    expect(shortcutFor('z', true)).toBeUndefined();
  });

  test('map single keys to their action, unless they follow g', () => {
    expect(shortcutFor('?', false)).toEqual({ action: 'help' });
    expect(shortcutFor('/', false)).toEqual({ action: 'filter' });
    expect(shortcutFor('n', false)).toEqual({ action: 'payout' });
    expect(shortcutFor('n', true)).toBeUndefined();
    expect(shortcutFor('c', false)).toEqual({ action: 'collection' });
    expect(['payout', 'collection', 'help', 'filter'].map((name) => creationPathOf(name as 'help'))).toEqual([
      '/behalfPay/apply',
      '/collection/new',
      undefined,
      undefined,
    ]);
    for (const key of ['toString', 'Escape', 'Tab', 'constructor', '']) {
      expect(shortcutFor(key, false)).toBeUndefined();
      expect(shortcutFor(key, true)).toBeUndefined();
    }
  });

  test('are listed per page', () => {
    expect(keysOf('/dashboard')).toEqual(['G', 'D']);
    expect(keysOf('/setting/ipAddress')).toEqual([]);
  });
});
