import type { ReactElement } from 'react';
import { Button, IconButton } from '../../src/controls/button.tsx';
import { CopyButton } from '../../src/controls/copy-button.tsx';
import { LanguageSelect } from '../../src/controls/language-select.tsx';
import { ToolButton } from '../../src/controls/tool-button.tsx';
import { useT } from '../../src/language/i18n.ts';

/** Buttons in every look, enabled and disabled. */
export function ButtonScene(): ReactElement {
  const t = useT();
  return (
    <>
      <h1>Buttons</h1>
      <p>
        <Button look="primary">{t('ui.apply')}</Button> <Button look="outline">{t('ui.clear')}</Button>{' '}
        <Button look="quiet">{t('ui.clearFilters')}</Button> <Button icon="refresh">{t('ui.refresh')}</Button>{' '}
        <Button look="primary" disabled>
          {t('ui.apply')}
        </Button>
      </p>
      <p>
        <IconButton icon="close" label={t('ui.close')} />{' '}
        <CopyButton text="C260303093500000000001" name={t('collections.trade_no')} />{' '}
        <ToolButton icon="more" label={t('ui.tools')} onClick={() => undefined} />
      </p>
      <LanguageSelect />
    </>
  );
}
