import { Icon } from '@hengfu/ui/controls/icon.tsx';
import { useAction } from '@hengfu/ui/form/use-action.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Menu } from '@hengfu/ui/overlays/menu.tsx';
import { useQuery } from '@tanstack/react-query';
import { useUser } from '../../platform/session-store.ts';
import styles from './merchant-menu.module.css';
import { enterMerchant, workplacesQuery } from './workplaces.api.ts';

/** The merchant's name in the top bar, with a menu to switch to another one; absent for a person who works for one only. */
export function MerchantMenu() {
  const { hasOtherMerchants } = useUser();
  return hasOtherMerchants ? <SwitchMenu /> : null;
}

function SwitchMenu() {
  const t = useT();
  const { merchant } = useUser();
  const { data = [] } = useQuery(workplacesQuery);
  const { mutate } = useAction({ mutationFn: (code: string) => enterMerchant(code) });
  const open = data.filter(({ isAvailable }) => isAvailable);
  const isAmbiguous = (name: string) => open.filter((other) => other.name === name).length > 1;
  return (
    <Menu
      label={t('workplaces.switch', { name: merchant.name })}
      opener={
        <>
          <Icon name="merchant" size={20} />
          <span className={styles.name}>{merchant.name}</span>
          <span className={styles.arrow}>
            <Icon name="chevronDown" size={16} />
          </span>
        </>
      }
      entries={open.map(({ code, name }) => ({
        label: isAmbiguous(name) ? `${name} (${code})` : name,
        isChosen: code === merchant.code,
        onChosen: () => code !== merchant.code && mutate(code),
      }))}
    />
  );
}
