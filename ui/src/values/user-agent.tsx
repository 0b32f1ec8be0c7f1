import type { ReactElement } from 'react';
import { nothing } from '../language/format.ts';
import { deviceName } from './device-name.ts';

/** A user agent: browser and system in words, and the text as it was sent; a dash if there is none. */
export function UserAgent({ text }: { text: string | null }): ReactElement {
  const name = deviceName(text);
  if (name === undefined) return <>{text ?? nothing}</>;
  return (
    <>
      {name}
      <br />
      <small>{text}</small>
    </>
  );
}
