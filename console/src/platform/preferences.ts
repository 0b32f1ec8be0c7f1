import { create } from 'zustand';
import { readStored, writeStored } from './stored.ts';

/** What a reader set up in this browser; each field is a flat key of localStorage. */
export interface Preferences {
  /** As last measured: under 992 px wide is mobile. */
  device: 'desktop' | 'mobile';
  /** Size of form controls and tables. */
  size: 'default' | 'large' | 'small';
  sidebarStatus: 'opened' | 'closed';
  /** Where the menu stands: at the left, on top, or its groups on top and a group's pages at the left. */
  layout: 'left' | 'top' | 'mix';
  /** Path of the group that stands open in the layout `mix`; '' while none was. */
  activeTop: string;
  tagsView: boolean;
  /** Top bar and tags stay while the page scrolls. */
  fixedHeader: boolean;
  sidebarLogo: boolean;
  watermark: boolean;
  /** What the watermark says; '': who is signed in. */
  watermarkContent: string;
  theme: 'light' | 'dark';
  /** Six-digit hex colour; what is drawn with it is adapted for contrast (theme.ts). */
  themeColor: string;
  /** Shortcuts of a single key; they can be in the way of who speaks to the computer. */
  shortcuts: 'on' | 'off';
}

interface Field<T> {
  initial: T;
  /** The stored text as a value; undefined for a broken or foreign one. */
  read(text: string): T | undefined;
}

function choice<const T extends string>(...values: readonly [T, ...T[]]): Field<T> {
  return { initial: values[0], read: (text) => values.find((value) => value === text) };
}

function flag(initial: boolean): Field<boolean> {
  return { initial, read: (text) => (text === 'true' || text === 'false' ? text === 'true' : undefined) };
}

/** Longest text of a watermark, in characters. */
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

/** The first choice of each is the default (spec, points 4 and 9). */
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
  theme: choice('light', 'dark'),
  themeColor: hexColor,
  shortcuts: choice('on', 'off'),
};

const settingKeys = [
  ...(['layout', 'tagsView', 'fixedHeader', 'sidebarLogo', 'watermark'] as const),
  ...(['watermarkContent', 'theme', 'themeColor'] as const),
] as const;

/** The stored value of a preference; its default where nothing usable is stored. */
function readPreference<K extends keyof Preferences>(key: K): Preferences[K] {
  const text = readStored(key);
  const field: Field<Preferences[K]> = fields[key];
  return (text === undefined ? undefined : field.read(text)) ?? field.initial;
}

/** The preferences as a store: `usePreferences((preferences) => preferences.theme)`. */
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

/** Applies a choice at once and keeps it in the browser. */
export function setPreference<K extends keyof Preferences>(key: K, value: Preferences[K]): void {
  usePreferences.setState({ [key]: value } as Pick<Preferences, K>);
  writeStored(key, String(value));
}

/** What the settings panel sets, back to its defaults. */
export function resetSettings(): void {
  for (const key of settingKeys) setPreference(key, fields[key].initial);
}
