import { receiptAmount, receiptRows, receiptState } from '@hengfu/contract/receipt-text';
import type { Receipt } from '@hengfu/contract/receipts';
import { useState } from 'react';
import { CallError } from '../cashier.api.ts';
import { CashierFrame, FrameLoading, useTitle } from '../cashier-frame.tsx';
import type { PayerPageProps } from '../cashier-page.tsx';
import { useCashierI18n } from '../language.tsx';
import { UnknownLink } from '../result.tsx';
import { fetchPdf, type ReceiptFile } from './receipt.api.ts';
import { useReceipt } from './use-receipt.ts';

/** The receipt of a paid order, for anyone with its link. */
export function ReceiptPage({ token, title, reply }: PayerPageProps) {
  const { language, phrases } = useCashierI18n();
  const { receipt, isUnknown, trouble } = useReceipt(token, language, reply);
  const { receipts, cashier } = phrases;
  useTitle(
    isUnknown ? cashier.notFoundTitle : [receipts.title, receipt?.merchant.name].filter(Boolean).join(' · '),
  );
  return (
    <CashierFrame
      title={title}
      brand={receipt?.merchant ?? null}
      trouble={trouble && cashier[trouble]}
      isBusy={!receipt && !isUnknown}
    >
      {isUnknown && <UnknownLink text={receipts.notFoundText} />}
      {!receipt && !isUnknown && <FrameLoading />}
      {receipt && <ReceiptCard receipt={receipt} token={token} />}
    </CashierFrame>
  );
}

function ReceiptCard({ receipt, token }: { receipt: Receipt; token: string }) {
  const { language, phrases } = useCashierI18n();
  const { receipts, channels } = phrases;
  const state = receiptState(receipt);
  return (
    <article className="summary receipt">
      <h1>{receipts.title}</h1>
      <p className="amount amount-medium">{receiptAmount(receipt.amount, receipt.currency, language)}</p>
      <p className={`state state-${state}`}>{receipts.state[state]}</p>
      <dl>
        {receiptRows(receipt, language, channels[receipt.channel]).map(([label, value]) => (
          <div key={label}>
            <dt>{receipts[label]}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <PdfButton token={token} />
    </article>
  );
}

/** Downloads the PDF in the language on screen. */
function PdfButton({ token }: { token: string }) {
  const { language, phrases } = useCashierI18n();
  const { receipts } = phrases;
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const download = async () => {
    if (isBusy) return;
    setBusy(true);
    setFault(null);
    try {
      save(await fetchPdf(token, language));
    } catch (error) {
      const isTooMany = error instanceof CallError && error.fault === 'too_many_requests';
      setFault(isTooMany ? receipts.busy : receipts.failed);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      {fault !== null && (
        <p className="notice notice-bad" role="alert">
          {fault}
        </p>
      )}
      <button type="button" className="button" aria-busy={isBusy} onClick={download}>
        {receipts.download}
      </button>
    </>
  );
}

const keptMs = 60_000;

function save({ name, content }: ReceiptFile): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers read the content only after the click.
  setTimeout(() => URL.revokeObjectURL(url), keptMs);
}
