import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readRecent, writeRecent } from '../overlays/combobox-recent.ts';
import {
  forgetTabStored,
  readOwnStored,
  readTabStored,
  setStorageOwner,
  writeOwnStored,
  writeTabStored,
} from './stored.ts';

/** Storage of a browser without a screen. */
function storage(): Storage {
  const values = new Map<string, string>();
  const methods = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
  return new Proxy(methods as unknown as Storage, {
    ownKeys: () => [...values.keys()],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  });
}

beforeEach(() => {
  vi.stubGlobal('localStorage', storage());
  vi.stubGlobal('sessionStorage', storage());
});
afterEach(() => vi.unstubAllGlobals());

test('what a user keeps at one merchant is not read at another one, nor by another user', () => {
  setStorageOwner('1.north');
  writeOwnStored('columns.payouts', 'fee');
  writeRecent('bank', [], 'ICBC');
  for (const owner of ['1.south', '2.north']) {
    setStorageOwner(owner);
    expect([readOwnStored('columns.payouts'), readRecent('bank')]).toEqual([undefined, []]);
  }
  setStorageOwner('1.north');
  expect([readOwnStored('columns.payouts'), readRecent('bank')]).toEqual(['fee', ['ICBC']]);
});

test('forgets the values of a tab whose keys begin alike, and no others', () => {
  for (const key of ['tags:1.north', 'tags:1.south', 'other']) writeTabStored(key, 'x');
  forgetTabStored('tags:');
  expect(['tags:1.north', 'tags:1.south', 'other'].map(readTabStored)).toEqual([undefined, undefined, 'x']);
});
