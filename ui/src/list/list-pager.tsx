import { pageSizes } from '@hengfu/contract/lists';
import type { ReactElement } from 'react';
import { Button, IconButton } from '../controls/button.tsx';
import { Select } from '../controls/select.tsx';
import { useT } from '../language/i18n.ts';
import styles from './list-page.module.css';
import type { ChangeSearch, ListReply } from './list-types.ts';

interface ListPagerProps {
  page: Pick<ListReply<unknown>, 'next' | 'previous'>;
  /** As in the address; undefined means the contract's default. */
  limit: string | undefined;
  cursor: string | undefined;
  change: ChangeSearch;
}

/** Controls for paging and page size. Both are kept in the address, so a link to a page can be shared. */
export function ListPager({ page, limit, cursor, change }: ListPagerProps): ReactElement {
  const t = useT();
  const [defaultSize] = pageSizes;
  const { previous, next } = page;
  return (
    <nav className={styles.pager} aria-label={t('ui.pages')}>
      <label className={styles.size}>
        {t('ui.rowsPerPage')}
        <Select
          value={limit ?? String(defaultSize)}
          onChange={(event) => {
            const size = event.target.value;
            change({ limit: size === String(defaultSize) ? undefined : size });
          }}
        >
          {pageSizes.map((size) => (
            <option key={size} value={size}>
              {size}
            </option>
          ))}
        </Select>
      </label>
      <span className={styles.turns}>
        <IconButton
          icon="first"
          label={t('ui.firstPage')}
          disabled={cursor === undefined}
          onClick={() => change({ cursor: undefined })}
        />
        <Button
          icon="chevronLeft"
          disabled={previous === null}
          onClick={() => change({ cursor: previous ?? undefined })}
        >
          {t('ui.newer')}
        </Button>
        <Button
          disabled={next === null}
          onClick={() => change({ cursor: next ?? undefined })}
          className={styles.next}
          icon="chevronRight"
        >
          {t('ui.older')}
        </Button>
      </span>
    </nav>
  );
}
