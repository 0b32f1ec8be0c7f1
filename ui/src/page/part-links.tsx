import { type ReactElement, type ReactNode, useEffect, useRef } from 'react';
import styles from './part-links.module.css';

interface PartLinksProps {
  /** Names the links for screen readers. */
  label: string;
  /** The links, of which the router marks the current one. */
  children: ReactNode;
}

/** Links to the parts of a page, in one line; on a phone it scrolls, and begins with the current one in sight. */
export function PartLinks({ label, children }: PartLinksProps): ReactElement {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const box = nav.current;
    const current = box?.querySelector<HTMLElement>('[aria-current="page"]');
    if (!box || !current) return;
    const { left, width } = current.getBoundingClientRect();
    box.scrollLeft += left + width / 2 - (box.getBoundingClientRect().left + box.clientWidth / 2);
  }, []);
  return (
    <nav ref={nav} className={styles.parts} aria-label={label}>
      {children}
    </nav>
  );
}
