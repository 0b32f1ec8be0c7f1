import { create } from 'zustand';
import { readStored, writeStored } from '../browser/stored.ts';

/** The user's preferences in this browser; each field is a flat key of localStorage. */
export interface Preferences {
  /** As last measured; below 992 px is mobile. */
  device: 'desktop' | 'mobile';
  /** Size of form controls and tables. */
  size: 'default' | 'large' | 'small';
  sidebarStatus: 'opened' | 'closed';
  /** Position of the menu: left, top, or groups on top and a group's pages on the left. */
  layout: 'left' | 'top' | 'mix';
  /** Path of the last active group, for the layout `mix`; '' if there was none. */
  activeTop: string;
  tagsView: boolean;
  /** Top bar and tags stay in place while the page scrolls. */
  fixedHeader: boolean;
  sidebarLogo: boolean;
  watermark: boolean;
  /** Text of the watermark; '': the signed-in user. */
  watermarkContent: string;
  /** `system` follows the device. */
  theme: 'light' | 'dark' | 'system';
  /** Six-digit hex color; adapted for contrast before use (theme.ts). */
  themeColor: string;
  /** Single-key shortcuts; they get in the way of speech input (WCAG 2.1.4). */
  shortcuts: 'on' | 'off';
}

interface Field<T> {
  initial: T;
  /** Parses the stored text; undefined if it is invalid. */
  read(text: string): T | undefined;
}

function choice<const T extends string>(...values: readonly [T, ...T[]]): Field<T> {
  return { initial: values[0], read: (text) => values.find((value) => value === text) };
}

function flag(initial: boolean): Field<boolean> {
  return { initial, read: (text) => (text === 'true' || text === 'false' ? text === 'true' : undefined) };
}

/** Maximum length of the watermark text, in characters. */
export const watermarkLength = 40;

const watermarkText: Field<string> = {
  initial: '',
  read: (text) => (text.length <= watermarkLength && !/\p{Cc}/u.test(text) ? text : undefined),
};

const menuPath: Field<string> = {
  initial: '',
  read: (text) => (/^\/[\w/]{0,60}$/.test(text) ? text : undefined),
};

const hexColor: Field<string> = {
  initial: '#409EFF',
  read: (text) => (/^#[0-9a-f]{6}$/i.test(text) ? text : undefined),
};

/** The fields with their defaults; of a `choice`, the first value (spec, points 4 and 9). */
const fields: { readonly [K in keyof Preferences]: Field<Preferences[K]> } = {
  device: choice('desktop', 'mobile'),
  size: choice('default', 'large', 'small'),
  sidebarStatus: choice('closed', 'opened'),
  layout: choice('left', 'top', 'mix'),
  activeTop: menuPath,
  tagsView: flag(true),
  fixedHeader: flag(false),
  sidebarLogo: flag(true),
  watermark: flag(false),
  watermarkContent: watermarkText,
  theme: choice('light', 'dark', 'system'),
  themeColor: hexColor,
  shortcuts: choice('on', 'off'),
};

const settingKeys = [
  ...(['layout', 'tagsView', 'fixedHeader', 'sidebarLogo', 'watermark'] as const),
  ...(['watermarkContent', 'theme', 'themeColor'] as const),
] as const;

/** Reads a stored preference, or its default if nothing valid is stored. */
function readPreference<K extends keyof Preferences>(key: K): Preferences[K] {
  const text = readStored(key);
  const field: Field<Preferences[K]> = fields[key];
  return (text === undefined ? undefined : field.read(text)) ?? field.initial;
}

/** The preferences store: `usePreferences((preferences) => preferences.theme)`. */
export const usePreferences = create<Preferences>(() => ({
  device: readPreference('device'),
  size: readPreference('size'),
  sidebarStatus: readPreference('sidebarStatus'),
  layout: readPreference('layout'),
  activeTop: readPreference('activeTop'),
  tagsView: readPreference('tagsView'),
  fixedHeader: readPreference('fixedHeader'),
  sidebarLogo: readPreference('sidebarLogo'),
  watermark: readPreference('watermark'),
  watermarkContent: readPreference('watermarkContent'),
  theme: readPreference('theme'),
  themeColor: readPreference('themeColor'),
  shortcuts: readPreference('shortcuts'),
}));

/** Applies a preference immediately and stores it in the browser. */
export function setPreference<K extends keyof Preferences>(key: K, value: Preferences[K]): void {
  usePreferences.setState({ [key]: value } as Pick<Preferences, K>);
  writeStored(key, String(value));
}

/** Resets the preferences of the settings panel to their defaults. */
export function resetSettings(): void {
  for (const key of settingKeys) setPreference(key, fields[key].initial);
}
