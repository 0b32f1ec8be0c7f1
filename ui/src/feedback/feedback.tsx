import { AlertDialog } from '@base-ui/react/alert-dialog';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { Toast } from '@base-ui/react/toast';
import { type ReactElement, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { cspNonce } from '../browser/csp-nonce.ts';
import { LanguageProvider, translate } from '../language/i18n.ts';
import styles from './feedback.module.css';
import type { AlertOptions, ToastType } from './feedback-types.ts';

/** How long a toast stays (spec, point 9); pointer and focus hold it. */
const toastMs = 3000;
const maxToasts = 3;

const toasts = Toast.createToastManager<{ type: ToastType }>();

/** An open alert. It stays mounted while it fades out. */
interface OpenAlert extends AlertOptions {
  id: number;
  isOpen: boolean;
}

let lastId = 0;
const changer = Promise.withResolvers<(change: (alerts: OpenAlert[]) => OpenAlert[]) => void>();

function Alerts(): ReactElement {
  const [alerts, setAlerts] = useState<OpenAlert[]>([]);
  useEffect(() => changer.resolve(setAlerts), []);
  const change = (id: number, to: (alert: OpenAlert) => OpenAlert[]) =>
    setAlerts((current) => current.flatMap((alert) => (alert.id === id ? to(alert) : [alert])));
  return (
    <>
      {alerts.map(({ id, isOpen, type, text, buttonText, onClose }) => (
        <AlertDialog.Root
          key={id}
          open={isOpen}
          onOpenChange={() => change(id, (alert) => [{ ...alert, isOpen: false }])}
          onOpenChangeComplete={(isShown) => {
            if (isShown) return;
            change(id, () => []);
            onClose?.();
          }}
        >
          <AlertDialog.Portal>
            <AlertDialog.Backdrop className={styles.backdrop} />
            <AlertDialog.Popup className={styles.alert} data-kind="alert">
              <AlertDialog.Title className={styles.text}>
                <span className={styles.sign} data-type={type} aria-hidden="true" />
                {text}
              </AlertDialog.Title>
              <AlertDialog.Close className={styles.button}>
                {buttonText ?? translate('shell.gotIt')}
              </AlertDialog.Close>
            </AlertDialog.Popup>
          </AlertDialog.Portal>
        </AlertDialog.Root>
      ))}
    </>
  );
}

function Toasts(): ReactElement {
  const { toasts: shown } = Toast.useToastManager<{ type: ToastType }>();
  return (
    <Toast.Portal>
      <Toast.Viewport className={styles.toasts}>
        {shown.map((toast) => (
          <Toast.Root
            key={toast.id}
            toast={toast}
            className={styles.toast}
            swipeDirection="up"
            data-kind="toast"
          >
            <span className={styles.sign} data-type={toast.data?.type} aria-hidden="true" />
            <Toast.Title render={<p />} />
          </Toast.Root>
        ))}
      </Toast.Viewport>
    </Toast.Portal>
  );
}

// Toasts and alerts outlive the page that caused them, so they have their own React tree.
createRoot(document.body.appendChild(document.createElement('div'))).render(
  <CSPProvider nonce={cspNonce}>
    <LanguageProvider>
      <Toast.Provider toastManager={toasts} timeout={toastMs} limit={maxToasts}>
        <Toasts />
      </Toast.Provider>
      <Alerts />
    </LanguageProvider>
  </CSPProvider>,
);

/** Shows a toast; called by toast.ts, which loads this module on demand. */
export async function showToast(type: ToastType, text: string, key: string | undefined): Promise<void> {
  // Toasts added before the tree is there would be lost.
  await changer.promise;
  const priority = type === 'error' ? 'high' : 'low';
  toasts.add({ title: text, data: { type }, priority, id: key ?? `${type} ${text}` });
}

/** Opens an alert; called by alerts.ts, which loads this module on demand. */
export async function openAlert(options: AlertOptions): Promise<void> {
  const change = await changer.promise;
  change((alerts) => [...alerts, { ...options, id: ++lastId, isOpen: true }]);
}
