import { Fragment, type ReactElement, type ReactNode } from 'react';

/** Stands for the element while the phrase is made; no phrase holds it. */
const mark = '\u{FFFC}';

interface FilledProps {
  /** The phrase, with the given text in place of one placeholder. */
  phrase: (value: string) => string;
  /** The element that takes the placeholder's place: an amount, a time, a link. */
  children: ReactNode;
}

/** A phrase with an element in it, so that punctuation and spaces around the element are the language's own. */
export function Filled({ phrase, children }: FilledProps): ReactElement {
  const [before, after] = phrase(mark).split(mark);
  return (
    <Fragment>
      {before}
      {children}
      {after}
    </Fragment>
  );
}
