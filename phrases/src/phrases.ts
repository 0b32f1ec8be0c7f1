import type { en } from './en.ts';

/** All phrases of one language, by feature and name. English is the measure: its keys are the keys. */
export type Phrases = Translation<typeof en>;

/** The same keys as the English object, any text: a key missing or too many does not compile. */
export type Translation<T> = { readonly [K in keyof T]: T[K] extends string ? string : Translation<T[K]> };

type Leaves<T> = { [K in keyof T & string]: T[K] extends string ? K : `${K}.${Leaves<T[K]>}` }[keyof T &
  string];

/** Dotted name of a phrase, as in `errors.not_found`; plural forms are named without their `_one`/`_other`. */
export type PhraseKey = WithoutPlural<Leaves<typeof en>>;

type WithoutPlural<K extends string> = K extends `${infer Base}_one` | `${infer Base}_other` ? Base : K;
