import { afterEach, beforeEach, expect, test, vi } from 'vitest';

/** A fake browser storage with the given content. */
function storageWith(content: Record<string, string>): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const values = new Map(Object.entries(content));
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}

beforeEach(() => {
  vi.resetModules();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const defaults = {
  device: 'desktop',
  size: 'default',
  sidebarStatus: 'closed',
  layout: 'left',
  activeTop: '',
  tagsView: true,
  fixedHeader: false,
  sidebarLogo: true,
  watermark: false,
  watermarkContent: '',
  shortcuts: 'on',
  theme: 'light',
  themeColor: '#409EFF',
};

test('uses the specification’s defaults if nothing is stored', async () => {
  vi.stubGlobal('localStorage', storageWith({}));
  const { usePreferences } = await import('./preferences.ts');
  expect(usePreferences.getState()).toEqual(defaults);
});

test('reads stored values', async () => {
  const stored = { sidebarStatus: 'opened', theme: 'dark', size: 'small', themeColor: '#11aa77' };
  const panel = { layout: 'mix', activeTop: '/fund', watermarkContent: '衡付 · 财务部' };
  const switches = { tagsView: 'false', fixedHeader: 'true', sidebarLogo: 'false', watermark: 'true' };
  vi.stubGlobal('localStorage', storageWith({ ...stored, ...panel, ...switches }));
  const { usePreferences } = await import('./preferences.ts');
  const read = { tagsView: false, fixedHeader: true, sidebarLogo: false, watermark: true };
  expect(usePreferences.getState()).toEqual({ ...defaults, ...stored, ...panel, ...read });
});

test('falls back to the default for each invalid value', async () => {
  vi.stubGlobal(
    'localStorage',
    storageWith({
      device: '',
      size: '{"value":"large"}',
      sidebarStatus: 'OPENED',
      theme: 'dark',
      themeColor: 'url(x)',
      layout: 'constructor',
      activeTop: 'javascript:alert(1)',
      tagsView: '1',
      fixedHeader: 'constructor',
      watermark: 'yes',
      watermarkContent: 'a\u0000b',
    }),
  );
  const { usePreferences } = await import('./preferences.ts');
  expect(usePreferences.getState()).toEqual({ ...defaults, theme: 'dark' });
});

test('works without access to storage (private mode)', async () => {
  const closed = () => {
    throw new DOMException('denied', 'SecurityError');
  };
  vi.stubGlobal('localStorage', { getItem: closed, setItem: closed, removeItem: closed });
  const { setPreference, usePreferences } = await import('./preferences.ts');
  setPreference('theme', 'dark');
  expect(usePreferences.getState()).toEqual({ ...defaults, theme: 'dark' });
});

test('resets the settings and nothing else', async () => {
  const storage = storageWith({ layout: 'top', watermark: 'true', theme: 'dark', sidebarStatus: 'opened' });
  vi.stubGlobal('localStorage', storage);
  const { resetSettings, usePreferences } = await import('./preferences.ts');
  resetSettings();
  expect(usePreferences.getState()).toEqual({ ...defaults, sidebarStatus: 'opened' });
  expect(storage.getItem('layout')).toBe('left');
});

test('stores a choice under its own flat key', async () => {
  const storage = storageWith({});
  vi.stubGlobal('localStorage', storage);
  const { setPreference } = await import('./preferences.ts');
  setPreference('sidebarStatus', 'opened');
  expect(storage.getItem('sidebarStatus')).toBe('opened');
});
