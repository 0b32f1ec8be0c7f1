import { receiptEndpoints } from '@hengfu/contract/receipts';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { ReceiptPrinter } from './pdf/receipt-printer.ts';
import { receiptHandlers } from './receipts.routes.ts';
import { ReceiptService } from './receipts.service.ts';

/** Receipts of paid collections, for payers and merchants. */
export function receiptsModule({ database, title, appUrl }: ModuleDeps) {
  const receipts = new ReceiptService({ database, printer: new ReceiptPrinter(), title, appUrl });
  return {
    services: { receipts },
    endpoints: () => [feature(receiptEndpoints, receiptHandlers(receipts))],
  } satisfies FeatureModule;
}
