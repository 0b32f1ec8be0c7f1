import type { Currency } from '@hengfu/contract/money';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import type { ReactNode } from 'react';
import type * as z from 'zod';
import type { AmountOf } from '../values/sum-amounts.ts';

/** The reply of every list endpoint: a page of rows (see the contract's `listReply`). */
export interface ListReply<R> {
  data: R[];
  next: string | null;
  previous: string | null;
  total: { count: number; exact: boolean };
  sum?: { currency: Currency; amount: string } | undefined;
  /** The time at which rows and totals were read (ISO 8601). */
  at: string;
}

/** Exact totals of a list, and the time at which they were counted (ISO 8601). */
export interface Totals {
  count: number;
  sum?: { currency: Currency; amount: string } | undefined;
  at: string;
}

/** The names of an endpoint's filters. */
export type FilterNameOf<E> = E extends { readonly query: infer Q extends z.ZodObject }
  ? Exclude<keyof z.input<Q> & string, 'limit' | 'cursor'>
  : never;

/** The address's search parameters, as plain text. */
export type ListSearch = Readonly<Record<string, string | undefined>>;

/** One column of a list; on a narrow screen, one piece of a card. */
export interface ListColumn<R> {
  /** Must be stable, because the user's choice of columns is stored by key. */
  key: string;
  title: PhraseKey;
  /** Explanation behind an "i" in the heading. */
  hint?: PhraseKey;
  render(row: R): ReactNode;
  /** Use `end` for numbers, so that their digits line up. */
  align?: 'end';
  /** The row's amount, for a column whose amounts are added up at the end; undefined if this row has none. */
  total?(row: R): AmountOf | undefined;
  /** Text that a button beside the cell copies; undefined if this row has none. */
  copy?(row: R): string | undefined;
  /** The cell links to the row's detail. Exactly one column of a list with details has it. */
  isOpener?: boolean;
  /** Hidden by default. */
  isOptional?: boolean;
  /** Can't be hidden. */
  isFixed?: boolean;
  /** Position on a card; default `line` (title and value). */
  card?: 'lead' | 'figure' | 'badge' | 'line';
}

/** One value that a filter offers; with a `text` if its name is not a phrase. */
export type FilterOption =
  | { value: string; label: PhraseKey; text?: undefined }
  | { value: string; text: string };

/**
 * One filter of a list, with the names of its query parameters. `text` is an exact match unless it matches
 * the `beginning`; `choice` takes several values unless `isSingle`; `days` has an exclusive end; `amount` includes
 * both ends. `prompt` is shown when an empty filter is applied.
 */
export type ListFilter<N extends string = string> =
  | {
      kind: 'text';
      name: N;
      label: PhraseKey;
      match?: 'beginning';
      prompt?: PhraseKey;
      isInline?: boolean;
    }
  | {
      kind: 'choice';
      name: N;
      label: PhraseKey;
      prompt?: PhraseKey;
      options: readonly FilterOption[];
      isSingle?: boolean;
    }
  | { kind: 'days'; from: N; to: N; label: PhraseKey }
  | { kind: 'amount'; from: N; to: N; label: PhraseKey };

export type FilterOfKind<K extends ListFilter['kind']> = Extract<ListFilter, { kind: K }>;

/** Changes search parameters of the address; undefined removes one. */
export type ChangeSearch = (change: ListSearch) => void;
