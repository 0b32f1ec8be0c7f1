import type { MenuPage } from '../menu.ts';
import { PageLink } from './page-link.tsx';

/** The pages of a group as a vertical list. */
export function PageLinks({
  pages,
  id,
  hidden,
}: {
  pages: readonly MenuPage[];
  id?: string;
  hidden?: boolean;
}) {
  return (
    <ul id={id} hidden={hidden}>
      {pages.map((page) => (
        <li key={page.path}>
          <PageLink page={page} />
        </li>
      ))}
    </ul>
  );
}
