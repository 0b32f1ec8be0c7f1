import { type ReactElement, useState } from 'react';
import { Button, buttonClass } from '../../src/controls/button.tsx';
import { useT } from '../../src/language/i18n.ts';
import { Popover } from '../../src/overlays/popover.tsx';

/** A box beside its button, with a field and a button that closes it. */
export function PopoverScene(): ReactElement {
  const t = useT();
  const [name, setName] = useState('');
  return (
    <>
      <h1>Popover</h1>
      <Popover label={t('ui.viewSave')} opener={t('ui.views')} openerClass={buttonClass('outline')}>
        {(close) => (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              close();
            }}
          >
            <label>
              {t('ui.viewName')}{' '}
              <input type="text" value={name} onChange={({ target }) => setName(target.value)} />
            </label>{' '}
            <Button type="submit" look="primary">
              {t('ui.apply')}
            </Button>
          </form>
        )}
      </Popover>
      <p>Below the button</p>
    </>
  );
}
