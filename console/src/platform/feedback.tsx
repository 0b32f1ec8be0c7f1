import { Modal, message } from 'antd';
import { Suspense, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { AntdProvider } from './antd-provider.tsx';
import type { AlertOptions, ToastType } from './feedback-types.ts';
import { translate } from './i18n.ts';

type Messages = ReturnType<typeof message.useMessage>[0];
type Dialogs = ReturnType<typeof Modal.useModal>[0];

/** Toast duration in seconds, and distance from the top in pixels (spec, point 9). */
const toastSettings = { duration: 3, top: 16, maxCount: 3 };

const holder = Promise.withResolvers<{ messages: Messages; dialogs: Dialogs }>();

/**
 * Provides antd's hooks: its static calls would omit the style nonce that the content security policy
 * requires.
 */
function FeedbackHolder() {
  const [messages, messageHolder] = message.useMessage(toastSettings);
  const [dialogs, dialogHolder] = Modal.useModal();
  useEffect(() => holder.resolve({ messages, dialogs }), [messages, dialogs]);
  return (
    <>
      {messageHolder}
      {dialogHolder}
    </>
  );
}

// Toasts and dialogs outlive the page that caused them, so they have their own React tree.
createRoot(document.body.appendChild(document.createElement('div'))).render(
  <Suspense fallback={null}>
    <AntdProvider>
      <FeedbackHolder />
    </AntdProvider>
  </Suspense>,
);

/** Shows a toast; called by toast.ts, which loads this module on demand. */
export async function showToast(type: ToastType, text: string, key: string | undefined): Promise<void> {
  const { messages } = await holder.promise;
  messages.open({ type, content: text, ...(key === undefined ? {} : { key }) });
}

/** Opens an alert; called by alerts.ts, which loads this module on demand. */
export async function openAlert({ type, text, buttonText, onClose }: AlertOptions): Promise<void> {
  const { dialogs } = await holder.promise;
  // A native modal dialog (the drawer on a phone) or popover would cover the alert and block it.
  for (const dialog of document.querySelectorAll<HTMLDialogElement>('dialog[open]')) dialog.close();
  for (const box of document.querySelectorAll<HTMLElement>(':popover-open')) box.hidePopover();
  dialogs[type]({
    title: text,
    okText: buttonText ?? translate('shell.gotIt'),
    centered: true,
    afterClose: () => onClose?.(),
  });
}
