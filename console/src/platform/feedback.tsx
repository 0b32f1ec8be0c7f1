import { Modal, message } from 'antd';
import { Suspense, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { AntdProvider } from './antd-provider.tsx';
import type { AlertOptions, ToastType } from './feedback-types.ts';
import { translate } from './i18n.ts';

type Messages = ReturnType<typeof message.useMessage>[0];
type Dialogs = ReturnType<typeof Modal.useModal>[0];

/** Seconds a toast stays, and pixels from the top (spec, point 9). */
const toastSettings = { duration: 3, top: 16, maxCount: 3 };

const holder = Promise.withResolvers<{ messages: Messages; dialogs: Dialogs }>();

/** Antd's static calls would leave out the style nonce of the content security policy; these two hooks do not. */
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

// Toasts and dialogs outlive the page that caused them, so they stand in a tree of their own.
createRoot(document.body.appendChild(document.createElement('div'))).render(
  <Suspense fallback={null}>
    <AntdProvider>
      <FeedbackHolder />
    </AntdProvider>
  </Suspense>,
);

/** Loaded by toast.ts. */
export async function showToast(type: ToastType, text: string, key: string | undefined): Promise<void> {
  const { messages } = await holder.promise;
  messages.open({ type, content: text, ...(key === undefined ? {} : { key }) });
}

/** Loaded by alerts.ts. */
export async function openAlert({ type, text, buttonText, onClose }: AlertOptions): Promise<void> {
  const { dialogs } = await holder.promise;
  // A browser's own modal dialog (the drawer of a phone) or popover would lie above and keep the alert from being answered.
  for (const dialog of document.querySelectorAll<HTMLDialogElement>('dialog[open]')) dialog.close();
  for (const box of document.querySelectorAll<HTMLElement>(':popover-open')) box.hidePopover();
  dialogs[type]({
    title: text,
    okText: buttonText ?? translate('shell.gotIt'),
    centered: true,
    afterClose: () => onClose?.(),
  });
}
