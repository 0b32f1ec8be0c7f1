import type { EndpointShape } from '@hengfu/contract/endpoint';
import type { Currency } from '@hengfu/contract/money';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import type { ReactNode } from 'react';
import type * as z from 'zod';

/** A page of rows as every list endpoint of the contract answers it (see the contract's `listReply`). */
export interface ListReply<R> {
  data: R[];
  next: string | null;
  previous: string | null;
  total: { count: number; exact: boolean };
  sum?: { currency: Currency; amount: string } | undefined;
}

/** An endpoint that answers pages of rows. */
export interface ListEndpoint<R> extends EndpointShape {
  readonly query: z.ZodObject;
  readonly reply: z.ZodType<ListReply<R>>;
}

/** The names of an endpoint's filters. */
export type FilterNameOf<E> = E extends { readonly query: infer Q extends z.ZodObject }
  ? Exclude<keyof z.input<Q> & string, 'limit' | 'cursor'>
  : never;

/** What goes into the path of an endpoint. */
export type PathParams = Readonly<Record<string, string>>;

/** Search parameters of the address, as plain text. */
export type ListSearch = Readonly<Record<string, string | undefined>>;

/** One column of a list; on a narrow screen, one piece of a card. */
export interface ListColumn<R> {
  /** Stable: the reader's choice of columns is kept by it. */
  key: string;
  title: PhraseKey;
  /** Explains the column behind an "i" in its heading. */
  hint?: PhraseKey;
  render(row: R): ReactNode;
  /** Figures stand at the end, so that their digits line up. */
  align?: 'end';
  /** Text that a button beside the cell copies. */
  /** Undefined: this row has nothing to copy. */
  copy?(row: R): string | undefined;
  /** Opens the row's detail; one column of a list with a detail has it. */
  isOpener?: boolean;
  /** Shown only to readers who choose it. */
  isOptional?: boolean;
  /** Can't be hidden. */
  isFixed?: boolean;
  /** Where it stands on a card; `line` (title and value) where not given. */
  card?: 'lead' | 'figure' | 'badge' | 'line';
}

/** One value that a filter offers. */
export interface FilterOption {
  value: string;
  label: PhraseKey;
}

/**
 * One filter of a list, by the names of its query parameters. `text` is an exact match; `choice` takes several values
 * unless `isSingle`; `days` takes its start in and leaves its end out; `amount` takes both ends in.
 */
export type ListFilter<N extends string = string> =
  | { kind: 'text'; name: N; label: PhraseKey; isInline?: boolean }
  | { kind: 'choice'; name: N; label: PhraseKey; options: readonly FilterOption[]; isSingle?: boolean }
  | { kind: 'days'; from: N; to: N; label: PhraseKey }
  | { kind: 'amount'; from: N; to: N; label: PhraseKey };

export type FilterOfKind<K extends ListFilter['kind']> = Extract<ListFilter, { kind: K }>;

/** Changes parameters of the address; undefined removes one. */
export type ChangeSearch = (change: ListSearch) => void;
