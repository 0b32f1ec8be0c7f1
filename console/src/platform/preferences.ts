import { create } from 'zustand';
import { readStored, writeStored } from './stored.ts';

/** What a reader set up in this browser; each field is a flat key of localStorage. */
export interface Preferences {
  /** As last measured: under 992 px wide is mobile. */
  device: 'desktop' | 'mobile';
  /** Size of form controls and tables. */
  size: 'default' | 'large' | 'small';
  sidebarStatus: 'opened' | 'closed';
  theme: 'light' | 'dark';
  /** Six-digit hex colour; what is drawn with it is adapted for contrast (theme.ts). */
  themeColor: string;
}

interface Field<T> {
  initial: T;
  /** The stored text as a value; undefined for a broken or foreign one. */
  read(text: string): T | undefined;
}

function choice<const T extends string>(...values: readonly [T, ...T[]]): Field<T> {
  return { initial: values[0], read: (text) => values.find((value) => value === text) };
}

const hexColor: Field<string> = {
  initial: '#409EFF',
  read: (text) => (/^#[0-9a-f]{6}$/i.test(text) ? text : undefined),
};

/** The first choice of each is the default (spec, points 4 and 9). */
const fields: { readonly [K in keyof Preferences]: Field<Preferences[K]> } = {
  device: choice('desktop', 'mobile'),
  size: choice('default', 'large', 'small'),
  sidebarStatus: choice('closed', 'opened'),
  theme: choice('light', 'dark'),
  themeColor: hexColor,
};

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
  theme: readPreference('theme'),
  themeColor: readPreference('themeColor'),
}));

/** Applies a choice at once and keeps it in the browser. */
export function setPreference<K extends keyof Preferences>(key: K, value: Preferences[K]): void {
  usePreferences.setState({ [key]: value } as Pick<Preferences, K>);
  writeStored(key, value);
}
