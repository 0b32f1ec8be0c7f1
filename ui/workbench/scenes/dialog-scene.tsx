import { type ReactElement, useState } from 'react';
import { Button } from '../../src/controls/button.tsx';
import { useT } from '../../src/language/i18n.ts';
import { Dialog } from '../../src/overlays/dialog.tsx';
import { SideDialog } from '../../src/overlays/side-dialog.tsx';

/** A dialog with a field, which a press beside it does not close, with another one above it; and one along the side of the window. */
export function DialogScene(): ReactElement {
  const t = useT();
  const [opened, setOpened] = useState<'dialog' | 'side'>();
  const [isStacked, setStacked] = useState(false);
  const close = () => setOpened(undefined);
  return (
    <>
      <h1>Dialog</h1>
      <Button onClick={() => setOpened('dialog')}>{t('ui.viewSave')}</Button>
      <Button onClick={() => setOpened('side')}>{t('ui.filters')}</Button>
      {opened === 'dialog' && (
        <Dialog title={t('ui.viewSave')} onClose={close}>
          <p>
            <label>
              {t('ui.viewName')} <input type="text" />
            </label>
          </p>
          <Button look="primary" onClick={close}>
            {t('ui.close')}
          </Button>
          <Button onClick={() => setStacked(true)}>{t('ui.clearFilters')}</Button>
          {isStacked && (
            <Dialog title={t('ui.clearFilters')} onClose={() => setStacked(false)}>
              <Button onClick={() => setStacked(false)}>{t('ui.close')}</Button>
            </Dialog>
          )}
        </Dialog>
      )}
      {opened === 'side' && (
        <SideDialog label={t('ui.filters')} side="end" onClose={close}>
          <Button onClick={close}>{t('ui.close')}</Button>
        </SideDialog>
      )}
    </>
  );
}
