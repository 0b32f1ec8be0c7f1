// The cashier's phrases in one language, in a chunk of their own without the console's phrases.
export { cashier } from '@hengfu/phrases/vi/cashier';
export { channels } from '@hengfu/phrases/vi/channels';
export { receipts } from '@hengfu/phrases/vi/receipts';
