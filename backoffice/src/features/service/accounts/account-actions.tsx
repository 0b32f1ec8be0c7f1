import { type AccessChange, type StaffAccount, staffAccountEndpoints } from '@hengfu/contract/staff/accounts';
import { Icon } from '@hengfu/ui/controls/icon.tsx';
import { TextField } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Menu } from '@hengfu/ui/overlays/menu.tsx';
import { type ReactElement, useState } from 'react';
import { AskDialog } from '../ask-dialog.tsx';
import { PartDialog } from './part-dialog.tsx';
import { RolesField } from './roles-field.tsx';

interface DialogProps {
  onClose: () => void;
}

/** Asks for a new account. */
export function AddDialog({ onClose }: DialogProps): ReactElement {
  const t = useT();
  return (
    <AskDialog title={t('officeService.addPerson')} endpoint={staffAccountEndpoints.create} onClose={onClose}>
      {(form) => (
        <>
          <TextField form={form} name="email" label={t('officeService.email')} autoComplete="off" />
          <TextField
            form={form}
            name="name"
            label={t('officeService.name')}
            maxLength={80}
            autoComplete="off"
          />
          <RolesField form={form} />
        </>
      )}
    </AskDialog>
  );
}

/** The changes of somebody else's account that a second person decides, and the part of a new password. */
export function AccountActions({ account }: { account: StaffAccount }): ReactElement {
  const t = useT();
  const { id, name, disabledAt, part } = account;
  const [open, setOpen] = useState<AccessChange | 'roles' | 'part'>();
  const close = () => setOpen(undefined);
  const access = disabledAt === null ? 'disable' : 'enable';
  return (
    <>
      <Menu
        label={t('officeService.actionsOf', { name })}
        opener={<Icon name="more" size={18} />}
        entries={[
          ...(part === null ? [] : [{ label: t('officeService.showPart'), onChosen: () => setOpen('part') }]),
          { label: t('officeService.changeRoles'), onChosen: () => setOpen('roles') },
          { label: t('officeService.reset'), onChosen: () => setOpen('reset') },
          { label: t(`officeService.${access}`), onChosen: () => setOpen(access) },
        ]}
      />
      {open === 'part' && <PartDialog account={account} onClose={close} />}
      {open === 'roles' && (
        <AskDialog
          title={t('officeService.changeRoles')}
          endpoint={staffAccountEndpoints.roles}
          params={{ id }}
          onClose={close}
        >
          {(form) => <RolesField form={form} given={account.roles} />}
        </AskDialog>
      )}
      {(open === 'disable' || open === 'enable' || open === 'reset') && (
        <AskDialog
          title={t(`officeService.${open}`)}
          endpoint={staffAccountEndpoints.access}
          params={{ id }}
          onClose={close}
        >
          {() => (
            <>
              <p>{t(`officeService.${open}Text`, { name })}</p>
              <input type="hidden" name="change" value={open} />
            </>
          )}
        </AskDialog>
      )}
    </>
  );
}
