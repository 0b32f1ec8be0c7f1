import { type ReactElement, useState } from 'react';
import { Icon } from '../../src/controls/icon.tsx';
import { useT } from '../../src/language/i18n.ts';
import { Menu } from '../../src/overlays/menu.tsx';
import type { MenuEntry } from '../../src/overlays/menu-entry.ts';

/** A menu of actions, and a menu of choices. The last chosen entry is named below them. */
export function MenuScene(): ReactElement {
  const t = useT();
  const [chosen, setChosen] = useState('–');
  const [size, setSize] = useState('Default');
  const actions: MenuEntry[] = [
    { label: t('ui.refresh'), icon: 'refresh', onChosen: () => setChosen('refresh') },
    { label: t('ui.columns'), icon: 'columns', onChosen: () => setChosen('columns') },
    { label: t('ui.views'), icon: 'bookmark', onChosen: () => setChosen('views') },
  ];
  const choices: MenuEntry[] = ['Large', 'Default', 'Small'].map((label) => ({
    label,
    isChosen: label === size,
    onChosen: () => setSize(label),
  }));
  return (
    <>
      <h1>Menu</h1>
      <Menu label={t('ui.tools')} opener={<Icon name="more" size={20} />} entries={actions} />
      <Menu label="Size" opener="Size" header={<p>Size of controls</p>} entries={choices} />
      <p role="status">
        {chosen}, {size}
      </p>
    </>
  );
}
