import { Fragment, type ReactElement, type ReactNode } from 'react';

/** Marks the element's position in the phrase; never occurs in a phrase. */
const marker = '\u{FFFC}';

interface FilledProps {
  /** Returns the phrase with the given text in place of one placeholder. */
  phrase: (value: string) => string;
  /** The element to insert: an amount, a time, a link. */
  children: ReactNode;
}

/** Inserts an element into a phrase, so that each language controls the punctuation and spaces around it. */
export function Filled({ phrase, children }: FilledProps): ReactElement {
  const [before, after] = phrase(marker).split(marker);
  return (
    <Fragment>
      {before}
      {children}
      {after}
    </Fragment>
  );
}
